/** The row of its own that every store has: what a transaction asks for before its work. */
import { CompiledQuery, type ControlledTransaction, type QueryExecutorProvider } from 'kysely'
import type { Clock, Steady } from '../../edge.ts'
import { notingSetting } from './chain.ts'
import type { OwnId } from './high-water-mark.ts'
import { type KnownServer, keeping, knownServer, type ServerKeeping } from './server.ts'

export interface OwnRow extends KnownServer, ServerKeeping, OwnId {
  readonly schema: number
}

const lockOwnRow: CompiledQuery<OwnRow> = CompiledQuery.raw(
  `select schema, store, commits::float8 as commits, ${keeping}, ${knownServer} from paydesk_store for update`,
)

/** The milliseconds since 1970, UTC, of a database, as SQL. */
export const databaseTime = 'floor(extract(epoch from clock_timestamp()) * 1000)::float8'

interface TimeRow {
  readonly time: number
}

const askTime: CompiledQuery<TimeRow> = CompiledQuery.raw(`select ${databaseTime} as time`)

function only<Row>([row]: readonly Row[]): Row {
  if (!row) throw new Error('the server gives no row')
  return row
}

/** The database's time, in milliseconds since 1970. */
export async function timeRow(db: QueryExecutorProvider): Promise<TimeRow> {
  return only((await db.getExecutor().executeQuery(askTime)).rows)
}

/** Milliseconds that a transaction may be idle at least: it goes back and forth. */
const shortestIdle = 250

/** Settings of a transaction. `patience`: milliseconds that it waits for others. To the server 0 is for ever, and so is half of one. */
function settingsFor(patience: number) {
  const whole = Math.max(1, Math.ceil(patience))
  return [
    ['lock_timeout', String(whole)],
    // One that sleeps with the lock is ended by the server, and begins anew when it wakes.
    ['idle_in_transaction_session_timeout', String(Math.max(shortestIdle, whole))],
    [notingSetting, 'on'],
  ] as const
}

/** Locks the store's own row in a transaction. The time is that before the lock was given. */
export async function lockStoreRow(
  db: QueryExecutorProvider,
  patience: number,
): Promise<{ readonly time: number; readonly own: OwnRow }> {
  const settings = settingsFor(patience)
  const set = settings.map(([name, value]) => `set_config('${name}', '${value}', true)`).join(', ')
  const executor = db.getExecutor()
  const asking: CompiledQuery<TimeRow> = CompiledQuery.raw(`select ${databaseTime} as time, ${set}`)
  const { time } = only((await executor.executeQuery<TimeRow>(asking)).rows)
  const own = only((await executor.executeQuery<OwnRow>(lockOwnRow)).rows)
  return { time, own }
}

/**
 * The last commit of each writer, as it counts its own: a commit whose answer was lost is there or not. Whoever looks holds the lock of
 * the store's own row, and takes the next number, so that the lost one can never come later.
 */
export const writerTable =
  'create table paydesk_writers (writer text primary key, turn bigint not null, seen_at bigint not null)'

/** A writer, and the number of its commit. */
export interface Turn {
  readonly writer: string
  readonly turn: number
}

/** Milliseconds for which a writer is remembered, and commits between two looks for those that may be forgotten. */
export const writerMemory = 7 * 24 * 60 * 60 * 1000
export const betweenForgetting = 256

const countOne = CompiledQuery.raw('update paydesk_store set commits = commits + 1')
const takeTurn = `insert into paydesk_writers (writer, turn, seen_at) values ($1, $2, $3)
  on conflict (writer) do update set turn = excluded.turn, seen_at = excluded.seen_at`

async function run(db: QueryExecutorProvider, query: CompiledQuery): Promise<void> {
  await db.getExecutor().executeQuery(query)
}

/** Counts a commit, and takes its turn: the last thing that a transaction does. `now`: milliseconds of the database. */
export async function countCommit(
  db: QueryExecutorProvider,
  { commits }: Pick<OwnRow, 'commits'>,
  { writer, turn }: Turn,
  now: number,
): Promise<void> {
  await run(db, countOne)
  await run(db, CompiledQuery.raw(takeTurn, [writer, turn, now]))
  if (commits % betweenForgetting !== 0) return
  await run(db, CompiledQuery.raw('delete from paydesk_writers where seen_at < $1', [now - writerMemory]))
}

/**
 * True if the commit with this number stands; false if it was undone, and then it is never made. In a transaction that has locked the
 * store's own row: whatever was under way has ended.
 */
export async function hasCommitted(db: QueryExecutorProvider, { writer, turn }: Turn, now: number): Promise<boolean> {
  const query: CompiledQuery<{ readonly turn: number }> = CompiledQuery.raw(
    'select cast(turn as float8) as turn from paydesk_writers where writer = $1',
    [writer],
  )
  const [last] = (await db.getExecutor().executeQuery(query)).rows
  if (last?.turn === turn) return true
  await run(db, CompiledQuery.raw(takeTurn, [writer, turn + 1, now]))
  return false
}

/** Undoes a transaction, if it is still there, and gives its connection back. */
export async function rollBack<Tables>(transaction: ControlledTransaction<Tables>): Promise<void> {
  await transaction
    .rollback()
    .execute()
    .catch(() => undefined)
}

/** A reading of the database's clock, and the moment here before it was asked for. */
export interface Reading {
  readonly told: number
  readonly at: { readonly now: number; readonly steady: Steady | null }
}

/** Milliseconds that asking may take; a reading that came later is asked for once more. */
const promptly = 2_000

/**
 * The clock of a database, for all that is counted from one machine to another: leases, and the windows of limits and guards. A
 * transaction asks for it in its first statement; until the next one it goes on by the time since this machine started, which no
 * setting of its clock moves. It is never behind the database's.
 */
export class DatabaseClock {
  readonly #machine: Clock
  #reading: Reading | null = null

  constructor(machine: Clock) {
    this.#machine = machine
  }

  /** Asks with `ask`, which gives the database's time. */
  async read<Row extends { readonly time: number }>(ask: () => Promise<Row>): Promise<Row> {
    for (let tries = 1; ; tries += 1) {
      const at = this.moment()
      const row = await ask()
      this.#reading = { told: row.time, at }
      if (this.#since(at) <= promptly || tries === 3) return row
    }
  }

  /** The moment here, before the database's time is told in passing. */
  moment(): Reading['at'] {
    return { now: this.#machine.now(), steady: this.#machine.steady() }
  }

  /** The time that the database told behind a moment here; one that came late says little. */
  note(told: number, at: Reading['at']): void {
    if (this.#since(at) <= promptly) this.#reading = { told, at }
  }

  /** For a journal: it does not sleep by it, and the time since the start is that of this machine. */
  get clock(): Clock {
    return {
      now: () => this.#now(),
      steady: () => this.#machine.steady(),
      sleep: (milliseconds, signal) => this.#machine.sleep(milliseconds, signal),
    }
  }

  #now(): number {
    if (!this.#reading) throw new Error('the time of the database was not asked for')
    return this.#reading.told + this.#since(this.#reading.at)
  }

  /** Milliseconds since a moment here: by the steady time, where there is one. */
  #since({ now, steady }: Reading['at']): number {
    const present = this.#machine.steady()
    if (steady && present?.boot === steady.boot) return present.milliseconds - steady.milliseconds
    return this.#machine.now() - now
  }
}
