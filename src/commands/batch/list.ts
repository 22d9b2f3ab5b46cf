import type { ListedPlan } from '../../lib/batch/plan-result.ts'
import { plansOf } from '../../lib/cli/batch/plans.ts'
import { totalInWords } from '../../lib/cli/batch/views.ts'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { type Labels, tableOf } from '../../lib/cli/output/view.ts'

export default class BatchList extends PaydeskCommand<ListedPlan[]> {
  static override summary = 'List the plans of this machine or team, newest first.'
  static override examples = ['<%= config.bin %> batch list']

  static override readonly result = async () => (await import('../../lib/batch/result.ts')).planListResult

  async run(): Promise<ListedPlan[]> {
    const { flags } = await this.parse(BatchList)
    const { listPlans } = await import('../../lib/batch/plan-result.ts')
    const plans = await listPlans(await plansOf(this))
    return flags.profile === undefined ? plans : plans.filter(({ profile }) => profile === flags.profile)
  }

  protected override readonly view = (plans: ListedPlan[]) => [
    tableOf(plans, columns, 'No plans. `batch plan <file>` makes one.'),
  ]
}

const columns: Labels<ListedPlan> = {
  plan: 'planId',
  planned: 'plannedAt',
  file: 'file',
  rows: 'rows',
  total: totalInWords,
  profile: 'profile',
  state: ({ isDiscarded, isStale, expiresAt }) =>
    isDiscarded ? 'discarded' : isStale ? 'expired' : `open until ${expiresAt}`,
}
