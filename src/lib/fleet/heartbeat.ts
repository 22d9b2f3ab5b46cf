/** The heartbeat of a worker: it stores who the worker is, which chunks it has, and when it was seen last. */

import type { RowEvent } from '../batch/run.ts'
import type { Clock } from '../edge.ts'
import { unpaidEnd } from '../journal/payment-end.ts'
import { type FleetWriter, forgetWorker, noteWorker } from '../store/team/fleet.ts'
import { type Chunk, chunkName } from '../store/team/queue.ts'

/** Milliseconds between two heartbeats of a worker whose chunks do not change. */
const betweenNotes = 15_000

/** The part of the store that a heartbeat uses. */
interface HeartbeatStore {
  readonly clock: Clock
  note<Result>(work: (db: FleetWriter) => Promise<Result>): Promise<Result>
}

export interface WorkerName {
  /** The process, unique in the team. */
  readonly id: string
  readonly queue: string
  readonly profile: string
}

export class Heartbeat {
  readonly #store: HeartbeatStore
  readonly #name: WorkerName
  readonly #startedAt: string
  readonly #chunks = new Set<string>()
  #accepted = 0
  #failed = 0
  #timer: NodeJS.Timeout | undefined

  constructor(store: HeartbeatStore, name: WorkerName) {
    this.#store = store
    this.#name = name
    this.#startedAt = this.#now()
  }

  async start(): Promise<void> {
    await this.#note()
    // A heartbeat that cannot be stored is stored the next time.
    this.#timer = setInterval(() => void this.#note().catch(() => undefined), betweenNotes)
    this.#timer.unref()
  }

  begin(chunk: Chunk): Promise<void> {
    this.#chunks.add(chunkName(chunk))
    return this.#note()
  }

  async end(chunk: Chunk): Promise<void> {
    this.#chunks.delete(chunkName(chunk))
    await this.#note()
  }

  /** True while the worker has no chunk. */
  get isIdle(): boolean {
    return this.#chunks.size === 0
  }

  /** A row has ended. */
  count({ row: { state, intent } }: RowEvent): void {
    const isTaken = (state === 'accepted' || state === 'exists') && (intent === null || unpaidEnd(intent) === null)
    if (isTaken) this.#accepted += 1
    else this.#failed += 1
  }

  /** The rows of this worker, and since when. */
  get sums() {
    return { startedAt: this.#startedAt, accepted: this.#accepted, failed: this.#failed }
  }

  /** Removes the worker from the store. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#store.note((db) => forgetWorker(db, this.#name.id))
  }

  #note(): Promise<void> {
    const { id, queue, profile } = this.#name
    return this.#store.note((db) =>
      noteWorker(db, {
        ...{ id, queue, profile },
        started_at: this.#startedAt,
        seen_at: this.#now(),
        chunks: JSON.stringify([...this.#chunks].toSorted()),
        accepted: this.#accepted,
        failed: this.#failed,
      }),
    )
  }

  #now(): string {
    return new Date(this.#store.clock.now()).toISOString()
  }
}
