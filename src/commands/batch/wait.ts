import { BatchAccess, planArgs } from '../../lib/cli/batch/plans.ts'
import { discardedFact, sumsInWords } from '../../lib/cli/batch/views.ts'
import { type WaitTold, waitFlags, waitWhole } from '../../lib/cli/batch/waiting.ts'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import type { View } from '../../lib/cli/output/view.ts'
import { howMany } from '../../lib/contract/core/text.ts'

export default class BatchWait extends PaydeskCommand<WaitTold> {
  static override summary = 'Wait until every accepted payout of a plan is final.'
  static override description =
    `Only reads; sends nothing. Exit code 0: all rows are paid; 10: some were refused, not sent or ended unpaid; 9:
a row is unknown; 8: --timeout (120 s) passed first. Rows that were sent before this plan are listed: they
were not paid again.`
  static override examples = ['<%= config.bin %> batch wait b-3f9a1c2b7d10 --timeout 30m']

  static override args = planArgs

  static override flags = waitFlags

  static override readonly result = async () => (await import('../../lib/batch/result.ts')).waitResult

  readonly #batch = new BatchAccess(this)

  async run(): Promise<WaitTold> {
    const { args, flags } = await this.parse(BatchWait)
    return waitWhole(this, this.#batch, args.plan, flags)
  }

  protected override view(told: WaitTold): View {
    const counts: readonly (readonly [string, number])[] = [
      ['paid', told.paid],
      ['not final', told.accepted],
      ['not paid', told.notPaid],
      ['exists', told.exists],
      ['sending', told.sending],
      ['unknown', told.unknown],
      ['refused', told.refused],
      ['not sent', told.unsent],
    ]
    return [
      {
        kind: 'facts',
        title: `Plan ${told.planId}`,
        rows: [
          ['rows', told.rows],
          ['total', sumsInWords(told.totals)],
          discardedFact(told),
          ...counts.map(([name, count]) => [name, count === 0 ? null : count] as const),
          ['paid in all', told.paid === 0 ? null : sumsInWords(told.paidTotals)],
          ['sent before', told.replayed === 0 ? null : movedBefore(told)],
        ],
      },
    ]
  }
}

function movedBefore({ replayed, replayedTotals }: WaitTold): string {
  return `${howMany(replayed, 'row')} (${sumsInWords(replayedTotals)}); nothing moved for ${replayed === 1 ? 'it' : 'them'} now`
}
