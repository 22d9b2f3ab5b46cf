/**
 * Write batching: what waits for the store at the same time is done in one transaction. A run opens and closes its rows side by side,
 * and what is asked for many of them at once costs little more than for one.
 */
import type { Clock } from '../edge.ts'
import { Failure } from '../failure.ts'
import type { Store } from '../store/engine/store.ts'
import type { JournalTables, JournalWriter } from '../store/journal/schema.ts'

/** The result of one of several: its failure undoes nothing of the others. */
export type Settled<Result> = { readonly result: Result } | { readonly failure: unknown }

/** Tries a decision, which writes nothing. An error that is no Failure is thrown: the transaction is lost with it. */
export async function tryDecide<Result>(decide: () => Promise<Result>): Promise<Settled<Result>> {
  try {
    return { result: await decide() }
  } catch (error) {
    if (error instanceof Failure) return { failure: error }
    throw error
  }
}

/** Gives a result for each request, in their order. What it throws undoes all of it, and fails all of them. */
type Work<Request, Result> = (db: JournalWriter, requests: readonly Request[]) => Promise<readonly Settled<Result>[]>

interface Waiting<Request, Result> {
  readonly request: Request
  readonly resolve: (result: Result) => void
  readonly reject: (failure: unknown) => void
}

/** Requests of one kind, for one transaction. */
interface Group {
  readonly size: number
  /** Runs them, again where the transaction has to be made again. Gives what tells them their results. */
  readonly run: (db: JournalWriter) => Promise<() => void>
  readonly fail: (failure: unknown) => void
}

/** Milliseconds that a transaction waits for more, where many come: answers do not come all at once, and each commit has its price. */
const patience = 8

export class Batcher {
  readonly #store: Pick<Store<JournalTables>, 'write'>
  readonly #clock: Pick<Clock, 'sleep'>
  readonly #kinds: (() => Group)[] = []
  #isScheduled = false
  #isBusy = false

  constructor(store: Pick<Store<JournalTables>, 'write'>, clock: Pick<Clock, 'sleep'>) {
    this.#store = store
    this.#clock = clock
  }

  /** Adds a kind of requests, run after the kinds before it. A request resolves when it is durable. */
  add<Request, Result>(work: Work<Request, Result>): (request: Request) => Promise<Result> {
    let waiting: Waiting<Request, Result>[] = []
    this.#kinds.push(() => {
      const group = waiting
      waiting = []
      return makeGroup(work, group)
    })
    return (request) =>
      new Promise((resolve, reject) => {
        waiting.push({ request, resolve, reject })
        if (!this.#isScheduled) void this.#flush()
      })
  }

  async #flush(): Promise<void> {
    this.#isScheduled = true
    let groups: readonly Group[] | null = null
    const taken = () => {
      groups ??= this.#takeAll()
      return groups
    }
    try {
      // One after the other: there is nothing to wait for.
      if (this.#isBusy) await this.#clock.sleep(patience)
      const settle = await this.#store.write(async (db) => {
        const ends: (() => void)[] = []
        for (const { run } of taken()) ends.push(await run(db))
        return ends
      })
      for (const each of settle) each()
    } catch (failure) {
      for (const { fail } of taken()) fail(failure)
    }
  }

  #takeAll(): readonly Group[] {
    const groups = this.#kinds.map((take) => take()).filter(({ size }) => size > 0)
    this.#isScheduled = false
    this.#isBusy = groups.some(({ size }) => size > 1)
    return groups
  }
}

function makeGroup<Request, Result>(work: Work<Request, Result>, group: readonly Waiting<Request, Result>[]): Group {
  const requests = group.map(({ request }) => request)
  return {
    size: group.length,
    run: async (db) => {
      const ends = await work(db, requests)
      return () => {
        for (const [at, { resolve, reject }] of group.entries()) {
          const end = ends[at]
          if (end && 'result' in end) resolve(end.result)
          else reject(end?.failure)
        }
      }
    },
    fail: (failure) => {
      for (const { reject } of group) reject(failure)
    },
  }
}
