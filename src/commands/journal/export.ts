import { PaydeskCommand } from '../../lib/cli/command.ts'
import { JournalAccess } from '../../lib/cli/desk/journal.ts'
import { sinceAndUntil, typedPeriod } from '../../lib/cli/flags/times.ts'
import { toStdout } from '../../lib/cli/output/files.ts'
import { Failure } from '../../lib/failure.ts'
import { printableJson } from '../../lib/json.ts'

export default class JournalExport extends PaydeskCommand<undefined> {
  static override summary = 'Print every payment of the journal with its attempts, a line of JSON each.'
  static override description =
    `The newest first, of every profile unless -p names one. The last line says how many there were, and the head of the chain: an export
without it was cut off. It holds names and accounts; card tokens are masked, as they are in the journal. It is no backup: nothing can be
restored from it. Times in it are UTC; typed ones are those of this machine.`
  static override examples = [
    '<%= config.bin %> journal export > journal.ndjson',
    '<%= config.bin %> journal export --since 2026-11-01 --until 2026-12-01',
  ]

  static override flags = sinceAndUntil('opened')

  static override readonly result = async () => {
    const { exportEndResult, journalShownResult } = await import('../../lib/journal/result.ts')
    return [journalShownResult, exportEndResult]
  }

  readonly #journal = new JournalAccess(this)

  async run(): Promise<undefined> {
    const { flags } = await this.parse(JournalExport)
    if (flags.fields !== undefined || flags.query !== undefined || flags.output === 'csv' || flags.output === 'json') {
      throw new Failure('usage', 'an export is lines of JSON: it takes no --fields, no --query and no other --output')
    }
    const { profile } = flags
    const filter = { ...(profile === undefined ? {} : { profile }), ...typedPeriod(this, flags) }
    const journal = await this.#journal.open()
    const { exportEntries } = await import('../../lib/journal/entry.ts')
    const write = toStdout(this)
    for await (const line of exportEntries(journal, filter)) {
      this.signal.throwIfAborted()
      if (this.output.unread.aborted) return
      await write(`${printableJson(this.output.redactor.withoutSecrets(line))}\n`)
    }
  }

  protected override readonly view = () => []
}
