import { Args } from '@oclif/core'
import type { CountResult } from '../../lib/batch/count.ts'
import { BatchAccess } from '../../lib/cli/batch/plans.ts'
import { runFlags, runWhole } from '../../lib/cli/batch/run.ts'
import { countView } from '../../lib/cli/batch/views.ts'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import type { View } from '../../lib/cli/output/view.ts'

export default class BatchResume extends PaydeskCommand<CountResult> {
  static override summary = 'Continue a plan: resolve unknown rows, then send the rest.'
  static override description =
    `Unknown rows are sent again under the same ids, so nothing is paid twice; then unsent rows follow. Refused
rows are not sent again: correct them in refused.csv (\`batch results\`). Held rows are sent with \`resume <id>\`.
Confirmation and exit codes are those of \`batch run\`.`
  static override examples = ['<%= config.bin %> batch resume b-3f9a1c2b7d10 --confirm "GEL 120.00 + USD 5.00"']

  static override args = {
    plan: Args.string({ ignoreStdin: true, required: true, description: 'a plan id, such as b-3f9a1c2b7d10' }),
  }

  static override flags = runFlags

  static override readonly result = async () => (await import('../../lib/batch/result.ts')).countResult

  readonly #batch = new BatchAccess(this)

  async run(): Promise<CountResult> {
    const { args, flags } = await this.parse(BatchResume)
    return runWhole(this, this.#batch, args.plan, flags)
  }

  protected override view(told: CountResult): View {
    return countView(told)
  }
}
