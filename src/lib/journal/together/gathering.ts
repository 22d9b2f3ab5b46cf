/**
 * Wishes of one kind that wait at the same time, seen to in one transaction: a run opens and closes its rows side by side, and
 * what is asked for all of them at once costs little more than for one.
 */
import type { Transaction } from 'kysely'
import { Failure } from '../../failure.ts'
import type { Store } from '../../store/engine/store.ts'

/** The end of one of several: a failure is its own, and undoes nothing of the others. */
export type End<Result> = { readonly result: Result } | { readonly failure: unknown }

/** The end of a decision, which writes nothing. What is no decision is thrown: the transaction is lost with it. */
export async function endOf<Result>(decide: () => Promise<Result>): Promise<End<Result>> {
  try {
    return { result: await decide() }
  } catch (error) {
    if (error instanceof Failure) return { failure: error }
    throw error
  }
}

interface Waiting<Wish, Result> {
  readonly wish: Wish
  readonly resolve: (result: Result) => void
  readonly reject: (failure: unknown) => void
}

export class Gathering<Tables, Wish, Result> {
  readonly #store: Pick<Store<Tables>, 'write'>
  readonly #work: (db: Transaction<Tables>, wishes: readonly Wish[]) => Promise<readonly End<Result>[]>
  #waiting: Waiting<Wish, Result>[] = []

  /** `work` gives an end for each wish, in their order. What it throws undoes all of it, and is the end of all. */
  constructor(
    store: Pick<Store<Tables>, 'write'>,
    work: (db: Transaction<Tables>, wishes: readonly Wish[]) => Promise<readonly End<Result>[]>,
  ) {
    this.#store = store
    this.#work = work
  }

  /** Resolves when it is durable. */
  ask(wish: Wish): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ wish, resolve, reject })
      if (this.#waiting.length === 1) void this.#seeToAll()
    })
  }

  async #seeToAll(): Promise<void> {
    let group: readonly Waiting<Wish, Result>[] | null = null
    try {
      const ends = await this.#store.write((db) => {
        // A transaction that has to be made anew is made for the same ones.
        group ??= this.#takeAll()
        return this.#work(
          db,
          group.map(({ wish }) => wish),
        )
      })
      for (const [at, { resolve, reject }] of this.#taken(group).entries()) {
        const end = ends[at]
        if (end && 'result' in end) resolve(end.result)
        else reject(end?.failure)
      }
    } catch (failure) {
      for (const { reject } of this.#taken(group)) reject(failure)
    }
  }

  #taken(group: readonly Waiting<Wish, Result>[] | null): readonly Waiting<Wish, Result>[] {
    return group ?? this.#takeAll()
  }

  #takeAll(): readonly Waiting<Wish, Result>[] {
    const all = this.#waiting
    this.#waiting = []
    return all
  }
}
