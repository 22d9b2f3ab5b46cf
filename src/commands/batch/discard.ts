import { type CountResult, countResultOf } from '../../lib/batch/count.ts'
import { planArgs, planOf, plansOf, viewOfPlan } from '../../lib/cli/batch/plans.ts'
import { countView } from '../../lib/cli/batch/views.ts'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { textView } from '../../lib/cli/output/view.ts'

export default class BatchDiscard extends PaydeskCommand<CountResult> {
  static override summary = 'Discard a plan, so that no further row is sent.'
  static override description =
    `Rows that were sent stay as they are, and \`batch resume\` still resolves unknown ones. Planning the same file
again restores the plan.`
  static override examples = ['<%= config.bin %> batch discard b-3f9a1c2b7d10']

  static override args = planArgs

  static override readonly result = async () => (await import('../../lib/batch/result.ts')).countResult

  async run(): Promise<CountResult> {
    const { args } = await this.parse(BatchDiscard)
    this.acts = true
    const { store, plan } = await planOf(this, args.plan)
    const { countRows } = await import('../../lib/batch/run.ts')
    const { discardPlan } = await import('../../lib/batch/lease.ts')
    const { desk, leaseHolder } = await viewOfPlan(this, plan)
    await discardPlan(await plansOf(this), plan.planId, store, leaseHolder)
    return countResultOf(plan, await countRows({ desk, leaseHolder, store }))
  }

  protected override readonly view = (count: CountResult) => [
    ...textView(`Discarded: no further row of ${count.planId} will be sent.`),
    ...countView(count),
  ]
}
