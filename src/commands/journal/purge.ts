import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { typedMoment } from '../../lib/cli/flags/times.ts'
import type { View } from '../../lib/cli/output/view.ts'
import { terminalAsker } from '../../lib/cli/prompts/ask.ts'
import { askYesOrNo } from '../../lib/cli/prompts/confirm.ts'
import { howMany } from '../../lib/contract/core/text.ts'
import { Failure } from '../../lib/failure.ts'
import type { Purged } from '../../lib/journal/purge.ts'

const inUse = 'another program is reading the journal, so its file still holds the removed data: run this again'

export default class JournalPurge extends PaydeskCommand<Purged> {
  static override summary = 'Remove personal data of old payouts; ids, keys, amounts and outcomes stay.'
  static override description =
    `Removes names, addresses, identity numbers, birth dates, accounts, descriptions and notes of payouts that
ended before --before (at least 30 days ago). This cannot be undone. Keys still protect against paying twice.
Payouts that are not final, and orders, cards, payees, plans, reports and exports, are not changed. Guide:
docs/how-to/back-up.md`
  static override examples = [
    '<%= config.bin %> journal purge --before 2025-11-20 --dry-run',
    '<%= config.bin %> journal purge --before 2025-11-20 --yes',
  ]

  static override flags = {
    before: Flags.string({
      description: 'only payouts last changed before this time, at least 30 days ago',
      helpValue: '2025-11-20[T09:00]',
      required: true,
    }),
    'dry-run': Flags.boolean({ description: 'only count; remove nothing' }),
    yes: Flags.boolean({ description: 'do not ask' }),
  }

  static override readonly result = async () => (await import('../../lib/journal/result.ts')).purgedResult

  async run(): Promise<Purged> {
    const { flags } = await this.parse(JournalPurge)
    const before = typedMoment(this, 'before', flags.before)
    const { requireLongAgo, purgeJournal } = await import('../../lib/journal/purge.ts')
    const { momentOf } = await import('../../lib/journal/moment.ts')
    const { journalPlace } = await import('../../lib/cli/desk/journal.ts')
    const { openJournalStore } = await import('../../lib/journal/open.ts')
    requireLongAgo(before, { now: this.edge.clock.now() })
    const { store, clock, holding } = await openJournalStore(journalPlace(this), this.edge.clock)
    this.closeAtEnd(() => store.close())
    const run = (dryRun: boolean) => {
      const wish = { before, profile: flags.profile ?? null, dryRun }
      return purgeJournal(store, wish, { ...momentOf(clock), holding }, this.edge.random, this.signal)
    }
    if (flags['dry-run']) return run(true)
    if (!flags.yes) await this.#confirm((await run(true)).removed)
    const purged = await run(false)
    if (purged.erased === false) this.output.warn(inUse)
    return purged
  }

  protected override view({ dryRun, removed, kept, removedAt, erased }: Purged): View {
    const file =
      erased === null ? 'the server frees the space when it is vacuumed' : erased ? 'written anew' : 'not yet'
    return [
      {
        kind: 'facts',
        title: dryRun ? 'Dry run: nothing was removed' : 'Personal data of payouts was removed',
        rows: [
          ['payouts', removed],
          ['removed at', removedAt],
          ['file', dryRun ? null : file],
          ['kept: open', kept.open],
          ['kept: not final', kept.notEnded],
          ['kept: approved', kept.approved],
          ['kept: too young', kept.young],
        ],
      },
    ]
  }

  async #confirm(count: number): Promise<void> {
    if (!this.canAsk)
      throw new Failure('usage', 'removing personal data needs a confirmation, but no terminal is attached; add --yes')
    const question = `Remove the personal data of ${howMany(count, 'payout')}? This cannot be undone.`
    if (await askYesOrNo(terminalAsker(this.edge, this.signal), question)) return
    throw new Failure('declined', 'you said no; nothing was removed')
  }
}
