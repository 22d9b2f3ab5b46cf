import type { CountResult } from '../../lib/batch/count.ts'
import { planArgs } from '../../lib/cli/batch/plans.ts'
import { runFlags, runWhole } from '../../lib/cli/batch/run.ts'
import { countView } from '../../lib/cli/batch/views.ts'
import { PaydeskCommand } from '../../lib/cli/command.ts'

export default class BatchResume extends PaydeskCommand<CountResult> {
  static override summary = 'Continue a plan: resolve unknown rows, then send the rest.'
  static override description =
    `Rows without a definite answer are sent again under the same ids, which the service recognises, so nothing is paid
twice; then rows that were turned away or did not leave this machine, then those still planned. Refused rows are not sent again:
mend them in a file of their own (\`batch results\`). Held ones are sent by their own id alone (\`resume\`). It asks for the same consent, and ends, as
\`batch run\` does. With --timeout no row is sent when that time is over, and what is left stays open.`
  static override examples = ['<%= config.bin %> batch resume b-3f9a1c2b7d10 --confirm "GEL 120.00 + USD 5.00"']

  static override args = planArgs

  static override flags = runFlags

  static override readonly result = async () => (await import('../../lib/batch/result.ts')).countResult

  async run(): Promise<CountResult> {
    const { args, flags } = await this.parse(BatchResume)
    return runWhole(this, args.plan, { ...flags, isBounded: true })
  }

  protected override readonly view = countView
}
