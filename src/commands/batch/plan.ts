import { Args } from '@oclif/core'
import type { PlanResult } from '../../lib/batch/plan-file.ts'
import { planningFlags, planTheFile } from '../../lib/cli/batch/planning.ts'
import { planView } from '../../lib/cli/batch/views.ts'
import { PaydeskCommand } from '../../lib/cli/command.ts'

export default class BatchPlan extends PaydeskCommand<PlanResult> {
  static override summary = 'Plan the payouts of a file: ids, totals and warnings.'
  static override description =
    `Nothing is sent. Every row gets an id from its idempotency key (--key-column or EndToEndId), else from --name
and its content, so a corrected file pays each row once. A plan is valid for 24 hours. A file or rows that
another plan already has are refused (7), unless you give --again "<reason>". Guide: docs/how-to/pay-a-file.md`
  static override examples = [
    '<%= config.bin %> batch plan payroll.csv --key-column employee',
    '<%= config.bin %> batch plan payroll.csv --name 2026-11 --json --query planId',
  ]

  static override args = {
    file: Args.string({ ignoreStdin: true, required: true, description: 'CSV, NDJSON, XLSX or pain.001' }),
  }

  static override flags = planningFlags

  static override readonly result = async () => (await import('../../lib/batch/result.ts')).planResult

  async run(): Promise<PlanResult> {
    const { args, flags } = await this.parse(BatchPlan)
    const { plan, result, moneyMoved, isKnown } = await planTheFile(this, args.file, flags)
    if (!isKnown) return result
    const { plannedAlreadyFailure } = await import('../../lib/batch/plan-file.ts')
    throw plannedAlreadyFailure(plan, result, moneyMoved)
  }

  protected override readonly view = planView
}
