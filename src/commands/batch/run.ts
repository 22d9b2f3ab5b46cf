import { Args } from '@oclif/core'
import type { CountResult } from '../../lib/batch/count.ts'
import { askForFileToPlan } from '../../lib/cli/batch/planning.ts'
import { handingFlags, runFlags, runWhole } from '../../lib/cli/batch/run.ts'
import { countView } from '../../lib/cli/batch/views.ts'
import { PaydeskCommand } from '../../lib/cli/command.ts'

export default class BatchRun extends PaydeskCommand<CountResult> {
  static override summary = 'Pay the rows of a plan.'
  static override description =
    `Sends every row that was not sent before, after you confirm the totals. Stops early if the token is refused,
the balance is used up, --max-failures is reached, or ten rows in a row have no answer; ^C lets requests in
flight end. Exit code 0: all accepted; 9: a row is unknown; 10: a row was refused or not sent; 13: the plan is
held. Guide: docs/how-to/pay-a-file.md`
  static override examples = [
    '<%= config.bin %> batch run b-3f9a1c2b7d10 --confirm "GEL 120.00 + USD 5.00"',
    '<%= config.bin %> batch run b-3f9a1c2b7d10 --yes --rate 50/s --output ndjson',
    '<%= config.bin %> batch run b-3f9a1c2b7d10 --confirm "GEL 120.00" --workers',
  ]

  static override args = {
    plan: Args.string({
      ignoreStdin: true,
      description: 'a plan id, such as b-3f9a1c2b7d10; without it, a terminal asks for a file',
    }),
  }

  static override flags = { ...runFlags, ...handingFlags }

  static override readonly result = async () => (await import('../../lib/batch/result.ts')).countResult

  async run(): Promise<CountResult> {
    const { args, flags } = await this.parse(BatchRun)
    const planId = args.plan ?? (await askForFileToPlan(this, flags))
    return runWhole(this, planId, flags)
  }

  protected override readonly view = countView
}
