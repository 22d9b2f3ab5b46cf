import { PaydeskCommand } from '../../lib/cli/command.ts'
import { journalOf } from '../../lib/cli/desk/journal.ts'
import { sinceAndUntil, typedPeriod } from '../../lib/cli/flags/times.ts'
import { isSheetForm } from '../../lib/cli/output/choice.ts'
import { toStdout } from '../../lib/cli/output/files.ts'
import { Failure } from '../../lib/failure.ts'
import { printableJson } from '../../lib/json.ts'

export default class JournalExport extends PaydeskCommand<undefined> {
  static override summary = 'Export the journal: every payment with its attempts, as NDJSON.'
  static override description =
    `Newest first, of every profile unless -p names one. The last line holds the count and the head of the hash
chain; without that line the export is cut off. It contains names and accounts, and masked card tokens. Times
are UTC. It cannot be restored: see docs/how-to/back-up.md`
  static override examples = [
    '<%= config.bin %> journal export > journal.ndjson',
    '<%= config.bin %> journal export --since 2026-11-01 --until 2026-12-01',
  ]

  static override flags = sinceAndUntil('made')

  static override readonly result = async () => {
    const { exportEndResult, journalShownResult } = await import('../../lib/journal/result.ts')
    return [journalShownResult, exportEndResult]
  }

  async run(): Promise<undefined> {
    const { flags } = await this.parse(JournalExport)
    if (
      flags.fields !== undefined ||
      flags.query !== undefined ||
      isSheetForm(flags.output) ||
      flags.output === 'json'
    ) {
      throw new Failure('usage', 'an export is NDJSON: --fields, --query and other --output values do not apply')
    }
    const { profile } = flags
    const filter = { ...(profile === undefined ? {} : { profile }), ...typedPeriod(this, flags) }
    const journal = await journalOf(this)
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
