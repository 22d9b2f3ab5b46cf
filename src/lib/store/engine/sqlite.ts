/**
 * Opens the store of one person: a SQLite file. It insists on a local disk, mode 0600 from the first byte, WAL with
 * `synchronous=FULL` (durable commits), a SQLite without the WAL reset bug, a schema of this version, and
 * a file that is whole. Damage is `bug` (1); a place that cannot be written is `unsent` (11).
 */
import { dirname, resolve } from 'node:path'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { CompiledQuery, Kysely, sql, type Transaction } from 'kysely'
import { Failure } from '../../failure.ts'
import { type ChainHead, createLinks, headOf, linkNoted, notingChanges } from '../chain/chain.ts'
import { damaged, howToSetAside, meaningOf, onNetworkDisk, otherVersion } from './failures.ts'
import { type FileSystemType, makePrivateFile, networkFileSystem } from './file-system.ts'
import { groupCommits, withWriteMutex } from './group-commit.ts'
import { HighWaterMark } from './high-water-mark.ts'
import { sqliteDialect } from './sqlite-driver.ts'
import { type MigrationContext, ofOneMoment, type Schema, type Store } from './store.ts'

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

/** Bytes of a page of a new file. Ids have no order: a new row changes a whole page of every index on them, so pages are small. */
const pageSize = 2_048

/** Pages of the WAL (40 MiB) behind which it is brought home: each page once, however many commits have changed it. */
const longestWal = 20_000

function openFile(path: string, settings: OpenSettings): DatabaseSyncInstance {
  const database = new DatabaseSync(path, { timeout: patience })
  try {
    checkVersion(database)
    database.exec(`pragma page_size = ${pageSize}`)
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

async function run(db: MigrationContext, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await db.getExecutor().executeQuery(CompiledQuery.raw(statement))
}

/** Makes the tables of a new store, migrates an older one, and refuses (2) one of a version that this program does not read. */
async function makeTables<Tables>(db: Kysely<Tables>, schema: Schema, path: string, found: number): Promise<void> {
  if (found === schema.version) return
  // Tables are dropped in no particular order.
  if (schema.isRemade) await run(db, ['pragma foreign_keys = off'])
  await db.transaction().execute((transaction) => makeTablesAlone(transaction, schema, path))
  await run(db, ['pragma foreign_keys = on'])
}

/** Another process may have made them meanwhile. */
async function makeTablesAlone<Tables>(db: Transaction<Tables>, schema: Schema, path: string): Promise<void> {
  const { version, migrations = [], tables, chained, isRemade } = schema
  const found = await bookkeeping(db)
  if (found.schema === version) return
  const oldest = version - migrations.length
  if (found.schema >= oldest && found.schema < version) {
    for (const migrate of migrations.slice(found.schema - oldest)) await migrate(db)
    await sql`update paydesk_store set schema = ${version}`.execute(db)
    return
  }
  if (found.schema !== 0) {
    if (!isRemade) throw otherVersion(schema, path, found.schema, [howToSetAside(path, found.schema)])
    await dropTables(db)
  }
  await run(db, ['create table paydesk_store (schema integer not null, commits integer not null)'])
  await run(db, [`insert into paydesk_store values (${version}, ${found.commits})`])
  await run(db, [...tables, ...(chained ? [createLinks] : [])])
}

async function dropTables<Tables>(db: Transaction<Tables>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_master where type = 'table' and name <> 'sqlite_sequence'`.execute(db)
  await run(
    db,
    rows.map(({ name }) => `drop table "${name}"`),
  )
}

/** What the store says of itself; zeros where it is new. */
async function bookkeeping<Tables>(db: Kysely<Tables>): Promise<Bookkeeping> {
  const table = await sql<{ name: string }>`select name from sqlite_master where name = 'paydesk_store'`.execute(db)
  const nothing = { schema: 0, commits: 0 }
  if (table.rows.length === 0) return nothing
  const { rows } = await sql<Bookkeeping>`select schema, commits from paydesk_store`.execute(db)
  return rows[0] ?? nothing
}

/**
 * The whole check, not the quick one: a damaged index could hide an id that is there. 80 ms for 50,000 payments. Gives what
 * the store says of itself.
 */
async function checkWhole<Tables>(
  db: Kysely<Tables>,
  mark: HighWaterMark,
  title: string,
  path: string,
): Promise<Bookkeeping> {
  const found = await sql<{ integrity_check: string }>`pragma integrity_check(1)`.execute(db)
  const said = found.rows[0]?.integrity_check ?? 'no answer'
  if (said !== 'ok') throw damaged(title, path, said)
  // The mark first: a commit of another process in between can only make the count larger.
  const height = mark.height
  const standing = await bookkeeping(db)
  const { commits } = standing
  if (commits < height) {
    throw damaged(title, path, `it holds ${commits} commits, but ${height} were made (see ${path}-mark)`)
  }
  return standing
}

/** Opens or creates a store at a path. Throws a Failure: 1 damaged, 2 another version or network disk, 11 not writable. */
export async function openStore<Tables>(
  path: string,
  schema: Schema,
  settings: OpenSettings = {},
): Promise<Store<Tables>> {
  return withWriteMutex(resolve(path), () => openAlone(path, schema, settings))
}

async function openAlone<Tables>(path: string, schema: Schema, settings: OpenSettings): Promise<Store<Tables>> {
  try {
    makePrivateFile(path)
    const network = networkFileSystem(dirname(path), settings.fileSystemType)
    if (network) throw onNetworkDisk(schema.title, path, network)
    const database = openFile(path, settings)
    const db = new Kysely<Tables>({ dialect: sqliteDialect(database, patience) })
    try {
      const mark = new HighWaterMark(path)
      const standing = await checkWhole(db, mark, schema.title, path)
      await makeTables(db, schema, path, standing.schema)
      mark.raise(standing.commits)
      if (schema.chained) database.exec(notingChanges(schema.chained))
      const found = { head: schema.chained ? await headOf(db) : null }
      return fileStore(db, mark, schema, path, { ...settings, ...found })
    } catch (error) {
      await db.destroy()
      throw error
    }
  } catch (error) {
    throw meaningOf(error, schema.title, path)
  }
}

interface Sharing {
  /** True if writes that wait at the same time share a commit: for a store that many write to from one process. */
  readonly sharesCommits?: boolean
}

const countOne: CompiledQuery<{ readonly commits: number }> = CompiledQuery.raw(
  'update paydesk_store set commits = commits + 1 returning commits',
)

/** The work, its link in the chain and the count of it in one transaction. */
function commitWork<Tables, Result>(
  db: Kysely<Tables>,
  work: (db: Transaction<Tables>) => Promise<Result>,
  isChained: boolean,
) {
  return db.transaction().execute(async (transaction) => {
    const result = await work(transaction)
    const link = isChained ? await linkNoted(transaction) : null
    const [row] = (await transaction.executeQuery(countOne)).rows
    if (!row) throw new Error('the store has no row of its own')
    return { result, commits: row.commits, link }
  })
}

/** The file without what was freed in it, and the log emptied into it: what stands there is what the rows hold. */
async function rewriteFile<Tables>(db: Kysely<Tables>): Promise<boolean> {
  await db.executeQuery(CompiledQuery.raw('vacuum'))
  const { rows } = await db.executeQuery<{ busy: number }>(CompiledQuery.raw('pragma wal_checkpoint(truncate)'))
  return rows[0]?.busy === 0
}

/** A store over its open file: each write is one durable transaction, with its link and its count. `head`: the newest link that was found. */
function fileStore<Tables>(
  db: Kysely<Tables>,
  mark: HighWaterMark,
  { title, chained }: Schema,
  path: string,
  { sharesCommits = false, head: found }: Sharing & { readonly head: ChainHead | null },
): Store<Tables> {
  let head = found
  const withMutex = <Result>(work: () => Promise<Result>) => withWriteMutex(resolve(path), work)
  const commit = async <Result>(work: (db: Transaction<Tables>) => Promise<Result>): Promise<Result> => {
    const { result, commits, link } = await commitWork(db, work, chained !== undefined)
    head = link ?? head
    mark.raise(commits)
    return result
  }
  const one: Store<Tables>['write'] = (work) => withMutex(() => commit(work))
  const write: Store<Tables>['write'] = sharesCommits ? groupCommits<Tables>(commit, withMutex) : one
  const told = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work()
    } catch (error) {
      throw meaningOf(error, title, path)
    }
  }
  return {
    get head() {
      return head
    },
    read: (work) => told(() => ofOneMoment(db).execute(work)),
    ask: (statement) => told(() => statement(db)),
    lend: (work) => told(() => work(db)),
    write: (work) => told(() => write(work)),
    outdated: null,
    erase: () => told(() => withMutex(() => rewriteFile(db))),
    close: () => db.destroy(),
  }
}
