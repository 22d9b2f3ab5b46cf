import { Args } from '@oclif/core'
import { type CountTold, countTold } from '../../lib/batch/rows/told.ts'
import { BatchAccess } from '../../lib/cli/batch/plans.ts'
import { countView } from '../../lib/cli/batch/views.ts'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import type { View } from '../../lib/cli/views/view.ts'

export default class BatchStatus extends PaydeskCommand<CountTold> {
  static override summary = 'Count the rows of a plan by state, as the journal knows them.'
  static override description = 'The service is not asked: `batch wait` asks it whether accepted payouts are final.'
  static override examples = ['<%= config.bin %> batch status b-3f9a1c2b7d10 --json']

  static override args = {
    plan: Args.string({ ignoreStdin: true, required: true, description: 'a plan id, such as b-3f9a1c2b7d10' }),
  }

  static override readonly result = async () => (await import('../../lib/batch/result.ts')).countResult

  readonly #batch = new BatchAccess(this)

  async run(): Promise<CountTold> {
    const { args } = await this.parse(BatchStatus)
    const { store, plan } = await this.#batch.plan(args.plan)
    const { countOf } = await import('../../lib/batch/run/run.ts')
    return countTold(plan, await countOf({ ...(await this.#batch.view(plan)), store }))
  }

  protected override view(told: CountTold): View {
    return countView(told)
  }
}
