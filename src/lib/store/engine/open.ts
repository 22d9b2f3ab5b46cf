/**
 * Opens the store of one person: a SQLite file. It insists on a local disk, mode 0600 from the first byte, WAL with
 * `synchronous=FULL` (durable commits), a SQLite without the WAL reset bug, a schema that is not newer than this program, and
 * a file that is whole. Damage is `bug` (1); a place that cannot be written is `unsent` (11).
 */

import { dirname, resolve } from 'node:path'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { Kysely, sql } from 'kysely'
import { Failure } from '../../failure.ts'
import { notingChanges } from '../chain/chained.ts'
import { headOf } from '../chain/link.ts'
import { Mark } from './commit-mark.ts'
import { fileStore, type Sharing } from './file-store.ts'
import { type FileSystemType, makePrivateFile, networkFileSystem } from './file-system.ts'
import { sqliteDialect } from './sqlite/dialect.ts'
import type { Schema, Store } from './store.ts'
import { damaged, onNetworkDisk, tooNew, understood } from './store-error.ts'
import { inTurn } from './write-queue.ts'

/** Milliseconds that a writer waits for the others. Fifty processes at once need a few seconds on a slow disk. */
const patience = 60_000

/** Before this release a reset of the WAL could lose commits. */
const oldestSqlite = [3, 51, 3]

interface Bookkeeping {
  readonly schema: number
  /** The number of commits that were made durable. */
  readonly commits: number
}

export interface OpenSettings extends Sharing {
  readonly fileSystemType?: FileSystemType
  /** Pages the file may have; tests fill a disk with it. */
  readonly maxPages?: number
}

function checkVersion(database: DatabaseSyncInstance): void {
  const row = database.prepare('select sqlite_version() as version').get() as { version: string }
  const version = row.version.split('.').map(Number)
  const at = version.findIndex((part, index) => part !== oldestSqlite[index])
  if (at >= 0 && (version[at] ?? 0) < (oldestSqlite[at] ?? 0)) {
    throw new Failure('bug', `SQLite ${row.version} can lose commits; ${oldestSqlite.join('.')} or newer is needed`)
  }
}

/** Turning on the WAL is refused at once while another process does the same, whatever the busy timeout. */
function turnOnWal(database: DatabaseSyncInstance): void {
  for (let tries = 0; ; tries += 1) {
    try {
      database.exec('pragma journal_mode = wal')
      return
    } catch (error) {
      if (tries >= 200 || !(error instanceof Error) || !/locked|busy/i.test(error.message)) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 25)
    }
  }
}

/** Pages of the WAL (40 MiB) behind which it is brought home: each page once, however many commits have changed it. */
const longestWal = 10_000

function openFile(path: string, settings: OpenSettings): DatabaseSyncInstance {
  const database = new DatabaseSync(path, { timeout: patience })
  try {
    checkVersion(database)
    turnOnWal(database)
    database.exec(`pragma wal_autocheckpoint = ${longestWal}`)
    // From here on the connection waits by itself, so that signals have their turn.
    database.exec('pragma synchronous = full; pragma foreign_keys = on; pragma busy_timeout = 0')
    if (settings.maxPages) database.exec(`pragma max_page_count = ${settings.maxPages}`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Brings an older schema up to date. `found` is what stands there. */
async function migrate<Tables>(db: Kysely<Tables>, schema: Schema, path: string, found: number): Promise<void> {
  if (found === schema.migrations.length) return
  await db.transaction().execute(async (transaction) => {
    await sql`create table if not exists paydesk_store (schema integer not null, commits integer not null)`.execute(
      transaction,
    )
    const known = await bookkeeping(transaction)
    if (!known) await sql`insert into paydesk_store (schema, commits) values (0, 0)`.execute(transaction)
    const from = known?.schema ?? 0
    if (from > schema.migrations.length) throw tooNew(schema, path, from)
    for (const step of schema.migrations.slice(from)) await step(transaction)
    await sql`update paydesk_store set schema = ${schema.migrations.length}`.execute(transaction)
  })
}

/** The store's own row beside its tables; null before it has one. */
async function bookkeeping<Tables>(db: Kysely<Tables>): Promise<Bookkeeping | null> {
  const { rows } = await sql<Bookkeeping>`select schema, commits from paydesk_store`.execute(db)
  return rows[0] ?? null
}

/** The same of a file that may be new. */
async function bookkeepingSoFar<Tables>(db: Kysely<Tables>): Promise<Bookkeeping> {
  const table = await sql<{ name: string }>`select name from sqlite_master where name = 'paydesk_store'`.execute(db)
  const known = table.rows.length === 0 ? null : await bookkeeping(db)
  return known ?? { schema: 0, commits: 0 }
}

/**
 * The whole check, not the quick one: a damaged index could hide an id that is there. 80 ms for 50,000 payments. Gives what
 * the store says of itself.
 */
async function checkWhole<Tables>(db: Kysely<Tables>, mark: Mark, title: string, path: string): Promise<Bookkeeping> {
  const found = await sql<{ integrity_check: string }>`pragma integrity_check(1)`.execute(db)
  const said = found.rows[0]?.integrity_check ?? 'no answer'
  if (said !== 'ok') throw damaged(title, path, said)
  // The mark first: a commit of another process in between can only make the count larger.
  const height = mark.height
  const standing = await bookkeepingSoFar(db)
  const { commits } = standing
  if (commits < height) {
    throw damaged(title, path, `it holds ${commits} commits, but ${height} were made (see ${path}-mark)`)
  }
  return standing
}

/** Opens or creates a store at a path. Throws a Failure: 1 damaged, 2 newer schema or network disk, 11 not writable. */
export async function openStore<Tables>(
  path: string,
  schema: Schema,
  settings: OpenSettings = {},
): Promise<Store<Tables>> {
  return inTurn(resolve(path), () => openInTurn(path, schema, settings))
}

async function openInTurn<Tables>(path: string, schema: Schema, settings: OpenSettings): Promise<Store<Tables>> {
  try {
    makePrivateFile(path)
    const network = networkFileSystem(dirname(path), settings.fileSystemType)
    if (network) throw onNetworkDisk(schema.title, path, network)
    const database = openFile(path, settings)
    const db = new Kysely<Tables>({ dialect: sqliteDialect(database, patience) })
    try {
      const mark = new Mark(path)
      const standing = await checkWhole(db, mark, schema.title, path)
      await migrate(db, schema, path, standing.schema)
      mark.raise(standing.commits)
      if (schema.chained) database.exec(notingChanges(schema.chained))
      const found = { head: schema.chained ? await headOf(db) : null }
      return fileStore(db, mark, schema, path, { ...settings, ...found })
    } catch (error) {
      await db.destroy()
      throw error
    }
  } catch (error) {
    throw understood(error, schema.title, path)
  }
}
