import { Args } from '@oclif/core'
import type { CountResult } from '../../lib/batch/count.ts'
import { askForFileToPlan } from '../../lib/cli/batch/planning.ts'
import { BatchAccess } from '../../lib/cli/batch/plans.ts'
import { handingFlags, runFlags, runWhole } from '../../lib/cli/batch/run.ts'
import { countView } from '../../lib/cli/batch/views.ts'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import type { View } from '../../lib/cli/output/view.ts'

export default class BatchRun extends PaydeskCommand<CountResult> {
  static override summary = 'Pay the rows of a plan.'
  static override description =
    `Each row is a payout of its own, with its own id, journal entry and outcome; rows that were sent before are not sent
again. Consent is to the totals of the plan. One that does not fit the limits of its profile is held whole (13).
Payouts of the same sum to the same payee that something else has sent since it was planned stop it on live profiles (7), unless --allow-duplicates
is given; others warn. It stops by itself when the token is refused, the balance is gone, --max-failures is
reached, or ten rows in a row have no definite answer; what was not sent stays planned. ^C lets what is in flight end. Each row may take
--timeout (120 s). With --workers the rows are paid by the workers of the team (\`worker start\`), and ^C only ends the look at them. It ends with 0 (all accepted), 9 (a row is unknown), 10 (a row was refused or not sent), 4, 7, 12 or 13.`
  static override examples = [
    '<%= config.bin %> batch run b-3f9a1c2b7d10 --confirm "GEL 120.00 + USD 5.00"',
    '<%= config.bin %> batch run b-3f9a1c2b7d10 --yes --rate 50/s --output ndjson',
    '<%= config.bin %> batch run b-3f9a1c2b7d10 --confirm "GEL 120.00" --workers',
  ]

  static override args = {
    plan: Args.string({
      ignoreStdin: true,
      description: 'a plan id, such as b-3f9a1c2b7d10; a terminal asks for a file without one',
    }),
  }

  static override flags = { ...runFlags, ...handingFlags }

  static override readonly result = async () => (await import('../../lib/batch/result.ts')).countResult

  readonly #batch = new BatchAccess(this)

  async run(): Promise<CountResult> {
    const { args, flags } = await this.parse(BatchRun)
    const planId = args.plan ?? (await askForFileToPlan(this, this.#batch, flags))
    return runWhole(this, this.#batch, planId, flags)
  }

  protected override view(told: CountResult): View {
    return countView(told)
  }
}
