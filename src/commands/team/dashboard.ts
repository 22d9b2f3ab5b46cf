import { once } from 'node:events'
import { Flags } from '@oclif/core'
import { batchJournalOf, plansOf } from '../../lib/cli/batch/plans.ts'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { textView } from '../../lib/cli/output/view.ts'
import { Failure } from '../../lib/failure.ts'
import type { ResultOf } from '../../lib/result.ts'

type DashboardReady = ResultOf<typeof import('../../lib/dashboard/serve.ts').dashboardReadyResult>

export default class TeamDashboard extends PaydeskCommand<DashboardReady | undefined> {
  static override summary = 'Serve a dashboard of batches, unknown payments and approvals, until ^C.'
  static override description =
    `One read-only page on this machine's loopback; the printed address contains the token that opens it. Shows the
team's store if PAYDESK_STORE is set, else this machine's journal and plans.`
  static override examples = ['<%= config.bin %> team dashboard', '<%= config.bin %> team dashboard --port 8080 --json']

  static override flags = {
    port: Flags.integer({ description: 'port; 0 takes a free one', default: 0, min: 0, max: 65_535 }),
  }

  static override readonly result = async () => (await import('../../lib/dashboard/serve.ts')).dashboardReadyResult

  async run(): Promise<undefined> {
    const { flags } = await this.parse(TeamDashboard)
    const { random, clock } = this.edge
    const { DashboardReader } = await import('../../lib/cli/team/dashboard.ts')
    const { serveDashboard } = await import('../../lib/dashboard/serve.ts')
    const reader = new DashboardReader({ ...(await batchJournalOf(this)), plans: await plansOf(this), clock })
    const token = random.secret(24)
    // It is printed once; a refused address is told without it.
    this.output.redactor.hide(token)
    const { address, close } = await serveDashboard({
      ...{ port: flags.port, token, nonce: () => random.secret(16) },
      see: () => reader.read(),
      onTurnedAway: ({ method, target, status, why }) => this.output.warn(`${status} to ${method} ${target}: ${why}`),
    })
    this.closeAtEnd(close)
    const ready: DashboardReady = { event: 'ready', url: address, pid: process.pid }
    await this.output.document(ready, textView(`The dashboard, until ^C: ${address}`))
    if (!this.signal.aborted) await once(this.signal, 'abort')
    const how = this.signal.reason === 'SIGTERM' ? 'terminated' : 'interrupted'
    throw new Failure(how, 'the dashboard has stopped')
  }

  protected override readonly view = () => []
}
