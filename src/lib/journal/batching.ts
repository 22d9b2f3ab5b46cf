/**
 * Write batching: attempts that wait for the store at the same time are opened and finished in one commit. A run opens and closes its
 * rows side by side, and what is asked for many of them at once costs little more than for one.
 */
import type { Clock } from '../edge.ts'
import { Failure } from '../failure.ts'
import type { Store } from '../store/engine/store.ts'
import type { JournalTables, JournalWriter } from '../store/journal/schema.ts'
import type { Beginning, ToBegin, ToFinish } from './attempts.ts'
import type { Intent } from './intent.ts'
import type { PlannedCommit } from './whole-commit.ts'

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

interface Waiting<Request, Result> {
  readonly request: Request
  readonly resolve: (result: Result) => void
  readonly reject: (failure: unknown) => void
}

/** Requests of one kind that are done together. */
class Group<Request, Result> {
  readonly #waiting: Waiting<Request, Result>[] = []

  add(request: Request): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject })
    })
  }

  get requests(): readonly Request[] {
    return this.#waiting.map(({ request }) => request)
  }

  settle(ends: readonly Settled<Result>[]): void {
    for (const [at, { resolve, reject }] of this.#waiting.entries()) {
      const end = ends[at]
      if (end && 'result' in end) resolve(end.result)
      else reject(end?.failure)
    }
  }

  fail(failure: unknown): void {
    for (const { reject } of this.#waiting) reject(failure)
  }
}

/** How attempts are finished and opened. Both give a result for each request, in their order; what they throw fails all of them. */
interface AttemptWork {
  readonly finish: (db: JournalWriter, all: readonly ToFinish[]) => Promise<readonly Settled<Intent>[]>
  readonly begin: (db: JournalWriter, all: readonly ToBegin[]) => Promise<readonly Settled<Beginning>[]>
  /** The commit of all, if the store can decide on it by itself. */
  readonly plan: (ends: readonly ToFinish[], begins: readonly ToBegin[]) => PlannedCommit | null
}

/** Milliseconds that a commit waits for more, where many come: answers do not come all at once, and each commit has its price. */
const patience = 12

export class AttemptBatcher {
  readonly #store: Pick<Store<JournalTables>, 'write' | 'commitWhole'>
  readonly #clock: Pick<Clock, 'sleep'>
  readonly #work: AttemptWork
  #waiting = newGroups()
  #isScheduled = false
  #isBusy = false

  constructor(
    store: Pick<Store<JournalTables>, 'write' | 'commitWhole'>,
    clock: Pick<Clock, 'sleep'>,
    work: AttemptWork,
  ) {
    this.#store = store
    this.#clock = clock
    this.#work = work
  }

  /** Resolves when it is durable. */
  finish(request: ToFinish): Promise<Intent> {
    return this.#scheduled(this.#waiting.ends.add(request))
  }

  /** Resolves when it is durable. */
  begin(request: ToBegin): Promise<Beginning> {
    return this.#scheduled(this.#waiting.begins.add(request))
  }

  #scheduled<Result>(result: Promise<Result>): Promise<Result> {
    if (!this.#isScheduled) void this.#flush()
    return result
  }

  async #flush(): Promise<void> {
    this.#isScheduled = true
    let groups: Groups | null = null
    // What comes until it is their turn goes along.
    const taken = () => {
      groups ??= this.#take()
      return groups
    }
    try {
      // One after the other: there is nothing to wait for.
      if (this.#isBusy) await this.#clock.sleep(patience)
      const settle = (await this.#commitWhole(taken)) ?? (await this.#commitDecided(taken))
      settle()
    } catch (failure) {
      const { ends, begins } = taken()
      ends.fail(failure)
      begins.fail(failure)
    }
  }

  #take(): Groups {
    const taken = this.#waiting
    this.#waiting = newGroups()
    this.#isScheduled = false
    this.#isBusy = Math.max(taken.ends.requests.length, taken.begins.requests.length) > 1
    return taken
  }

  /** Null where a transaction has to decide. */
  async #commitWhole(taken: () => Groups): Promise<(() => void) | null> {
    const { commitWhole } = this.#store
    if (!commitWhole) return null
    const made: { planned: PlannedCommit | null } = { planned: null }
    const isMade = await commitWhole(() => {
      const { ends, begins } = taken()
      made.planned = this.#work.plan(ends.requests, begins.requests)
      return made.planned?.commit ?? null
    })
    const { planned } = made
    if (!isMade || !planned) return null
    return () => {
      taken().ends.settle(planned.ends.map((result) => ({ result })))
      taken().begins.settle(planned.begun.map((result) => ({ result })))
    }
  }

  #commitDecided(taken: () => Groups): Promise<() => void> {
    const { finish, begin } = this.#work
    return this.#store.write(async (db) => {
      const { ends, begins } = taken()
      // First what is over: limits count less by then.
      const finished = ends.requests.length === 0 ? [] : await finish(db, ends.requests)
      const begun = begins.requests.length === 0 ? [] : await begin(db, begins.requests)
      return () => {
        ends.settle(finished)
        begins.settle(begun)
      }
    })
  }
}

interface Groups {
  readonly ends: Group<ToFinish, Intent>
  readonly begins: Group<ToBegin, Beginning>
}

function newGroups(): Groups {
  return { ends: new Group(), begins: new Group() }
}
