import type { ListedPlan } from '../../lib/batch/plan-result.ts'
import { BatchAccess } from '../../lib/cli/batch/plans.ts'
import { sumsInWords } from '../../lib/cli/batch/views.ts'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import type { View } from '../../lib/cli/output/view.ts'

export default class BatchList extends PaydeskCommand<ListedPlan[]> {
  static override summary = 'List the plans of this machine or team, newest first.'
  static override examples = ['<%= config.bin %> batch list']

  static override readonly result = async () => (await import('../../lib/batch/result.ts')).planListResult

  readonly #batch = new BatchAccess(this)

  async run(): Promise<ListedPlan[]> {
    const { flags } = await this.parse(BatchList)
    const { listPlans } = await import('../../lib/batch/plan-result.ts')
    const plans = await listPlans(await this.#batch.plans())
    return flags.profile === undefined ? plans : plans.filter(({ profile }) => profile === flags.profile)
  }

  protected override view(plans: ListedPlan[]): View {
    return [
      {
        kind: 'table',
        head: ['plan', 'planned', 'file', 'rows', 'total', 'profile', 'state'],
        rows: plans.map((plan) => [
          plan.planId,
          plan.plannedAt,
          plan.file,
          plan.rows,
          sumsInWords(plan.totals),
          plan.profile,
          plan.isDiscarded ? 'discarded' : plan.isStale ? 'stale' : 'good',
        ]),
        empty: 'No plans. `batch plan <file>` makes one.',
      },
    ]
  }
}
