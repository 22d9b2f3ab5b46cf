/**
 * A worker: it takes chunks of the plans that were handed to the fleet, and runs their rows by the way of every run
 * (src/lib/batch/run/run.ts). Two chunks at a time share its lanes, so that no lane waits for the last rows of one.
 */
import type { Plan } from '../batch/plan/plan.ts'
import type { PlansInTeam } from '../batch/plans/in-team.ts'
import { openPlan } from '../batch/plans/plans.ts'
import { Lanes } from '../batch/run/lanes.ts'
import type { Pace } from '../batch/run/pace.ts'
import { Rounds } from '../batch/run/rounds.ts'
import { type RowEvent, type RunParts, runPlan } from '../batch/run/run.ts'
import type { SeenRows } from '../batch/run/seen.ts'
import { Stopping } from '../batch/run/stop.ts'
import { mustBeUnchanged } from '../batch/run/unchanged.ts'
import { heldWhole } from '../batch/run/whole.ts'
import type { Desk } from '../desk/desk.ts'
import type { Clock } from '../edge.ts'
import { Failure } from '../failure.ts'
import type { ThisProcess } from '../journal/lease.ts'
import type { Job } from '../store/team/queue.ts'
import { numbersOf } from './chunk.ts'
import type { Fleet } from './fleet.ts'
import { HeldRows } from './held-rows.ts'
import { type Left, leftBy } from './left.ts'
import { pacing } from './pacing.ts'
import type { Presence } from './presence.ts'
import type { ChunkLines, WorkerEvent } from './told.ts'
import { Turns } from './turns.ts'
import { steadyNow, watched } from './watch.ts'
import { WholePlans } from './whole-plans.ts'

export interface WorkerParts {
  readonly fleet: Fleet
  readonly plans: PlansInTeam
  readonly desk: Desk
  readonly holding: ThisProcess
  /** Stores answers that the store could not take when they came. */
  readonly flushOutbox: () => Promise<number>
  /** Gives free what is held and done with. Gives how many are still held. */
  readonly leave: () => Promise<number>
  readonly pace: Pace
  readonly clock: Clock
  readonly presence: Presence
  readonly concurrency: number
  /** Ends the worker: what is in flight ends by itself, and nothing more is taken. */
  readonly signal: AbortSignal
  readonly tell: (event: WorkerEvent) => void
  readonly lines: ChunkLines
}

/** Milliseconds until a worker looks again where there is nothing to do. */
const idle = 1_000

/** Milliseconds until it tries again where the store or the line is away. */
const away = 5_000

/** Chunks that one worker has at a time. */
const atOnce = 2

export class Worker {
  readonly #parts: WorkerParts
  readonly #lanes: Lanes
  /** Plans that were seen to be what was agreed to. */
  readonly #unchanged = new WholePlans<SeenRows>()
  /** Plans that were held whole against limits and rules: null where nothing holds them. */
  readonly #held = new WholePlans<Failure | null>()
  readonly #rowsHeld: HeldRows
  #failure: Failure | null = null

  constructor(parts: WorkerParts) {
    this.#parts = parts
    this.#lanes = new Lanes(parts.concurrency, new Rounds())
    this.#rowsHeld = new HeldRows(parts.leave, parts.presence)
  }

  /** Works until the signal. Throws what no other chunk would escape: credentials (4), a store of a newer build (2). */
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
        // The store is away: whatever was in work is left to its leases, and the next chunk to a later time.
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
      await this.#rowsHeld.giveFree()
      await fleet.sweep(async (planId) => (await openPlan(plans, planId).catch(() => null))?.plan ?? null)
      await this.#pause(idle)
      return
    }
    let left: Left
    this.#rowsHeld.mayCome()
    try {
      await presence.begin(job)
      left = await this.#chunk(job)
      await (left.isDone ? fleet.queue.done(job) : fleet.queue.giveBack(job))
    } finally {
      await presence.end(job)
    }
    // Not before others can take it.
    if (left.trouble !== undefined) await this.#waitFor(left.trouble)
  }

  async #chunk(job: Job): Promise<Left> {
    const { fleet, plans, desk, clock } = this.#parts
    const since = steadyNow(clock)
    const handed = await fleet.handed(job.planId)
    if (!handed || handed.stopped !== null || handed.ended_at !== null) return { isDone: true }
    const { store, plan } = await openPlan(plans, job.planId)
    const stopping = new Stopping(null)
    try {
      const seen = await this.#unchanged.of(plan, handed, () => mustBeUnchanged(desk.journal, store, plan))
      const heldOf = () => this.#held.of(plan, handed, () => heldWhole({ ...this.#parts, store, plan, isShared: true }))
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
    stopping: Stopping,
  ): Promise<void> {
    const { fleet, plans, desk, holding, pace, presence, concurrency, signal, tell } = this.#parts
    const stop = () => stopping.because({ kind: 'signal' })
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    const store = plans.part(plan.planId, numbersOf(chunk))
    const turns = new Turns(fleet, plan.planId, rate, store.clock)
    const watch = watched(fleet, plan.planId, stopping, this.#parts.clock, since)
    const line = this.#parts.lines.begin()
    const parts = {
      ...{ desk: { ...desk, ending: stopping.signal }, holding, store, plan, ...whole, stopping },
      ...{ isShared: true, isOver: watch.isOver, watch: line.watch },
      pace: pacing(turns, pace, watch.ask, this.#parts.clock, rate),
      tell: (row: RowEvent) => {
        presence.count(row)
        tell({ event: 'row', planId: plan.planId, row })
      },
    }
    try {
      await runPlan(parts, concurrency, this.#lanes)
    } finally {
      watch.end()
      line.end()
      signal.removeEventListener('abort', stop)
      await turns.end()
    }
  }

  /** The reason that stopped a chunk stops the plan for the fleet, unless it is this machine's own trouble. */
  async #ended({ planId }: Plan, { reason }: Stopping): Promise<Left> {
    const failure = reason && 'failure' in reason ? reason.failure : null
    if (failure?.kind === 'credentials') this.#failure ??= failure
    const left = leftBy(reason)
    if (left) return left
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
