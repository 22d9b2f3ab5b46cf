import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { openStore } from '../../lib/cli/desk/journal.ts'
import { typedMoment } from '../../lib/cli/flags/times.ts'
import { factsOf, type Labels } from '../../lib/cli/output/view.ts'
import { mustAgree } from '../../lib/cli/prompts/confirm.ts'
import { howMany } from '../../lib/contract/core/text.ts'
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
    requireLongAgo(before, { now: this.edge.clock.now() })
    const { store, clock, leaseHolder } = await openStore(this)
    const run = (dryRun: boolean) => {
      const wanted = { before, profile: flags.profile ?? null, dryRun }
      return purgeJournal(store, wanted, { ...momentOf(clock), leaseHolder }, this.edge.random, this.signal)
    }
    if (flags['dry-run']) return run(true)
    if (!flags.yes) {
      const { removed } = await run(true)
      await mustAgree(this, {
        question: `Remove the personal data of ${howMany(removed, 'payout')}? This cannot be undone.`,
        whether: 'whether personal data may go',
        ifDeclined: 'nothing was removed',
      })
    }
    const purged = await run(false)
    if (purged.erased === false) this.output.warn(inUse)
    return purged
  }

  protected override readonly view = (purged: Purged) => {
    const title = purged.dryRun ? 'Dry run: nothing was removed' : 'Personal data of payouts was removed'
    return [factsOf(purged, labels, title)]
  }
}

const labels: Labels<Purged> = {
  payouts: 'removed',
  'removed at': 'removedAt',
  file: ({ dryRun, erased }) => {
    if (dryRun) return null
    if (erased === null) return 'the server frees the space when it is vacuumed'
    return erased ? 'written anew' : 'not yet'
  },
  'kept: open': ({ kept }) => kept.open,
  'kept: not final': ({ kept }) => kept.notEnded,
  'kept: approved': ({ kept }) => kept.approved,
  'kept: too young': ({ kept }) => kept.young,
}
