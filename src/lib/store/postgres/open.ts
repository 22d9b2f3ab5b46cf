/** Opens the store of a team: a Postgres database. It is made there, or brought up to date, by whoever comes first. */
import { setMaxListeners } from 'node:events'
import { CompiledQuery, type Kysely as Database, Kysely, sql } from 'kysely'
import { Pool } from 'pg'
import type { MigrationContext, Schema } from '../engine/store.ts'
import { tooNew } from '../engine/store-error.ts'
import { readTeamAddress } from './address.ts'
import { isLost, serverFault, unreachable } from './fault.ts'
import { presentServer } from './known/known-server.ts'
import type { OwnId } from './known/seen.ts'
import { linesTo } from './line/dialect.ts'
import { patiently, usualPatience } from './patience.ts'
import { mustKeep, mustKeepStill } from './server.ts'
import { type TeamSettings, TeamStore } from './store.ts'
import { stampTable } from './transaction-end.ts'

/** Connections of one process: one writes, others read meanwhile. */
const mostConnections = 4

/** Milliseconds until a server that does not answer is away. */
const connectTimeout = 10_000

/** The lock of whoever makes the tables; it ends with the transaction. */
const migrationLock = 7_090_211_020n

const ownTables = [
  `create table if not exists paydesk_store (schema integer not null, commits bigint not null, system text not null,
    timeline text not null, store text not null default gen_random_uuid()::text)`,
  `create table if not exists paydesk_confirmed (at timestamptz not null, by text not null, system text not null,
    timeline text not null, because text not null, store text, before text[])`,
  stampTable,
]

/** Stores had no id once. */
const idTables = [
  'alter table paydesk_store add column store text not null default gen_random_uuid()::text',
  'alter table paydesk_confirmed add column store text, add column before text[]',
]

type Own = OwnId & { readonly schema: number }

async function ownRow(db: MigrationContext): Promise<Own | undefined> {
  const query: CompiledQuery<Own> = CompiledQuery.raw('select *, commits::float8 as commits from paydesk_store')
  return (await db.getExecutor().executeQuery(query)).rows[0]
}

async function run(db: MigrationContext, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await db.getExecutor().executeQuery(CompiledQuery.raw(statement))
}

async function migrate<Tables>(db: Database<Tables>, schema: Schema, place: string): Promise<OwnId> {
  return db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${migrationLock})`.execute(transaction)
    await run(transaction, ownTables)
    const { system, timeline } = presentServer
    const known = await ownRow(transaction)
    if (!known) await run(transaction, [`insert into paydesk_store select 0, 0, ${system}, ${timeline}`])
    else if (!('store' in known)) await run(transaction, idTables)
    const from = known?.schema ?? 0
    if (from > schema.migrations.length) throw tooNew(schema, place, from)
    if (from < schema.migrations.length) {
      for (const step of schema.migrations.slice(from)) await step(transaction)
      await sql`update paydesk_store set schema = ${schema.migrations.length}`.execute(transaction)
    }
    const own = known && 'store' in known ? known : await ownRow(transaction)
    if (!own) throw new Error('the store has no row of its own')
    return own
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

async function standing<Tables>(
  db: Database<Tables>,
  schema: Schema,
  at: { readonly place: string; readonly address: string },
  settings: TeamSettings,
) {
  await mustKeep(db, schema.title, at.place)
  const found = await migrate(db, schema, at.place)
  const store = new TeamStore<Tables>(db, schema, at, settings)
  await store.look()
  await store.remember(found)
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
  let isOpen = false
  const pool = new Pool({
    ...connection,
    // The first one is looked at with all that the server is. One that fails is closed: the next may keep what it commits.
    verify: (client, done) => {
      if (!isOpen) return done()
      mustKeepStill(client, schema.title, place).then(() => done(), done)
    },
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
    // While the server is away all that is asked of it listens.
    if (signal) setMaxListeners(0, signal)
    const opened = async () => {
      await mustConnect(pool, schema.title, place)
      return standing(db, schema, { place, address }, settings)
    }
    const store = await patiently(opened, { patience, clock, signal })
    isOpen = true
    return store
  } catch (error) {
    await db.destroy()
    throw serverFault(error, schema.title, place)
  }
}
