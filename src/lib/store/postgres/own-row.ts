/** The row of its own that every store has: what a transaction asks for before its work. */
import { CompiledQuery, type QueryExecutorProvider } from 'kysely'
import { deferred } from '../engine/deferred.ts'
import { notingSetting } from './chain.ts'
import { databaseTime } from './clock.ts'
import { type KnownServer, knownServer } from './known/known-server.ts'
import type { OwnId } from './known/seen.ts'
import { keeping, type ServerKeeping } from './server.ts'
import type { AskedCommit } from './transaction-end.ts'

export interface OwnRow extends KnownServer, ServerKeeping, OwnId {
  readonly schema: number
  /** The number of the transaction, as long as its server lives. */
  readonly transaction: string
  /** A text that no other transaction has. */
  readonly stamp: string
}

/** The question about a commit whose answer was lost. */
export function askedCommitOf({ transaction, stamp, commits }: OwnRow): AskedCommit {
  return { transaction, stamp, place: commits + 1 }
}

const lockOwnRow: CompiledQuery<OwnRow> = CompiledQuery.raw(
  `select schema, store, commits::float8 as commits, pg_current_xact_id()::text as transaction,
    gen_random_uuid()::text as stamp, ${keeping}, ${knownServer} from paydesk_store for update`,
)

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

/** Begins a transaction, and locks the store's own row: all in one flight. The time is that before the lock was given. */
export async function lockedOwnRow(
  db: QueryExecutorProvider,
  patience: number,
): Promise<{ readonly time: number; readonly own: OwnRow }> {
  const settings = settingsFor(patience)
  const set = settings.map(([name, value]) => `set_config('${name}', '${value}', true)`).join(', ')
  const executor = db.getExecutor()
  const asking: CompiledQuery<TimeRow> = CompiledQuery.raw(`select ${databaseTime} as time, ${set}`)
  const told = await executor.executeQuery<TimeRow>(deferred(asking))
  const own = only((await executor.executeQuery<OwnRow>(lockOwnRow)).rows)
  return { time: only(told.rows).time, own }
}
