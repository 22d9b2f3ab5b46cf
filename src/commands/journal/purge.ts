import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { openStore } from '../../lib/cli/desk/journal.ts'
import { typedMoment } from '../../lib/cli/flags/times.ts'
import { factsOf, type Labels } from '../../lib/cli/output/view.ts'
import { mustAgree } from '../../lib/cli/prompts/confirm.ts'
import { howMany } from '../../lib/contract/core/text.ts'
import type { Purged } from '../../lib/journal/purge.ts'

const inUse = 'another program reads the journal, and its file still holds what was removed: run this once more'

export default class JournalPurge extends PaydeskCommand<Purged> {
  static override summary =
    'Remove the personal data of payouts that ended long ago; ids, keys, sums and outcomes stay.'
  static override description =
    `Of each payout that has ended for good and was last touched before --before, at least 30 days ago: name, address, identity number, birth
date, account or receiver, description and debtor, the texts of the service and the operator's words. They read "removed" since, and
nothing brings them back. Journal id, uniqueId, transactionId, key, sum, state, status, times and the digest of the request stay: the same
key with the same content is answered from the journal, with other content refused (7). Unknown, held, in flight, turned away, contradicted
and not ended ones stay whole, and so does what others have approved. Orders, wallet orders, users and cards in the journal are not touched,
nor payees, plans, reports, callbacks, exports and copies: those are files and lists of their own.`
  static override examples = [
    '<%= config.bin %> journal purge --before 2025-11-20 --dry-run',
    '<%= config.bin %> journal purge --before 2025-11-20 --yes',
  ]

  static override flags = {
    before: Flags.string({
      description: 'only those last touched before this time, at least 30 days ago',
      helpValue: '2025-11-20[T09:00]',
      required: true,
    }),
    'dry-run': Flags.boolean({ description: 'count, and remove nothing' }),
    yes: Flags.boolean({ description: 'do not ask' }),
  }

  static override readonly result = async () => (await import('../../lib/journal/result.ts')).purgedResult

  async run(): Promise<Purged> {
    const { flags } = await this.parse(JournalPurge)
    const before = typedMoment(this, 'before', flags.before)
    const { requireLongAgo, purgeJournal } = await import('../../lib/journal/purge.ts')
    const { momentOf } = await import('../../lib/journal/moment.ts')
    requireLongAgo(before, { now: this.edge.clock.now() })
    const { store, clock, holding } = await openStore(this)
    const run = (dryRun: boolean) => {
      const wish = { before, profile: flags.profile ?? null, dryRun }
      return purgeJournal(store, wish, { ...momentOf(clock), holding }, this.edge.random, this.signal)
    }
    if (flags['dry-run']) return run(true)
    if (!flags.yes) {
      const { removed } = await run(true)
      await mustAgree(this, {
        question: `Remove the personal data of ${howMany(removed, 'payout')} for good?`,
        whether: 'whether personal data may go',
        otherwise: 'nothing was removed',
      })
    }
    const purged = await run(false)
    if (purged.erased === false) this.output.warn(inUse)
    return purged
  }

  protected override readonly view = (purged: Purged) => {
    const title = purged.dryRun ? 'Nothing was removed: a dry run' : 'The personal data of payouts was removed'
    return [factsOf(purged, labels, title)]
  }
}

const labels: Labels<Purged> = {
  payouts: 'removed',
  'removed at': 'removedAt',
  file: ({ dryRun, erased }) => {
    if (dryRun) return null
    if (erased === null) return 'the server frees its space when it is vacuumed'
    return erased ? 'written anew' : 'not yet'
  },
  'kept: open': ({ kept }) => kept.open,
  'kept: not ended': ({ kept }) => kept.notEnded,
  'kept: approved': ({ kept }) => kept.approved,
  'kept: too young': ({ kept }) => kept.young,
}
