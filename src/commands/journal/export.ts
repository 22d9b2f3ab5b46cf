import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { JournalAccess } from '../../lib/cli/desk/journal.ts'
import { typedMoment } from '../../lib/cli/flags/times.ts'
import { toStdout } from '../../lib/cli/output/files.ts'
import type { View } from '../../lib/cli/output/view.ts'
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

  static override flags = {
    since: Flags.string({ description: 'only those opened at or after this time', helpValue: '2026-11-20[T09:00]' }),
    until: Flags.string({ description: 'only those opened before this time', helpValue: '2026-11-21[T09:00]' }),
  }

  static override readonly result = async () => {
    const { exportEndResult, journalShownResult } = await import('../../lib/journal/result.ts')
    return [journalShownResult, exportEndResult]
  }

  readonly #journal = new JournalAccess(this)

  async run(): Promise<undefined> {
    const { flags } = await this.parse(JournalExport)
    if (flags.fields !== undefined || flags.query !== undefined || flags.output === 'csv' || flags.output === 'json') {
      throw new Failure('usage', 'an export is NDJSON: --fields, --query and other --output values do not apply')
    }
    const filter = {
      ...(flags.profile === undefined ? {} : { profile: flags.profile }),
      ...(flags.since === undefined ? {} : { since: typedMoment(this, 'since', flags.since) }),
      ...(flags.until === undefined ? {} : { until: typedMoment(this, 'until', flags.until) }),
    }
    const journal = await this.#journal.open()
    const { exported } = await import('../../lib/listing/export.ts')
    const write = toStdout(this)
    for await (const line of exported(journal, filter)) {
      this.signal.throwIfAborted()
      if (this.output.unread.aborted) return
      await write(`${printableJson(this.output.redactor.withoutSecrets(line))}\n`)
    }
  }

  protected override view(): View {
    return []
  }
}
