/**
 * A store in Postgres. A transaction locks the store's own row first: so it is alone from there on, and reads all that was
 * committed before, whatever pooler stands between. What a function of the schema can decide is one call instead: then nobody waits for
 * this process while the row is locked. A commit whose answer was lost is looked for under the lock: it stands, or it is undone and
 * begun anew. Nothing outlives a transaction but its rows.
 */
import { CompiledQuery, type ControlledTransaction, type Kysely, type Transaction } from 'kysely'
import { type Clock, type Random, realRandom } from '../../edge.ts'
import type { Failure } from '../../failure.ts'
import { type ChainHead, headOf } from '../chain/chain.ts'
import { otherVersion } from '../engine/failures.ts'
import { groupCommits } from '../engine/group-commit.ts'
import { ofOneMoment, type Schema, type Store } from '../engine/store.ts'
import { linkOnServer } from './chain.ts'
import { isLost, retryWhileAway, serverFault, usualPatience } from './faults.ts'
import { HighWaterMarks, LastSeen, type OwnId } from './high-water-mark.ts'
import { deniedFailure, isDenied } from './rights.ts'
import { type ConfirmedServer, confirmStore, durabilityFailure, serverDoubt, serverNow } from './server.ts'
import {
  countCommit,
  DatabaseClock,
  hasCommitted,
  lockStoreRow,
  type OwnRow,
  rollBack,
  type Turn,
  timeRow,
} from './transaction.ts'

export interface TeamSettings {
  /** Names the writer of commits. */
  readonly random?: Random
  /** The clock of this machine. */
  readonly machine: Clock
  /** Milliseconds that a statement waits for other writers, and a transaction for a server that is away. */
  readonly patience?: number
  /** Ends the waiting for a server that is away. */
  readonly signal?: AbortSignal
  /** Called when the server is waited for; what it gives back is called when that is over. */
  readonly away?: () => () => void
  /** Directory of what this machine has seen of stores; none where nothing is to be remembered. */
  readonly marks?: string
}

/** A schema with a function that decides and commits by itself: what it is called with, of a commit in the form of the schema. */
export interface TeamSchema extends Schema {
  readonly commitCall?: { readonly name: string; readonly request: (commit: object) => object }
}

/** What a function is told of the store as this process knows it. `at`: milliseconds, by the clock of the store. */
export interface KnownStore extends OwnId, Turn {
  readonly schema: number
  readonly patience: number
  readonly at: number
}

/** The answer of a function that has committed. */
interface CalledCommit {
  readonly time: number
  readonly commits: number
  readonly links: number | null
  readonly hash: string | null
}

/** The commit of a transaction does not wait for the disk. */
export const withoutFlush = CompiledQuery.raw("select set_config('synchronous_commit', 'off', true)")

/** The state of an error by which a function undoes what it has begun: a row is not as it was said to be. */
const refusedState = 'PD001'

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

export class TeamStore<Tables> implements Store<Tables> {
  head: ChainHead | null = null
  outdated: Failure | null = null
  readonly #db: Kysely<Tables>
  readonly #schema: TeamSchema
  readonly #place: string
  readonly #patience: number
  readonly #waiting: Pick<TeamSettings, 'signal' | 'away'>
  readonly #shared: Store<Tables>['write']
  readonly commitWhole?: NonNullable<Store<Tables>['commitWhole']>
  readonly #time: DatabaseClock
  readonly #machine: Clock
  readonly #seen: LastSeen
  readonly #writer: string
  #turn = 0
  #before: Promise<unknown> = Promise.resolve()

  constructor(
    db: Kysely<Tables>,
    schema: TeamSchema,
    { place, address }: { readonly place: string; readonly address: string },
    { patience = usualPatience, machine, marks, random = realRandom, ...waiting }: TeamSettings,
  ) {
    this.#writer = random.uuid()
    this.#db = db
    this.#schema = schema
    this.#place = place
    this.#patience = patience
    this.#waiting = waiting
    this.#machine = machine
    this.#time = new DatabaseClock(machine)
    const named = { title: schema.title, place, isChained: schema.chained !== undefined }
    this.#seen = new LastSeen(named, marks === undefined ? null : new HighWaterMarks(marks, address))
    const { commitCall } = schema
    if (commitCall) {
      this.commitWhole = (make) =>
        this.#told(() => this.#inTurn(() => this.#patiently(() => this.#called(commitCall, make))))
    }
    this.#shared = groupCommits<Tables>(
      (work) => this.#commit(work),
      (work) => this.#inTurn(work),
    )
  }

  read<Result>(work: (db: Transaction<Tables>) => Promise<Result>): Promise<Result> {
    return this.#patiently(() => ofOneMoment(this.#db).execute(work))
  }

  ask<Result>(statement: (db: Kysely<Tables>) => Promise<Result>): Promise<Result> {
    return this.#patiently(() => statement(this.#db))
  }

  lend<Result>(work: (db: Kysely<Tables>) => Promise<Result>): Promise<Result> {
    return this.#patiently(() => work(this.#db))
  }

  /** Writes that wait at the same time share a commit. */
  async write<Result>(work: (db: Transaction<Tables>) => Promise<Result>): Promise<Result> {
    return this.#told(() => this.#shared(work))
  }

  /**
   * A transaction whose rows no payment depends on: it takes no lock that other commits wait for, and need not be on the disk when it is
   * answered. `sees`: what it reads as of one moment, or of each statement.
   */
  note<Result>(
    work: (db: Transaction<Tables>) => Promise<Result>,
    sees: 'one moment' | 'each statement' = 'each statement',
  ): Promise<Result> {
    const isolation = sees === 'one moment' ? 'repeatable read' : 'read committed'
    return this.#patiently(() =>
      this.#db
        .transaction()
        .setIsolationLevel(isolation)
        .execute(async (db) => {
          await db.executeQuery(withoutFlush)
          return work(db)
        }),
    )
  }

  /** The clock of the database. */
  get clock(): Clock {
    return this.#time.clock
  }

  /** The head and the time as they stand in the store. */
  async look(): Promise<void> {
    await this.#time.read(() => timeRow(this.#db))
    if (this.#schema.chained) this.head = await headOf(this.#db)
  }

  /** Remembers it as it was found. A store that may lack something can be read; each write tells it. */
  async remember(found: OwnId): Promise<void> {
    if ((await this.#seen.doubt(this.#db, found)) === null) this.#seen.raise(found, this.head)
  }

  /** Takes the word of a person that it is whole where it is now. */
  async confirm(because: string): Promise<ConfirmedServer> {
    const { own, ...said } = await this.#patiently(() =>
      this.#db.transaction().execute(async (db) => {
        const { own: found } = await lockStoreRow(db, this.#patience)
        const isNew = (await this.#doubt(db, found)) !== null
        const ids = [found.store, ...this.#seen.known]
        const store = isNew ? await confirmStore(db, because, ids) : found.store
        return { isNew, ...(await serverNow(db)), because, own: { store, commits: found.commits } }
      }),
    )
    await this.remember(own)
    return said
  }

  close(): Promise<void> {
    return this.#db.destroy()
  }

  async #doubt(db: Transaction<Tables>, own: OwnRow): Promise<Failure | null> {
    return serverDoubt(own, this.#schema.title, this.#place) ?? (await this.#seen.doubt(db, own))
  }

  async #told<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      if (isDenied(error)) throw await deniedFailure(error, `${this.#schema.title} ${this.#place}`, this.#db)
      throw serverFault(error, this.#schema.title, this.#place)
    }
  }

  /** Does what can be done again as long as the server is away. */
  #patiently<Result>(work: () => Promise<Result>): Promise<Result> {
    const waiting = { ...this.#waiting, patience: this.#patience, clock: this.#machine }
    return this.#told(() => retryWhileAway(work, waiting))
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = this.#before.then(work, work)
    this.#before = mine.catch(() => undefined)
    return mine
  }

  get #nextTurn(): Turn {
    this.#turn += 1
    return { writer: this.#writer, turn: this.#turn }
  }

  async #called(
    { name, request: requestOf }: NonNullable<TeamSchema['commitCall']>,
    make: () => object | null,
  ): Promise<boolean> {
    const { trusted } = this.#seen
    const commit = trusted && make()
    // A store that is not trusted is looked at by a transaction.
    if (!trusted || !commit) return false
    const turn = this.#nextTurn
    const at = this.#time.moment()
    const own: KnownStore = {
      ...trusted,
      ...turn,
      schema: this.#schema.version,
      patience: this.#patience,
      at: this.clock.now(),
    }
    const query: CompiledQuery<{ readonly done: CalledCommit | null }> = CompiledQuery.raw(
      `select ${name}($1::jsonb, $2::jsonb) as done`,
      [JSON.stringify(own), JSON.stringify(requestOf(commit))],
    )
    try {
      const [answer] = (await this.#db.executeQuery(query)).rows
      const done = answer?.done ?? null
      if (done === null) return false
      this.#time.note(done.time, at)
      if (done.links !== null && done.hash !== null) this.head = { links: done.links, hash: done.hash }
      this.#seen.raise({ store: trusted.store, commits: done.commits }, this.head)
      return true
    } catch (error) {
      if (hasCode(error, refusedState)) return false
      if (!isLost(error)) throw error
    }
    if (!(await this.#hasCommitted(turn))) throw undone()
    return true
  }

  async #commit<Result>(work: (db: Transaction<Tables>) => Promise<Result>): Promise<Result> {
    return this.#patiently(() => this.#once(work))
  }

  async #once<Result>(work: (db: Transaction<Tables>) => Promise<Result>): Promise<Result> {
    const transaction = await this.#db.startTransaction().execute()
    const turn = this.#nextTurn
    let done: { readonly result: Result; readonly link: ChainHead | null; readonly own: OwnRow }
    try {
      done = await this.#within(transaction, work, turn)
    } catch (error) {
      await rollBack(transaction)
      throw error
    }
    const { result, link, own } = done
    if (!(await this.#committed(transaction, turn))) throw undone()
    this.head = link ?? this.head
    this.#seen.raise({ store: own.store, commits: own.commits + 1 }, this.head)
    return result
  }

  async #within<Result>(
    db: ControlledTransaction<Tables>,
    work: (db: Transaction<Tables>) => Promise<Result>,
    turn: Turn,
  ) {
    const own = await this.#locked(db)
    this.outdated = own.schema === this.#schema.version ? null : otherVersion(this.#schema, this.#place, own.schema)
    const result = await work(db)
    const link = this.#schema.chained ? await linkOnServer(db) : null
    await countCommit(db, own, turn, this.clock.now())
    return { result, link, own }
  }

  /** Locks the store's own row. Throws a Failure for a store that must not be written. */
  async #locked(db: Transaction<Tables>): Promise<OwnRow> {
    const { own } = await this.#time.read(() => lockStoreRow(db, this.#patience))
    const doubt = durabilityFailure(own, this.#schema.title, this.#place) ?? (await this.#doubt(db, own))
    if (doubt !== null) throw doubt
    return own
  }

  /** True if the transaction stands, whether its commit was answered or not; false if it was undone. */
  async #committed(transaction: ControlledTransaction<Tables>, turn: Turn): Promise<boolean> {
    try {
      await transaction.commit().execute()
      return true
    } catch (error) {
      await rollBack(transaction)
      if (!isLost(error)) throw error
    }
    return this.#hasCommitted(turn)
  }

  /** Asks for a commit whose answer was lost. One that does not stand never will. */
  async #hasCommitted(turn: Turn): Promise<boolean> {
    const stands = await this.#patiently(() =>
      this.#db.transaction().execute(async (db) => {
        await this.#locked(db)
        return hasCommitted(db, turn, this.clock.now())
      }),
    )
    if (!stands) this.#turn = turn.turn + 1
    // Its answer would have told the head.
    else await this.#patiently(() => this.look())
    return stands
  }
}

function undone(): Error {
  return Object.assign(new Error('the transaction was undone'), { code: '40001' })
}
