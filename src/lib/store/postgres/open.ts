/** Opens the store of a team: a Postgres database. Its tables are made by whoever comes first. */
import { setMaxListeners } from 'node:events'
import { CompiledQuery, Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely'
import { Pool, type PoolConfig } from 'pg'
import { type Hint, hint } from '../../hint.ts'
import { shellWord } from '../../text.ts'
import { otherVersion } from '../engine/failures.ts'
import { type MigrationContext, type Schema, storable } from '../engine/store.ts'
import { readTeamAddress } from './address.ts'
import { chainOn } from './chain.ts'
import { connectTimeout, isLost, retryWhileAway, serverFault, unreachable, usualPatience } from './faults.ts'
import type { OwnId } from './high-water-mark.ts'
import { deniedConnection, deniedFailure, isDenied } from './rights.ts'
import { mustKeep, mustKeepStill, presentServer } from './server.ts'
import { type TeamSchema, type TeamSettings, TeamStore } from './store.ts'
import { writerTable } from './transaction.ts'

/** A store in words, and its address. */
interface Place {
  readonly place: string
  readonly address: string
}

/** Connections of one process: one writes, others read meanwhile. */
const mostConnections = 4

/** The lock of whoever makes the tables; it ends with the transaction. */
const tablesLock = 7_090_211_020n

const ownTables = [
  `create table paydesk_store (schema integer not null, commits bigint not null, system text not null,
    timeline text not null, store text not null default gen_random_uuid()::text)`,
  `create table paydesk_confirmed (at timestamptz not null, by text not null, system text not null,
    timeline text not null, because text not null, store text, before text[])`,
  writerTable,
]

type Own = OwnId & { readonly schema: number }

async function ownRow(db: MigrationContext): Promise<Own> {
  const query: CompiledQuery<Own> = CompiledQuery.raw('select *, commits::float8 as commits from paydesk_store')
  const [own] = (await db.getExecutor().executeQuery(query)).rows
  if (!own) throw new Error('the store has no row of its own')
  return own
}

async function run(db: MigrationContext, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await db.getExecutor().executeQuery(CompiledQuery.raw(statement))
}

/** Makes the tables of a new store, migrates an older one, and refuses (2) one of a version that this program does not read. */
async function makeTables<Tables>(db: Kysely<Tables>, schema: Schema, place: Place): Promise<OwnId> {
  const { version, migrations = [], tables, chained = [] } = schema
  return db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${tablesLock})`.execute(transaction)
    const { rows } = await sql<{ exists: boolean }>`
      select to_regclass('paydesk_store') is not null as exists`.execute(transaction)
    if (!rows[0]?.exists) {
      const { system, timeline } = presentServer
      await run(transaction, [...ownTables, ...tables, ...(schema.chained ? chainOn(chained) : [])])
      await run(transaction, [`insert into paydesk_store select ${version}, 0, ${system}, ${timeline}`])
    }
    const own = await ownRow(transaction)
    const oldest = version - migrations.length
    if (own.schema < oldest || own.schema > version) {
      throw otherVersion(schema, place.place, own.schema, [await howToSetAside(transaction, place.address, own.schema)])
    }
    for (const migrate of migrations.slice(own.schema - oldest)) await migrate(transaction)
    await sql`update paydesk_store set schema = ${version} where schema < ${version}`.execute(transaction)
    return own
  })
}

async function howToSetAside<Tables>(db: Kysely<Tables>, address: string, found: number): Promise<Hint> {
  const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(db)
  const name = rows[0]?.name ?? 'public'
  const renamed = `alter schema "${name}" rename to "${name}_${found}"`
  return hint`To begin an empty one, set it aside: psql ${shellWord(address)} -c ${shellWord(renamed)} -c ${shellWord(`create schema "${name}"`)}`
}

/** The pool with connections that store texts as every engine gives them back. */
function storing(pool: Pool): PostgresPool {
  return {
    connect: async () => {
      const client = await pool.connect()
      const query: unknown = (text: string, values: readonly unknown[]) => client.query(text, values.map(storable))
      // Several statements in one text may have left a transaction open: such a connection ends, and its transaction with it.
      const release = () => client.release(client.getTransactionStatus() !== 'I')
      return { query: query as PostgresPoolClient['query'], release }
    },
    end: () => pool.end(),
  }
}

/** Throws what may pass as it is; `unsent` (11) and credentials (4) for what waiting does not mend. `store`: in words. */
async function mustConnect(pool: Pool, store: string, way: PoolConfig): Promise<void> {
  try {
    const client = await pool.connect()
    client.release()
  } catch (error) {
    if (isDenied(error)) throw deniedConnection(error, store, way)
    throw isLost(error) ? error : unreachable(error, store)
  }
}

async function standing<Tables>(db: Kysely<Tables>, schema: TeamSchema, at: Place, settings: TeamSettings) {
  await mustKeep(db, schema.title, at.place)
  const found = await makeTables(db, schema, at)
  const store = new TeamStore<Tables>(db, schema, at, settings)
  await store.look()
  await store.remember(found)
  return store
}

/**
 * Opens or creates a store at an address (`postgres://…`). Throws a Failure: 2 for an address or a server that will not do, or a
 * another version; 11 where it cannot be reached.
 */
export async function openTeamStore<Tables>(
  address: string,
  schema: TeamSchema,
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
  })
  // A connection that is lost while it rests is replaced; in a transaction the next statement tells it.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: storing(pool) }) })
  try {
    const { patience = usualPatience, machine: clock, signal, away } = settings
    // While the server is away all that is asked of it listens.
    if (signal) setMaxListeners(0, signal)
    const opened = async () => {
      const over = away?.()
      await mustConnect(pool, `${schema.title} ${place}`, connection).finally(over)
      return standing(db, schema, { place, address }, settings)
    }
    const store = await retryWhileAway(opened, { patience, clock, signal, away })
    isOpen = true
    return store
  } catch (error) {
    const told = isDenied(error)
      ? await deniedFailure(error, `${schema.title} ${place}`, db)
      : serverFault(error, schema.title, place)
    await db.destroy()
    throw told
  }
}
