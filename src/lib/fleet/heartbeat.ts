/** The presence of a worker, as the store has it: who it is, what it has in work, and when it was seen last. */

import type { RowEvent } from '../batch/run.ts'
import type { Clock } from '../edge.ts'
import { unpaidEnd } from '../journal/payment-end.ts'
import { type FleetWriter, forgetWorker, noteWorker } from '../store/fleet/fleet.ts'
import { type Chunk, chunkName } from '../store/fleet/queue.ts'

/** Milliseconds between two notes of a worker that goes on with what it has. */
const betweenNotes = 15_000

/** The store, as far as presence needs it. */
interface HeartbeatStore {
  readonly clock: Clock
  write<Result>(work: (db: FleetWriter) => Promise<Result>): Promise<Result>
}

export interface WorkerName {
  /** The process among all of the team. */
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

  /** From now on it is seen. */
  async start(): Promise<void> {
    await this.#note()
    // A note that cannot be written now is written the next time.
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

  /** True while it has no chunk in work. */
  get isIdle(): boolean {
    return this.#chunks.size === 0
  }

  /** One row is through. */
  count({ row: { state, intent } }: RowEvent): void {
    const isTaken = (state === 'accepted' || state === 'exists') && (intent === null || unpaidEnd(intent) === null)
    if (isTaken) this.#accepted += 1
    else this.#failed += 1
  }

  /** The rows that went through it, and since when. */
  get sums() {
    return { startedAt: this.#startedAt, accepted: this.#accepted, failed: this.#failed }
  }

  /** It is there no more. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#store.write((db) => forgetWorker(db, this.#name.id))
  }

  #note(): Promise<void> {
    const { id, queue, profile } = this.#name
    return this.#store.write((db) =>
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
