import { Args } from '@oclif/core'
import type { PlanResult } from '../../lib/batch/plan-file.ts'
import { planningFlags, planTheFile } from '../../lib/cli/batch/planning.ts'
import { BatchAccess } from '../../lib/cli/batch/plans.ts'
import { planView } from '../../lib/cli/batch/views.ts'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import type { View } from '../../lib/cli/output/view.ts'

export default class BatchPlan extends PaydeskCommand<PlanResult> {
  static override summary = 'Plan the payouts of a file: ids, totals, and what to look at before agreeing to it.'
  static override description =
    `Nothing is sent. Every row gets its id: with --key-column (or an EndToEndId) exactly as \`payout create --key\` gives it,
without one from --name, what the row asks for, and its place among rows alike. So a mended file pays each row once.
It warns of what does not fit the limits of the profile. A plan is good for 24 hours; planning the same file again renews it. The same file again while it is good ends with 7, the plan on stdout. A file whose bytes or rows another plan has is refused (7), whatever its keys, unless --again is given,
it has no keys and another --name, or that plan was discarded unsent; rows that were definitely refused do not count.`
  static override examples = [
    '<%= config.bin %> batch plan payroll.csv --key-column employee',
    '<%= config.bin %> batch plan payroll.csv --name 2026-11 --json --query planId',
  ]

  static override args = {
    file: Args.string({ ignoreStdin: true, required: true, description: 'CSV, NDJSON, XLSX or pain.001' }),
  }

  static override flags = planningFlags

  static override readonly result = async () => (await import('../../lib/batch/result.ts')).planResult

  readonly #batch = new BatchAccess(this)

  async run(): Promise<PlanResult> {
    const { args, flags } = await this.parse(BatchPlan)
    const { plan, told, moneyMoved, isKnown } = await planTheFile(this, this.#batch, args.file, flags)
    if (!isKnown) return told
    const { plannedAlreadyFailure } = await import('../../lib/batch/plan-file.ts')
    throw plannedAlreadyFailure(plan, told, moneyMoved)
  }

  protected override view(planned: PlanResult): View {
    return planView(planned)
  }
}
