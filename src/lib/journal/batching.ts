/**
 * Write batching: what waits for the store at the same time is done in one transaction. A run opens and closes its rows side by side,
 * and what is asked for many of them at once costs little more than for one.
 */
import type { Clock } from '../edge.ts'
import { Failure } from '../failure.ts'
import type { Store } from '../store/engine/store.ts'
import type { JournalTables, JournalWriter } from '../store/journal/schema.ts'

/** The end of one of several: a failure is its own, and undoes nothing of the others. */
export type Ending<Result> = { readonly result: Result } | { readonly failure: unknown }

/** The end of a decision, which writes nothing. What is no decision is thrown: the transaction is lost with it. */
export async function decisionOf<Result>(decide: () => Promise<Result>): Promise<Ending<Result>> {
  try {
    return { result: await decide() }
  } catch (error) {
    if (error instanceof Failure) return { failure: error }
    throw error
  }
}

/** Gives an end for each wish, in their order. What it throws undoes all of it, and is the end of all. */
type Work<Wish, Result> = (db: JournalWriter, wishes: readonly Wish[]) => Promise<readonly Ending<Result>[]>

interface Waiting<Wish, Result> {
  readonly wish: Wish
  readonly resolve: (result: Result) => void
  readonly reject: (failure: unknown) => void
}

/** Wishes of one kind that one transaction sees to. */
interface Group {
  readonly size: number
  /** Sees to them, anew where the transaction has to be made anew; gives what tells them their ends. */
  readonly seeTo: (db: JournalWriter) => Promise<() => void>
  readonly fail: (failure: unknown) => void
}

/** Milliseconds that a transaction waits for more, where many come: answers do not come all at once, and each commit has its price. */
const patience = 8

export class Gathering {
  readonly #store: Pick<Store<JournalTables>, 'write'>
  readonly #clock: Pick<Clock, 'sleep'>
  readonly #kinds: (() => Group)[] = []
  #isCalled = false
  #comeTogether = false

  constructor(store: Pick<Store<JournalTables>, 'write'>, clock: Pick<Clock, 'sleep'>) {
    this.#store = store
    this.#clock = clock
  }

  /** Another kind of wishes, seen to after those before it. What it gives resolves when a wish is durable. */
  of<Wish, Result>(work: Work<Wish, Result>): (wish: Wish) => Promise<Result> {
    let waiting: Waiting<Wish, Result>[] = []
    this.#kinds.push(() => {
      const group = waiting
      waiting = []
      return groupOf(work, group)
    })
    return (wish) =>
      new Promise((resolve, reject) => {
        waiting.push({ wish, resolve, reject })
        if (!this.#isCalled) void this.#seeToAll()
      })
  }

  async #seeToAll(): Promise<void> {
    this.#isCalled = true
    let groups: readonly Group[] | null = null
    const taken = () => {
      groups ??= this.#takeAll()
      return groups
    }
    try {
      // One after the other: there is nothing to wait for.
      if (this.#comeTogether) await this.#clock.sleep(patience)
      const tell = await this.#store.write(async (db) => {
        const ends: (() => void)[] = []
        for (const { seeTo } of taken()) ends.push(await seeTo(db))
        return ends
      })
      for (const each of tell) each()
    } catch (failure) {
      for (const { fail } of taken()) fail(failure)
    }
  }

  #takeAll(): readonly Group[] {
    const groups = this.#kinds.map((take) => take()).filter(({ size }) => size > 0)
    this.#isCalled = false
    this.#comeTogether = groups.some(({ size }) => size > 1)
    return groups
  }
}

function groupOf<Wish, Result>(work: Work<Wish, Result>, group: readonly Waiting<Wish, Result>[]): Group {
  const wishes = group.map(({ wish }) => wish)
  return {
    size: group.length,
    seeTo: async (db) => {
      const ends = await work(db, wishes)
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
