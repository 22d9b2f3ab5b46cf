/**
 * A worker of a team: it takes chunks of plans that were handed to the fleet, and runs their rows as every run does
 * (src/lib/batch/run.ts). Three chunks at a time share its concurrency limit, so that no request waits for the last rows of one chunk.
 */
import { findPlanHold } from '../batch/limits.ts'
import { type AgreedRows, verifyPlan } from '../batch/make-plan.ts'
import type { Plan } from '../batch/plan.ts'
import { openPlan } from '../batch/plans.ts'
import type { RateLimiter } from '../batch/rate-limiter.ts'
import { type RowEvent, type RunParts, runPlan } from '../batch/run.ts'
import { ConcurrencyLimiter, EventLoopTurns, type Scheduler } from '../batch/scheduler.ts'
import { type Stop, StopDecision } from '../batch/stop.ts'
import type { PlansInTeam } from '../batch/team-plans.ts'
import type { Desk } from '../desk/desk.ts'
import { type Clock, steadyNow } from '../edge.ts'
import { Failure } from '../failure.ts'
import type { ThisProcess } from '../journal/lease.ts'
import type { Job } from '../store/team/queue.ts'
import type { HandedRow } from '../store/team/schema.ts'
import { type Fleet, numbersOf } from './fleet.ts'
import type { Heartbeat } from './heartbeat.ts'
import { fleetRateLimit, SharedRate } from './rate-limiter.ts'

interface WorkerParts {
  readonly fleet: Fleet
  readonly plans: PlansInTeam
  readonly desk: Desk
  readonly leaseHolder: ThisProcess
  /** Stores answers of which the store was not told when they came. */
  readonly flushOutbox: () => Promise<number>
  /** Releases leases that are not needed any more. Gives the number of leases that are left. */
  readonly leave: () => Promise<number>
  readonly limiter: RateLimiter
  readonly clock: Clock
  readonly presence: Heartbeat
  readonly concurrency: number
  /** Ends the worker: rows in flight end by themselves, and no more are taken. */
  readonly signal: AbortSignal
  readonly tell: (event: WorkerEvent) => void
  readonly lines: RunningChunks
}

/** Milliseconds until a worker looks for rows again. */
const idle = 1_000

/** Milliseconds until it tries again, if the store or the service is down. */
const away = 5_000

/** Chunks of one worker at a time. */
const atOnce = 3

export class Worker {
  readonly #parts: WorkerParts
  readonly #limiter: ConcurrencyLimiter
  /** Plans whose hash was verified. */
  readonly #unchanged = new PlanChecks<AgreedRows>()
  /** Plans that were checked against limits and rules, with the failure that holds them. */
  readonly #held = new PlanChecks<Failure | null>()
  /** True if leases of ended chunks may be left, because the store was down when they were to be released. */
  #mayHoldLeases = false
  #failure: Failure | null = null

  constructor(parts: WorkerParts) {
    this.#parts = parts
    this.#limiter = new ConcurrencyLimiter(parts.concurrency, new EventLoopTurns())
  }

  /** Works until the signal. Throws a failure that every other chunk would meet, too: credentials (4), a store of a newer build (2). */
  async work(): Promise<void> {
    await Promise.all(Array.from({ length: atOnce }, () => this.#slot()))
    if (this.#failure) throw this.#failure
  }

  get #isOver(): boolean {
    return this.#parts.signal.aborted || this.#failure !== null
  }

  async #slot(): Promise<void> {
    while (!this.#isOver) {
      try {
        await this.#next()
      } catch (error) {
        // The store is down: rows in work are left to their leases.
        if (!(error instanceof Failure) || error.kind !== 'unsent') throw error
        await this.#waitFor(error.message)
      }
    }
  }

  async #next(): Promise<void> {
    const { fleet, plans, presence, flushOutbox, tell } = this.#parts
    const answers = await flushOutbox()
    if (answers > 0) tell({ event: 'stored', answers })
    const job = await fleet.queue.take()
    if (!job) {
      await this.#releaseLeases()
      await fleet.sweep(async (planId) => (await openPlan(plans, planId).catch(() => null))?.plan ?? null)
      await this.#pause(idle)
      return
    }
    let end: ChunkEnd
    this.#mayHoldLeases = true
    try {
      await presence.begin(job)
      end = await this.#chunk(job)
      await (end.isDone ? fleet.queue.done(job) : fleet.queue.giveBack(job))
    } finally {
      await presence.end(job)
    }
    // Only after other workers can take it.
    if (end.trouble !== undefined) await this.#waitFor(end.trouble)
  }

  /** Releases the leases of ended chunks. If the store is away, it is asked again the next time. */
  async #releaseLeases(): Promise<void> {
    const { presence, leave } = this.#parts
    if (!this.#mayHoldLeases || !presence.isIdle) return
    this.#mayHoldLeases = false
    const held = await leave().catch(() => null)
    if (held !== 0) this.#mayHoldLeases = true
  }

  async #chunk(job: Job): Promise<ChunkEnd> {
    const { fleet, plans, desk, clock } = this.#parts
    const since = steadyNow(clock)
    const handed = await fleet.handed(job.planId)
    if (!handed || handed.stopped !== null || handed.ended_at !== null) return { isDone: true }
    const { store, plan } = await openPlan(plans, job.planId)
    const stopping = new StopDecision(null)
    try {
      const seen = await this.#unchanged.of(plan, handed, () => verifyPlan(desk.journal, store, plan))
      const heldOf = () =>
        this.#held.of(plan, handed, () => findPlanHold({ ...this.#parts, store, plan, isShared: true }))
      const allowDuplicates = handed.allow_duplicates === 1
      await this.#rows(job, { plan, seen, heldOf, allowDuplicates }, { since, rate: handed.rate }, stopping)
    } catch (error) {
      if (!(error instanceof Failure) || error.kind === 'unsent') throw error
      stopping.because({ kind: 'failure', failure: error })
    }
    return this.#ended(plan, stopping)
  }

  async #rows(
    { chunk }: Job,
    { plan, ...whole }: Pick<RunParts, 'plan' | 'seen' | 'heldOf' | 'allowDuplicates'>,
    { since, rate }: { readonly since: number; readonly rate: number | null },
    stopping: StopDecision,
  ): Promise<void> {
    const { fleet, plans, desk, leaseHolder, limiter, presence, concurrency, signal, tell } = this.#parts
    const stop = () => stopping.because({ kind: 'signal' })
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    const store = await plans.open(plan.planId, numbersOf(chunk))
    const sharedRate = new SharedRate(fleet, plan.planId, rate, store.clock)
    const watch = watchPlan(fleet, plan.planId, stopping, this.#parts.clock, since)
    const line = this.#parts.lines.begin()
    const parts = {
      ...{ desk: { ...desk, ending: stopping.signal }, leaseHolder, store, plan, ...whole, stopping },
      ...{ isShared: true, isOver: watch.isOver, watch: line.watch },
      rate: fleetRateLimit(sharedRate, limiter, watch.ask, this.#parts.clock, rate),
      tell: (row: RowEvent) => {
        presence.count(row)
        tell({ event: 'row', planId: plan.planId, row })
      },
    }
    try {
      await runPlan(parts, concurrency, this.#limiter)
    } finally {
      watch.end()
      line.end()
      signal.removeEventListener('abort', stop)
      await sharedRate.end()
    }
  }

  /** What stopped a chunk stops the plan for the whole fleet, unless it concerns this machine only. */
  async #ended({ planId }: Plan, { reason }: StopDecision): Promise<ChunkEnd> {
    const failure = reason && 'failure' in reason ? reason.failure : null
    if (failure?.kind === 'credentials') this.#failure ??= failure
    const end = endOfChunk(reason)
    if (end) return end
    const why = reason && 'why' in reason ? reason.why : (failure?.message ?? '')
    const outdated = await this.#parts.fleet.stop(planId, why, failure?.kind ?? null)
    if (outdated) {
      this.#failure ??= outdated
      return { isDone: false }
    }
    this.#parts.tell({ event: 'stopped', planId, why })
    return { isDone: true }
  }

  async #waitFor(why: string): Promise<void> {
    this.#parts.tell({ event: 'waiting', why })
    await this.#pause(away)
  }

  async #pause(milliseconds: number): Promise<void> {
    await this.#parts.clock.sleep(milliseconds, this.#parts.signal).catch(() => undefined)
  }
}

// While a worker has rows of a plan, it checks whether the plan was stopped or taken back.

/** Milliseconds between two checks. */
const betweenLooks = 1_000

/** Milliseconds after which a check is too old to send a row: this process may have slept. */
const oldestLook = 10_000

/** Milliseconds after which nothing is sent: other workers take over after a minute without a heartbeat. */
const overAfter = 30_000

interface PlanWatch {
  /** Resolves if the next row may be sent; checks anew if the last check is old. */
  readonly ask: () => Promise<void>
  /** True if others may have taken over the rows of this worker by now. */
  readonly isOver: () => boolean
  readonly end: () => void
}

/** Ends `stopping` when the plan was stopped or taken back. `since`: the time before the first check. */
export function watchPlan(
  fleet: Pick<Fleet, 'handed'>,
  planId: string,
  stopping: StopDecision,
  clock: Clock,
  since: number,
): PlanWatch {
  let last = since
  const look = async () => {
    // If this process slept during the answer, the answer is old.
    const asked = steadyNow(clock)
    const handed = await fleet.handed(planId)
    last = Math.max(last, asked)
    const why = handed === null ? 'it was taken back' : handed.stopped
    if (why !== null) stopping.because({ kind: 'enough', why })
  }
  const over = new AbortController()
  const looking = async () => {
    while (!over.signal.aborted) {
      await clock.sleep(betweenLooks, over.signal).catch(() => undefined)
      if (!over.signal.aborted) await look().catch(() => undefined)
    }
  }
  void looking()
  return {
    async ask() {
      while (steadyNow(clock) - last > oldestLook && !stopping.reason) {
        await look().catch((error) => {
          if (!(error instanceof Failure)) throw error
          stopping.because({ kind: 'failure', failure: error })
        })
      }
      if (stopping.reason) throw new Error('nothing more of the plan is sent')
    },
    isOver: () => steadyNow(clock) - last > overAfter,
    end: () => over.abort(),
  }
}

/** The end of a chunk. */
interface ChunkEnd {
  /** False if another worker should take it. */
  readonly isDone: boolean
  /** Why this machine cannot send now. */
  readonly trouble?: string
}

/** Null if the reason stops the plan for the whole fleet. */
function endOfChunk(reason: Stop | null): ChunkEnd | null {
  if (reason === null) return { isDone: true }
  if (reason.kind === 'signal') return { isDone: false }
  // Other machines may reach the service.
  if (reason.kind === 'enough') return reason.isOfHere ? { isDone: false, trouble: reason.why } : null
  const { kind, message } = reason.failure
  if (kind === 'unsent') return { isDone: false, trouble: message }
  return kind === 'credentials' ? { isDone: false } : null
}

/** Plans whose checks are remembered. A worker runs for months, and a check keeps data of each row. */
const mostRemembered = 20

/** The checks of whole plans, made before the first row and each time that a plan was handed over. */
export class PlanChecks<Result> {
  readonly #made = new Map<string, { readonly handedAt: string; readonly result: Promise<Result> }>()

  /** The chunks of a plan share a check. A failed check is repeated, because the store may have been down. */
  of({ planId }: Pick<Plan, 'planId'>, { handed_at }: HandedRow, check: () => Promise<Result>): Promise<Result> {
    const known = this.#made.get(planId)
    if (known?.handedAt === handed_at) return known.result
    const made = { handedAt: handed_at, result: check() }
    this.#made.delete(planId)
    this.#made.set(planId, made)
    const [oldest] = this.#made.keys()
    if (this.#made.size > mostRemembered && oldest !== undefined) this.#made.delete(oldest)
    made.result.catch(() => {
      if (this.#made.get(planId) === made) this.#made.delete(planId)
    })
    return made.result
  }
}

export type WorkerEvent =
  | { readonly event: 'row'; readonly planId: string; readonly row: RowEvent }
  | { readonly event: 'stopped'; readonly planId: string; readonly why: string }
  | { readonly event: 'waiting'; readonly why: string }
  | { readonly event: 'stored'; readonly answers: number }

type Line = Pick<Scheduler, 'underWay'>

/** The schedulers of the chunks that are running. */
export class RunningChunks {
  readonly #lines = new Set<Line>()

  /** Begins a chunk. `watch` takes its scheduler, `end` is called after its last row. */
  begin(): { readonly watch: (line: Line) => void; readonly end: () => void } {
    let own: Line | null = null
    return {
      watch: (line) => {
        own = line
        this.#lines.add(line)
      },
      end: () => {
        if (own) this.#lines.delete(own)
      },
    }
  }

  /** Rows that may have been executed, and wait for their next attempt. */
  get pausing(): number {
    return [...this.#lines].reduce((sum, { underWay }) => sum + underWay.pausing, 0)
  }
}
