/** Opens the store of a team: a Postgres database. It is made there, or brought up to date, by whoever comes first. */
import { type Kysely as Database, Kysely, sql } from 'kysely'
import { Pool } from 'pg'
import type { Schema } from '../engine/store.ts'
import { tooNew } from '../engine/store-error.ts'
import { readTeamAddress } from './address.ts'
import { isLost, serverFault, unreachable } from './fault.ts'
import { presentServer } from './known-server.ts'
import { linesTo } from './line/dialect.ts'
import { patiently } from './patience.ts'
import { mustKeep } from './server.ts'
import { type TeamSettings, TeamStore, usualPatience } from './store.ts'

/** Connections of one process: one writes, others read meanwhile. */
const mostConnections = 4

/** Milliseconds until a server that does not answer is away. */
const connectTimeout = 10_000

/** The lock of whoever makes the tables; it ends with the transaction. */
const migrationLock = 7_090_211_020n

async function migrate<Tables>(db: Database<Tables>, schema: Schema, place: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${migrationLock})`.execute(transaction)
    await sql`create table if not exists paydesk_store
      (schema integer not null, commits bigint not null, system text not null, timeline text not null)`.execute(
      transaction,
    )
    await sql`create table if not exists paydesk_confirmed
      (at timestamptz not null, by text not null, system text not null, timeline text not null, because text not null)`.execute(
      transaction,
    )
    const { rows } = await sql<{ schema: number }>`select schema from paydesk_store`.execute(transaction)
    const [known] = rows
    const { system, timeline } = presentServer
    if (!known) await sql.raw(`insert into paydesk_store select 0, 0, ${system}, ${timeline}`).execute(transaction)
    const from = known?.schema ?? 0
    if (from > schema.migrations.length) throw tooNew(schema, place, from)
    if (from === schema.migrations.length) return
    for (const step of schema.migrations.slice(from)) await step(transaction)
    await sql`update paydesk_store set schema = ${schema.migrations.length}`.execute(transaction)
  })
}

/** Throws what may pass as it is, and `unsent` (11) for what waiting does not mend. */
async function mustConnect(pool: Pool, title: string, place: string): Promise<void> {
  try {
    const client = await pool.connect()
    client.release()
  } catch (error) {
    throw isLost(error) ? error : unreachable(error, title, place)
  }
}

async function standing<Tables>(db: Database<Tables>, schema: Schema, place: string, settings: TeamSettings) {
  await mustKeep(db, schema.title, place)
  await migrate(db, schema, place)
  const store = new TeamStore<Tables>(db, schema, place, settings)
  await store.look()
  return store
}

/**
 * Opens or creates a store at an address (`postgres://…`). Throws a Failure: 2 for an address or a server that will not do, or a
 * newer schema; 11 where it cannot be reached.
 */
export async function openTeamStore<Tables>(
  address: string,
  schema: Schema,
  settings: TeamSettings,
): Promise<TeamStore<Tables>> {
  const { place, connection } = readTeamAddress(address)
  const pool = new Pool({
    ...connection,
    max: mostConnections,
    connectionTimeoutMillis: connectTimeout,
    pipeline: true,
  })
  // A connection that is lost while it rests is replaced; in a transaction the next statement tells it.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const db = new Kysely<Tables>({ dialect: linesTo(pool) })
  try {
    const { patience = usualPatience, machine: clock, signal } = settings
    const opened = async () => {
      await mustConnect(pool, schema.title, place)
      return standing(db, schema, place, settings)
    }
    return await patiently(opened, { patience, clock, signal })
  } catch (error) {
    await db.destroy()
    throw serverFault(error, schema.title, place)
  }
}
