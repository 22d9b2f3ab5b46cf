/**
 * A store in Postgres. A transaction locks the store's own row first: so it is alone from there on, and reads all that was
 * committed before, whatever pooler stands between. A commit whose answer was lost is asked for by its number: it stands, or it
 * is undone and begun anew. Nothing outlives a transaction but its rows.
 */
import { CompiledQuery, type ControlledTransaction, type Kysely, type Transaction } from 'kysely'
import type { Clock } from '../../edge.ts'
import type { Failure } from '../../failure.ts'
import type { ChainHead } from '../chain/link.ts'
import { deferred } from '../engine/deferred.ts'
import { together } from '../engine/group-commit.ts'
import { ofOneMoment } from '../engine/one-moment.ts'
import type { Schema, Store } from '../engine/store.ts'
import { tooNew } from '../engine/store-error.ts'
import { headOnServer, linkOnServer, notingSetting } from './chain.ts'
import { DatabaseClock } from './clock.ts'
import { isLost, serverFault } from './fault.ts'
import { mustBeKnown } from './known-server.ts'
import { lockedOwnRow, timeRow } from './own-row.ts'
import { patiently } from './patience.ts'

export interface TeamSettings {
  /** The clock of this machine. */
  readonly machine: Clock
  /** Milliseconds that a statement waits for other writers, and a transaction for a server that is away. */
  readonly patience?: number
  /** Ends the waiting for a server that is away. */
  readonly signal?: AbortSignal
}

export const usualPatience = 60_000

const countOne = deferred(CompiledQuery.raw('update paydesk_store set commits = commits + 1'))

/** The end of a transaction that was asked to commit. */
type Outcome<Result> = { readonly done: true; readonly result: Result } | { readonly done: false }

/** Undoes a transaction, if it is still there, and gives its connection back. */
async function givenBack<Tables>(transaction: ControlledTransaction<Tables>): Promise<void> {
  await transaction
    .rollback()
    .execute()
    .catch(() => undefined)
}

export class TeamStore<Tables> implements Store<Tables> {
  head: ChainHead | null = null
  outdated: Failure | null = null
  readonly #db: Kysely<Tables>
  readonly #schema: Schema
  readonly #place: string
  readonly #patience: number
  readonly #signal: AbortSignal | undefined
  readonly #shared: Store<Tables>['write']
  readonly #time: DatabaseClock
  readonly #machine: Clock

  constructor(
    db: Kysely<Tables>,
    schema: Schema,
    place: string,
    { patience = usualPatience, machine, signal }: TeamSettings,
  ) {
    this.#db = db
    this.#schema = schema
    this.#place = place
    this.#patience = patience
    this.#signal = signal
    this.#machine = machine
    this.#time = new DatabaseClock(machine)
    let before: Promise<unknown> = Promise.resolve()
    const inTurn = (work: () => Promise<void>): Promise<void> => {
      const mine = before.then(work, work)
      before = mine
      return mine
    }
    this.#shared = together<Tables>((work) => this.#commit(work), inTurn)
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
    if (this.#schema.chained) this.head = await headOnServer(this.#db)
  }

  close(): Promise<void> {
    return this.#db.destroy()
  }

  async #told<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      throw serverFault(error, this.#schema.title, this.#place)
    }
  }

  /** Does what can be done again as long as the server is away. */
  #patiently<Result>(work: () => Promise<Result>): Promise<Result> {
    const waiting = { patience: this.#patience, clock: this.#machine, signal: this.#signal }
    return this.#told(() => patiently(work, waiting))
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
    let done: { readonly result: Result; readonly link: () => ChainHead | null; readonly number: string }
    try {
      done = await this.#within(transaction, work)
    } catch (error) {
      await givenBack(transaction)
      throw error
    }
    const { result, link, number } = done
    if (!(await this.#committed(transaction, number))) return { done: false }
    this.head = link() ?? this.head
    return { done: true, result }
  }

  async #within<Result>(db: ControlledTransaction<Tables>, work: (db: Transaction<Tables>) => Promise<Result>) {
    const settings = [
      ['lock_timeout', String(this.#patience)],
      // One that sleeps with the lock is ended by the server, and begins anew when it wakes.
      ['idle_in_transaction_session_timeout', String(this.#patience)],
      [notingSetting, 'on'],
    ] as const
    const { own } = await this.#time.read(() => lockedOwnRow(db, settings))
    mustBeKnown(own, this.#schema.title, this.#place)
    this.outdated = own.schema > this.#schema.migrations.length ? tooNew(this.#schema, this.#place, own.schema) : null
    const result = await work(db)
    const link = this.#schema.chained ? await linkOnServer(db) : () => null
    await db.executeQuery(countOne)
    return { result, link, number: own.transaction }
  }

  /** True if the transaction stands, whether its commit was answered or not; false if it was undone. */
  async #committed(transaction: ControlledTransaction<Tables>, number: string): Promise<boolean> {
    try {
      await transaction.commit().execute()
      return true
    } catch (error) {
      await givenBack(transaction)
      if (!isLost(error)) throw error
    }
    const stands = await this.#patiently(() => this.#status(number))
    // Its answer would have told the head.
    if (stands) await this.#patiently(() => this.look())
    return stands
  }

  async #status(number: string): Promise<boolean> {
    const query: CompiledQuery<{ readonly status: string | null }> = CompiledQuery.raw(
      'select pg_xact_status($1::xid8) as status',
      [number],
    )
    const [row] = (await this.#db.executeQuery(query)).rows
    if (row?.status === 'committed') return true
    if (row?.status === 'aborted') return false
    // The server still has it, or knows it no more: asked again, as long as there is patience.
    throw Object.assign(new Error(`the server does not say what came of the transaction ${number}`), { code: '08007' })
  }
}
