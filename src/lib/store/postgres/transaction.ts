/** The row of its own that every store has: what a transaction asks for before its work. */
import { CompiledQuery, type ControlledTransaction, type QueryExecutorProvider } from 'kysely'
import type { Clock, Steady } from '../../edge.ts'
import { notingSetting } from './chain.ts'
import type { OwnId } from './high-water-mark.ts'
import { type KnownServer, keeping, knownServer, type ServerKeeping } from './server.ts'

export interface OwnRow extends KnownServer, ServerKeeping, OwnId {
  readonly schema: number
  /** The number of the transaction, as long as its server lives. */
  readonly transaction: string
  /** A text that no other transaction has. */
  readonly stamp: string
}

/** The question about a commit whose answer was lost. */
export function commitAsked({ transaction, stamp, commits }: OwnRow): AskedCommit {
  return { transaction, stamp, place: commits + 1 }
}

const lockOwnRow: CompiledQuery<OwnRow> = CompiledQuery.raw(
  `select schema, store, commits::float8 as commits, pg_current_xact_id()::text as transaction,
    gen_random_uuid()::text as stamp, ${keeping}, ${knownServer} from paydesk_store for update`,
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

/** A transaction that is asked to commit. */
export interface AskedCommit {
  /** The server's number of it. One that died with its server before anything of it was on the disk loses it to another. */
  readonly transaction: string
  /** The text that it alone has left in the store, at this place among all commits. */
  readonly stamp: string
  readonly place: number
}

/** Commits whose stamps are kept: far more than there are while one whose answer was lost is asked for. */
const keptStamps = 100_000

export const stampTable = 'create table paydesk_stamps (place bigint primary key, stamp text not null)'

/** Counts a commit, and leaves its stamp: the last thing that a transaction does. */
export function countCommit({ stamp, place }: AskedCommit) {
  return CompiledQuery.raw(
    `with counted as (update paydesk_store set commits = commits + 1),
        forgotten as (delete from paydesk_stamps where place <= $1::bigint - ${keptStamps})
      insert into paydesk_stamps (place, stamp) values ($1::bigint, $2)
        on conflict (place) do update set stamp = excluded.stamp`,
    [place, stamp],
  )
}

/** Undoes a transaction, if it is still there, and gives its connection back. */
export async function rollBack<Tables>(transaction: ControlledTransaction<Tables>): Promise<void> {
  await transaction
    .rollback()
    .execute()
    .catch(() => undefined)
}

async function rowOf<Row>(db: QueryExecutorProvider, text: string, value: unknown): Promise<Row | undefined> {
  return (await db.getExecutor().executeQuery<Row>(CompiledQuery.raw(text, [value]))).rows[0]
}

function unknownCommit({ transaction }: AskedCommit): Error {
  const words = `the server does not say what came of the transaction ${transaction}`
  return Object.assign(new Error(words), { code: '08007' })
}

/** False if it was undone. Throws what waiting may mend while the server has it yet, or knows it no more. */
export async function isCommitted(db: QueryExecutorProvider, asked: AskedCommit): Promise<boolean> {
  const status = await statusOf(db, asked)
  if (status === 'aborted') return false
  if (status !== 'committed') throw unknownCommit(asked)
  return hasStamp(db, asked)
}

async function statusOf(db: QueryExecutorProvider, { transaction }: AskedCommit): Promise<string | null> {
  const text = 'select pg_xact_status($1::xid8) as status'
  try {
    return (await rowOf<{ readonly status: string | null }>(db, text, transaction))?.status ?? null
  } catch (error) {
    // "is in the future": it died with its server, and its number was not given to another one yet.
    if (error instanceof Error && 'code' in error && error.code === '22023') return 'aborted'
    throw error
  }
}

/** Whichever transaction has its number by now has ended: so its stamp is there, or will never be. */
async function hasStamp(db: QueryExecutorProvider, asked: AskedCommit): Promise<boolean> {
  const text = `select commits::float8 as commits, (select stamp from paydesk_stamps where place = $1::bigint) as stamp
    from paydesk_store`
  const found = await rowOf<{ readonly commits: number; readonly stamp: string | null }>(db, text, asked.place)
  const { commits, stamp } = found ?? { commits: Infinity, stamp: null }
  if (stamp === null && asked.place <= commits - keptStamps) throw unknownCommit(asked)
  return stamp === asked.stamp
}

/** A reading of the database's clock, and the moment here before it was asked for. */
interface Reading {
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
      const at = { now: this.#machine.now(), steady: this.#machine.steady() }
      const row = await ask()
      this.#reading = { told: row.time, at }
      if (this.#since(at) <= promptly || tries === 3) return row
    }
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
