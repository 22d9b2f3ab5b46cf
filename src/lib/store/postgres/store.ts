/**
 * A store in Postgres. A transaction locks the store's own row first: so it is alone from there on, and reads all that was
 * committed before, whatever pooler stands between. A commit whose answer was lost is asked for by its number and its stamp: it
 * stands, or it is undone and begun anew. Nothing outlives a transaction but its rows.
 */
import type { ControlledTransaction, Kysely, Transaction } from 'kysely'
import type { Clock } from '../../edge.ts'
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
  type AskedCommit,
  commitAsked,
  countCommit,
  DatabaseClock,
  isCommitted,
  lockStoreRow,
  type OwnRow,
  rollBack,
  timeRow,
} from './transaction.ts'

export interface TeamSettings {
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

/** The end of a transaction that was asked to commit. */
type Outcome<Result> = { readonly done: true; readonly result: Result } | { readonly done: false }

export class TeamStore<Tables> implements Store<Tables> {
  head: ChainHead | null = null
  outdated: Failure | null = null
  readonly #db: Kysely<Tables>
  readonly #schema: Schema
  readonly #place: string
  readonly #patience: number
  readonly #waiting: Pick<TeamSettings, 'signal' | 'away'>
  readonly #shared: Store<Tables>['write']
  readonly #time: DatabaseClock
  readonly #machine: Clock
  readonly #seen: LastSeen

  constructor(
    db: Kysely<Tables>,
    schema: Schema,
    { place, address }: { readonly place: string; readonly address: string },
    { patience = usualPatience, machine, marks, ...waiting }: TeamSettings,
  ) {
    this.#db = db
    this.#schema = schema
    this.#place = place
    this.#patience = patience
    this.#waiting = waiting
    this.#machine = machine
    this.#time = new DatabaseClock(machine)
    const named = { title: schema.title, place, isChained: schema.chained !== undefined }
    this.#seen = new LastSeen(named, marks === undefined ? null : new HighWaterMarks(marks, address))
    let before: Promise<unknown> = Promise.resolve()
    const inTurn = (work: () => Promise<void>): Promise<void> => {
      const mine = before.then(work, work)
      before = mine
      return mine
    }
    this.#shared = groupCommits<Tables>((work) => this.#commit(work), inTurn)
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

  async #commit<Result>(work: (db: Transaction<Tables>) => Promise<Result>): Promise<Result> {
    const outcome = await this.#patiently(async () => {
      const once = await this.#once(work)
      if (!once.done) throw Object.assign(new Error('the transaction was undone'), { code: '40001' })
      return once
    })
    return outcome.result
  }

  async #once<Result>(work: (db: Transaction<Tables>) => Promise<Result>): Promise<Outcome<Result>> {
    const transaction = await this.#db.startTransaction().execute()
    let done: { readonly result: Result; readonly link: ChainHead | null; readonly own: OwnRow }
    try {
      done = await this.#within(transaction, work)
    } catch (error) {
      await rollBack(transaction)
      throw error
    }
    const { result, link, own } = done
    if (!(await this.#committed(transaction, commitAsked(own)))) return { done: false }
    this.head = link ?? this.head
    this.#seen.raise({ store: own.store, commits: own.commits + 1 }, this.head)
    return { done: true, result }
  }

  async #within<Result>(db: ControlledTransaction<Tables>, work: (db: Transaction<Tables>) => Promise<Result>) {
    const { own } = await this.#time.read(() => lockStoreRow(db, this.#patience))
    const doubt = durabilityFailure(own, this.#schema.title, this.#place) ?? (await this.#doubt(db, own))
    if (doubt !== null) throw doubt
    this.outdated = own.schema === this.#schema.version ? null : otherVersion(this.#schema, this.#place, own.schema)
    const result = await work(db)
    const link = this.#schema.chained ? await linkOnServer(db) : null
    await db.executeQuery(countCommit(commitAsked(own)))
    return { result, link, own }
  }

  /** True if the transaction stands, whether its commit was answered or not; false if it was undone. */
  async #committed(transaction: ControlledTransaction<Tables>, asked: AskedCommit): Promise<boolean> {
    try {
      await transaction.commit().execute()
      return true
    } catch (error) {
      await rollBack(transaction)
      if (!isLost(error)) throw error
    }
    const stands = await this.#patiently(() => isCommitted(this.#db, asked))
    // Its answer would have told the head.
    if (stands) await this.#patiently(() => this.look())
    return stands
  }
}
