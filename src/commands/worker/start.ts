import { Flags } from '@oclif/core'
import { fleetOf, serveFigures, servingFlags } from '../../lib/cli/batch/fleet.ts'
import { openBatchDesk, stoppedWorker } from '../../lib/cli/batch/plans.ts'
import { rowEvent } from '../../lib/cli/batch/progress.ts'
import { countingInFlight, endingEvent } from '../../lib/cli/batch/run.ts'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { profileOf } from '../../lib/cli/desk/profile.ts'
import { factsOf } from '../../lib/cli/output/view.ts'
import type { WorkerEvent } from '../../lib/fleet/worker.ts'
import type { Journal } from '../../lib/journal/journal.ts'
import { printableJson } from '../../lib/json.ts'
import type { Profile } from '../../lib/profile/profile.ts'
import type { ResultOf } from '../../lib/result.ts'

type WorkerEnded = ResultOf<typeof import('../../lib/fleet/result.ts').workerEndedResult>

export default class WorkerStart extends PaydeskCommand<WorkerEnded> {
  static override summary = "Run a worker that pays rows of the team's plans, until ^C."
  static override description =
    `Pays rows of plans started with \`batch run --workers\`, for one profile, which every machine has under the same
name. SIGTERM or ^C lets requests in flight end (0). Logs JSON lines to stderr. --port serves /healthz,
/readyz and /metrics. Guide: docs/how-to/teams.md`
  static override examples = [
    'PAYDESK_STORE=postgres://… <%= config.bin %> worker start -p payroll --concurrency 16',
    'PAYDESK_STORE=postgres://… <%= config.bin %> worker start -p payroll --port 9464',
  ]

  static override flags = {
    concurrency: Flags.integer({
      description: 'requests in flight at the same time',
      default: 16,
      min: 1,
      max: 256,
    }),
    ...servingFlags,
  }

  static override readonly result = async () => (await import('../../lib/fleet/result.ts')).workerEndedResult

  async run(): Promise<WorkerEnded> {
    const { flags } = await this.parse(WorkerStart)
    const profile = await profileOf(this, flags, 'payouts')
    const { fleet, plans, store } = await fleetOf(this, profile, true)
    const { RateLimiter } = await import('../../lib/batch/rate-limiter.ts')
    const { Heartbeat } = await import('../../lib/fleet/heartbeat.ts')
    const { RunningChunks, Worker } = await import('../../lib/fleet/worker.ts')
    const { clock } = this.edge
    const limiter = new RateLimiter(clock, null)
    const { concurrency } = flags
    const opened = await openBatchDesk(this, profile, flags, { limiter, connections: concurrency })
    const { leaseHolder, flushOutbox, leave } = opened
    const figures = flags.port === undefined ? null : await this.#figures(opened.desk.journal, profile)
    const url = figures && (await serveFigures(this, figures, flags, (event) => this.#line(event)))
    const flight = countingInFlight(opened.desk.transport)
    const desk = { ...opened.desk, transport: figures ? figures.timing(flight.transport) : flight.transport }
    const presence = new Heartbeat(store, { id: leaseHolder.self, queue: fleet.queue.name, profile: profile.name })
    const { signal } = this
    const tell = (event: WorkerEvent) => {
      if (event.event === 'row') figures?.see(event.row)
      this.#tell(event)
    }
    const lines = new RunningChunks()
    const own = { presence, concurrency, signal, tell, lines }
    const parts = { fleet, plans, desk, leaseHolder, flushOutbox, leave, limiter, clock, ...own }
    const ending = () => this.#line(endingEvent({ flight, pausing: lines.pausing }, signal))
    if (!signal.aborted) signal.addEventListener('abort', ending, { once: true })
    await presence.start()
    this.#line({ event: 'ready', worker: leaseHolder.self, profile: profile.name, concurrency, url })
    try {
      this.lastWords = () => stoppedWorker
      await new Worker(parts).work()
    } finally {
      await presence.stop().catch(() => undefined)
    }
    return { worker: leaseHolder.self, profile: profile.name, ...presence.sums }
  }

  async #figures(journal: Journal, place: Profile) {
    const { WorkerMetrics } = await import('../../lib/fleet/metrics.ts')
    return new WorkerMetrics({ journal, place, clock: this.edge.clock, signal: this.signal })
  }

  #tell(event: WorkerEvent): void {
    if (event.event === 'row') {
      const { row, failure } = event.row
      this.#line({ event: 'row', planId: event.planId, ...rowEvent(row, {}), why: failure?.message ?? null })
    } else this.#line(event)
  }

  #line(event: object): void {
    const at = new Date(this.edge.clock.now()).toISOString()
    this.edge.stderr.write(`${this.output.redactor.clean(printableJson({ at, ...event }))}\n`)
  }

  protected override readonly view = (ended: WorkerEnded) => [
    factsOf(
      ended,
      { worker: 'worker', profile: 'profile', accepted: 'accepted', failed: 'failed' },
      'The worker has ended; none of its requests is in flight',
    ),
  ]
}
