import { Flags } from '@oclif/core'
import type { StatusResult } from '../../lib/batch/status.ts'
import { planArgs, planOf, plansOf, viewOfPlan } from '../../lib/cli/batch/plans.ts'
import { statusView } from '../../lib/cli/batch/views.ts'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { sharedFlags } from '../../lib/cli/flags/shared.ts'
import { forms, isSheetForm } from '../../lib/cli/output/choice.ts'
import { textView, type View } from '../../lib/cli/output/view.ts'
import { Failure } from '../../lib/failure.ts'

export default class BatchStatus extends PaydeskCommand<StatusResult | undefined> {
  static override summary = 'Count the rows of a plan by state, once or until it ends.'
  static override description =
    `Uses the journal only: \`batch wait\` asks the service. --watch shows every change (with --json one line each)
until no more rows are sent, and ends with the exit code of the run, 8 after --timeout, 130 after ^C (the run
goes on). --output prometheus prints metrics.`
  static override examples = [
    '<%= config.bin %> batch status b-3f9a1c2b7d10 --json',
    '<%= config.bin %> batch status b-3f9a1c2b7d10 --watch',
    '<%= config.bin %> batch status b-3f9a1c2b7d10 --output prometheus > /var/lib/node_exporter/payroll.prom',
  ]

  static override args = planArgs

  static override flags = {
    watch: Flags.boolean({ char: 'w', description: 'show every change until no more rows are sent' }),
    output: Flags.option({ options: [...forms, 'prometheus'] as const })({
      description: sharedFlags.output.description ?? '',
    }),
  }

  static override readonly result = async () => (await import('../../lib/batch/result.ts')).statusResult

  #figures: string | null = null

  async run(): Promise<StatusResult | undefined> {
    const { args, flags } = await this.parse(BatchStatus)
    const isFigures = this.line.value('--output') === 'prometheus' && !flags.json
    if (flags.watch && (isFigures || isSheetForm(flags.output)))
      throw new Failure('usage', `--watch prints one change at a time: use --output json, not ${flags.output}`)
    const { store, plan } = await planOf(this, args.plan)
    const parts = { ...(await viewOfPlan(this, plan)), plans: await plansOf(this), store, plan }
    if (flags.watch) {
      const { watchPlan } = await import('../../lib/cli/batch/watch.ts')
      await watchPlan(this, parts, flags.timeout)
      return undefined
    }
    const { readStatus, statusResultOf } = await import('../../lib/batch/status.ts')
    const told = statusResultOf(plan, await readStatus(parts))
    if (isFigures) this.#figures = await (await import('../../lib/cli/batch/watch.ts')).planFigures(told)
    return told
  }

  protected override view(told: StatusResult | undefined): View {
    if (told === undefined) return []
    return this.#figures === null ? statusView(told) : textView(this.#figures.trimEnd())
  }
}
