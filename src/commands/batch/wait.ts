import { planArgs } from '../../lib/cli/batch/plans.ts'
import { discardedInWords, sumsInWords, totalInWords } from '../../lib/cli/batch/views.ts'
import { type WaitResult, waitFlags, waitWhole } from '../../lib/cli/batch/waiting.ts'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { factsOf, type Labels, unlessZero } from '../../lib/cli/output/view.ts'
import { howMany } from '../../lib/contract/core/text.ts'

export default class BatchWait extends PaydeskCommand<WaitResult> {
  static override summary = 'Wait until every accepted payout of a plan is final.'
  static override description =
    `Only reads; sends nothing. Exit code 0: all rows are paid; 10: some were refused, not sent or ended unpaid; 9:
a row is unknown; 8: --timeout (120 s) passed first. Rows that were sent before this plan are listed: they
were not paid again.`
  static override examples = ['<%= config.bin %> batch wait b-3f9a1c2b7d10 --timeout 30m']

  static override args = planArgs

  static override flags = waitFlags

  static override readonly result = async () => (await import('../../lib/batch/result.ts')).waitResult

  async run(): Promise<WaitResult> {
    const { args, flags } = await this.parse(BatchWait)
    return waitWhole(this, args.plan, flags)
  }

  protected override readonly view = (waited: WaitResult) => [factsOf(waited, labels, `Plan ${waited.planId}`)]
}

const labels: Labels<WaitResult> = {
  rows: 'rows',
  total: totalInWords,
  discarded: discardedInWords,
  paid: unlessZero('paid'),
  'not final': unlessZero('accepted'),
  'not paid': unlessZero('notPaid'),
  exists: unlessZero('exists'),
  sending: unlessZero('sending'),
  unknown: unlessZero('unknown'),
  refused: unlessZero('refused'),
  'not sent': unlessZero('unsent'),
  'paid in all': ({ paid, paidTotals }) => (paid === 0 ? null : sumsInWords(paidTotals)),
  'sent before': ({ replayed, replayedTotals: totals }) =>
    replayed === 0
      ? null
      : `${howMany(replayed, 'row')} (${sumsInWords(totals)}); nothing moved for ${replayed === 1 ? 'it' : 'them'} now`,
}
