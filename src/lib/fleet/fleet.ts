/** The fleet of a team: plans are handed to its workers, which take their rows in chunks from a queue in the team's store. */
import { createHash } from 'node:crypto'
import type { Lease } from '../batch/lease.ts'
import type { Plan } from '../batch/plan.ts'
import { PlansInTeam } from '../batch/team-plans.ts'
import type { WriteOperation } from '../contract/operation.ts'
import { createPayout } from '../contract/payout/payout.ts'
import { originOf, type ServicePlace } from '../contract/service.ts'
import { scopeOf } from '../desk/new-intent.ts'
import type { Failure } from '../failure.ts'
import { type ThisProcess, thisProcess } from '../journal/lease.ts'
import type { ResultOf } from '../result.ts'
import type { TeamSettings, TeamStore } from '../store/postgres/store.ts'
import {
  changeHanded,
  chunksIn,
  type FleetWriter,
  forgetWorker,
  giveTurnsBack,
  handedPlan,
  handPlan,
  hasLeased,
  markSwept,
  openChunks,
  rowOfPlan,
  takeTurns,
  unseenAtMost,
  unsweptPlans,
  workersSince,
} from '../store/team/fleet.ts'
import { chunkName, JobQueue } from '../store/team/queue.ts'
import { type FleetTables, type HandedRow, openTeam, type WorkerRow } from '../store/team/schema.ts'
import type { workerListResult } from './result.ts'

const payout: WriteOperation = createPayout

/** Milliseconds between two searches for rows that stand in no queue. */
const betweenSweeps = 60_000

/** The queue of a client: a worker takes only rows that its profile can send. */
export function queueOf(place: ServicePlace): string {
  const { environment, serviceId, clientId } = scopeOf(place)
  const named = JSON.stringify([environment, serviceId, clientId])
  return `rows-${createHash('sha256').update(named).digest('hex').slice(0, 16)}`
}

/** The part of the queue that a fleet uses. */
type Queue = Pick<JobQueue, 'name' | 'add' | 'take' | 'done' | 'giveBack'>

export class Fleet {
  readonly #store: TeamStore<FleetTables>
  readonly #queue: Queue
  readonly #leaseHolder: ThisProcess

  constructor(store: TeamStore<FleetTables>, queue: Queue, leaseHolder: ThisProcess) {
    this.#leaseHolder = leaseHolder
    this.#store = store
    this.#queue = queue
  }

  get queue(): Queue {
    return this.#queue
  }

  /**
   * Hands a plan to the workers of its client: all chunks with rows left to send. `rate`: rows a second of the whole fleet. Throws
   * locked (12) if another process has taken the lease.
   */
  handOver(
    plan: Plan,
    { rate, allowDuplicates = false }: { readonly rate: number | null; readonly allowDuplicates?: boolean },
    lease: Pick<Lease, 'mustBeOurs'>,
  ): Promise<void> {
    return this.#store.write(async (db) => {
      lease.mustBeOurs(await rowOfPlan(db, plan.planId), 'it was not handed over')
      const now = this.#ago(0)
      const row: HandedRow = {
        ...{ plan_id: plan.planId, queue: this.#queue.name, handed_at: now, rate },
        ...{ stopped: null, stopped_kind: null, ended_at: null, swept_at: now, next_turn: null },
        allow_duplicates: allowDuplicates ? 1 : 0,
      }
      await handPlan(db, row)
      await this.#lookThrough(db, plan, { isFirst: true, gone: [] })
    })
  }

  handed(planId: string): Promise<HandedRow | null> {
    return this.#store.ask((db) => handedPlan(db, planId))
  }

  /**
   * Stops a plan: no worker takes more of it. The first reason stays. `kind`: of the failure that is the reason. Gives the failure (2)
   * of a build that is older than the store, which must not stop the plan for others.
   */
  stop(planId: string, stopped: string, kind: Failure['kind'] | null): Promise<Failure | null> {
    return this.#store.write(async (db) => {
      if (this.#store.outdated) return this.#store.outdated
      const row = await handedPlan(db, planId)
      const isAtWork = row?.stopped === null && row.ended_at === null
      if (isAtWork) await changeHanded(db, planId, { stopped, stopped_kind: kind })
      return null
    })
  }

  /** Nothing of the plan is left to send. */
  end(planId: string): Promise<void> {
    return this.#store.write((db) => changeHanded(db, planId, { ended_at: this.#ago(0) }))
  }

  /**
   * Queues rows that are left to send and stand in no queue: of every plan where a worker of this machine has died, else of plans that
   * were not searched for a minute.
   */
  async sweep(planOf: (planId: string) => Promise<Plan | null>): Promise<void> {
    const gone = await this.#gone()
    const before = this.#ago(gone.length > 0 ? 0 : betweenSweeps)
    const due = await this.#store.ask((db) => unsweptPlans(db, this.#queue.name, before))
    for (const { plan_id } of due) {
      const plan = await planOf(plan_id)
      if (!plan) continue
      await this.#store.note(async (db) => {
        // Another worker may have searched meanwhile.
        if (await markSwept(db, plan_id, before, this.#ago(0)))
          await this.#lookThrough(db, plan, { isFirst: false, gone })
      }, 'one moment')
    }
    if (gone.length > 0) {
      await this.#store.note(async (db) => {
        for (const id of gone) await forgetWorker(db, id)
      })
    }
  }

  /** The names of workers of this queue whose processes have died on this machine. */
  async #gone(): Promise<readonly string[]> {
    const seen = await this.#store.ask((db) => workersSince(db, ''))
    const own = seen.filter(({ id, queue }) => queue === this.#queue.name && this.#leaseHolder.standing(id) === 'gone')
    return own.map(({ id }) => id)
  }

  /** Takes turns for so many rows from the rate of the fleet: the time of the first (milliseconds since 1970), and the interval. Null without a rate. */
  turns(planId: string, rows: number): Promise<{ readonly first: number; readonly between: number } | null> {
    return this.#store.note(async (db) => {
      const taken = await takeTurns(db, planId, rows, this.#store.clock.now())
      if (taken === null) return null
      const between = 1000 / taken.rate
      return { first: taken.next_turn - rows * between, between }
    })
  }

  /** Gives unused turns back. */
  giveBack(planId: string, rows: number): Promise<void> {
    return this.#store.note((db) => giveTurnsBack(db, planId, rows))
  }

  /** The running workers of all clients. */
  async workers(): Promise<readonly WorkerRow[]> {
    return this.#alive(await this.#store.ask((db) => workersSince(db, this.#ago(unseenAtMost))))
  }

  /** `isFirst`: rows that were refused since the plan was made are tried once more. `gone`: leases of these workers are over. */
  async #lookThrough(
    db: FleetWriter,
    plan: Plan,
    { isFirst, gone }: { readonly isFirst: boolean; readonly gone: readonly string[] },
  ): Promise<void> {
    const now = this.#ago(0)
    const { environment, service, serviceId, clientId } = scopeOf(plan)
    const client = {
      operation: payout.name,
      environment,
      client_id: clientId,
      service_id: serviceId,
      origin: originOf(service),
    }
    const open = await openChunks(db, { planId: plan.planId, rowsPerChunk, now, everyRefused: isFirst, gone }, client)
    const seen = this.#alive(await workersSince(db, this.#ago(unseenAtMost)))
    const inWork = new Set(seen.flatMap(({ chunks }) => chunksIn(chunks)))
    const mine = [...inWork].filter((name) => name.startsWith(`${plan.planId}:`))
    const chunks = open.map((chunk) => ({ planId: plan.planId, chunk })).filter((each) => !inWork.has(chunkName(each)))
    await this.#queue.add(db, chunks)
    const isOver = open.length === 0 && mine.length === 0 && !(await hasLeased(db, plan.planId, client))
    if (isOver) await changeHanded(db, plan.planId, { ended_at: now })
  }

  /** A worker of this machine that was killed is gone at once; any other after a while without a heartbeat. */
  #alive(workers: readonly WorkerRow[]): readonly WorkerRow[] {
    return workers.filter(({ id }) => this.#leaseHolder.standing(id) !== 'gone')
  }

  /** ISO text of the time so many milliseconds ago, by the clock of the store. */
  #ago(milliseconds: number): string {
    return new Date(this.#store.clock.now() - milliseconds).toISOString()
  }
}

// Chunks of a plan: what a worker takes at a time.

/** A worker that dies leaves few rows behind, and taking a chunk costs little for each row. */
const rowsPerChunk = 50

/** The first and the last row number of a chunk. */
export function numbersOf(chunk: number): { readonly from: number; readonly to: number } {
  return { from: chunk * rowsPerChunk, to: (chunk + 1) * rowsPerChunk - 1 }
}

// Opening the fleet of a team.

export interface OpenedFleet {
  readonly fleet: Fleet
  readonly plans: PlansInTeam
  readonly store: TeamStore<FleetTables>
  readonly close: () => Promise<void>
}

export type WorkerTold = ResultOf<typeof workerListResult>[number]

/** `place`: the client of the queue. `supervises`: this process maintains the queue. Throws a Failure as `openTeam`. */
export async function openFleet(
  address: string,
  settings: TeamSettings,
  { place, supervises }: { readonly place: ServicePlace; readonly supervises: boolean },
): Promise<OpenedFleet> {
  const store = await openTeam<FleetTables>(address, settings)
  try {
    const jobs = await JobQueue.open(store, queueOf(place), supervises)
    const close = async () => {
      await jobs.close()
      await store.close()
    }
    return { fleet: new Fleet(store, jobs, thisProcess('any-machine')), plans: new PlansInTeam(store), store, close }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** The workers of all clients with a heartbeat within the last minute. */
export async function workersOf(address: string, settings: TeamSettings): Promise<WorkerTold[]> {
  const store = await openTeam<FleetTables>(address, settings)
  try {
    const since = new Date(store.clock.now() - unseenAtMost).toISOString()
    const workers = await store.ask((db) => workersSince(db, since))
    return workers.map(({ id, profile, started_at, seen_at, chunks, accepted, failed }) => ({
      ...{ worker: id, profile, startedAt: started_at, seenAt: seen_at, accepted, failed },
      chunks: [...chunksIn(chunks)],
    }))
  } finally {
    await store.close()
  }
}
