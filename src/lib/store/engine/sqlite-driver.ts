/**
 * SQLite for kysely, over the driver whose interface is that of `node:sqlite`. Transactions that write begin IMMEDIATE: one that
 * starts as a reader and turns into a writer fails when another process wrote in between, whatever the busy timeout.
 */
import { setImmediate as nextRound, setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TransactionSettings,
} from 'kysely'
import { doublingPause } from '../../backoff.ts'
import { storable } from './store.ts'

/** Milliseconds of statements in a row, behind which answers that came meanwhile and signals have their turn. */
const longestStretch = 0.3

/** Milliseconds between two tries while another program has the file locked. */
const pauses = { base: 1, longest: 50 }

function isBusy(error: unknown): boolean {
  return error instanceof Error && /database is locked|SQLITE_BUSY/.test(error.message)
}

class Connection implements DatabaseConnection {
  readonly #patience: number
  readonly #prepared: PreparedStatements
  #rested = 0

  /** `patience`: milliseconds that it waits for other programs. */
  constructor(database: DatabaseSyncInstance, patience: number) {
    this.#patience = patience
    this.#prepared = new PreparedStatements(database)
  }

  /** A transaction is about to begin. */
  lookAnew(): void {
    this.#prepared.lookAnew()
  }

  /** Waits for other programs with sleeps: SQLite's own waiting stops the whole process, and signals want their turn. */
  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    await this.#rest()
    for (let waited = 0, tries = 0; ; tries += 1) {
      try {
        return this.#execute(query)
      } catch (error) {
        if (!isBusy(error) || waited >= this.#patience) throw error
      }
      const pause = doublingPause(tries, pauses)
      await sleep(pause)
      waited += pause
    }
  }

  async #rest(): Promise<void> {
    if (performance.now() - this.#rested < longestStretch) return
    await nextRound()
    this.#rested = performance.now()
  }

  #execute<Row>(query: CompiledQuery): QueryResult<Row> {
    const { statement, rowOf } = this.#prepared.of(query.sql)
    const parameters = query.parameters.map(storable) as SqlValue[]
    if (rowOf) return { rows: statement.all(...parameters).map(rowOf) as Row[] }
    const { changes, lastInsertRowid } = statement.run(...parameters)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  /** Kysely demands it; nothing here streams. */
  streamQuery(): never {
    throw new Error('streaming is not offered')
  }
}

/** One connection; the second user waits until the first has given it back. */
class OneConnection implements Driver {
  readonly #database: DatabaseSyncInstance
  readonly #connection: Connection
  #free: Promise<void> = Promise.resolve()
  #release: () => void = () => undefined

  constructor(database: DatabaseSyncInstance, patience: number) {
    this.#database = database
    this.#connection = new Connection(database, patience)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#free
    let release: () => void = () => undefined
    this.#free = new Promise((resolve) => {
      release = resolve
    })
    await before
    this.#release = release
    return this.#connection
  }

  async beginTransaction(connection: DatabaseConnection, { accessMode }: TransactionSettings): Promise<void> {
    this.#connection.lookAnew()
    await connection.executeQuery(CompiledQuery.raw(accessMode === 'read only' ? 'begin' : 'begin immediate'))
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // A full disk has rolled it back already; the error that a second rollback gives would hide what happened.
    if (!this.#database.isTransaction) return
    await connection.executeQuery(CompiledQuery.raw('rollback'))
  }

  async releaseConnection(): Promise<void> {
    this.#release()
  }

  async destroy(): Promise<void> {
    this.#database.close()
  }
}

/** `patience`: milliseconds that a statement waits for other programs. */
export function sqliteDialect(database: DatabaseSyncInstance, patience: number): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new OneConnection(database, patience),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

type SqlValue = null | number | bigint | string | Uint8Array

type SqlRow = Record<string, SqlValue>

interface Prepared {
  /** Its rows come as lists of values. */
  readonly statement: StatementSyncInstance
  /** Makes a row of its values; null where it gives none. */
  readonly rowOf: ((values: readonly SqlValue[]) => SqlRow) | null
}

/** A list of another length is another text, so there is a limit. */
const most = 200

/** Rows with these columns: copies of one object, whose properties are found faster than those that are added one by one. */
function rowsWith(columns: readonly string[]): (values: readonly SqlValue[]) => SqlRow {
  const empty: SqlRow = JSON.parse(`{${columns.map((name) => `${JSON.stringify(name)}:null`).join()}}`)
  return (values) => {
    const row = { ...empty }
    columns.forEach((name, at) => {
      row[name] = values[at] ?? null
    })
    return row
  }
}

/**
 * Statements by their text, prepared once. What a text gives may change while it is kept: another program may give a table other
 * columns, so those that give rows are prepared anew behind that.
 */
class PreparedStatements {
  readonly #database: DatabaseSyncInstance
  readonly #kept = new Map<string, Prepared>()
  readonly #version: StatementSyncInstance
  #schema: unknown
  #isSchemaSeen = false

  constructor(database: DatabaseSyncInstance) {
    this.#database = database
    this.#version = database.prepare('pragma schema_version')
  }

  /** To be told before a transaction begins: between two of them the schema may change. */
  lookAnew(): void {
    this.#isSchemaSeen = false
  }

  of(sql: string): Prepared {
    const prepared = this.#kept.get(sql) ?? this.#prepared(sql)
    const isStale = prepared.rowOf !== null && this.#kept.has(sql) && !this.#isOfThisSchema()
    return isStale ? this.#prepared(sql) : prepared
  }

  #isOfThisSchema(): boolean {
    if (this.#isSchemaSeen && this.#database.isTransaction) return true
    const [told] = this.#version.all()
    const schema = told?.schema_version
    const isSame = schema === this.#schema
    if (!isSame) this.#forget()
    this.#schema = schema
    this.#isSchemaSeen = this.#database.isTransaction
    return isSame
  }

  #forget(): void {
    this.#kept.clear()
    // SQLite learns of another schema when a statement meets it, not when it is prepared.
    this.#database.exec('select name from sqlite_schema limit 0')
  }

  #prepared(sql: string): Prepared {
    const statement = this.#database.prepare(sql)
    const columns = statement.columns().map(({ name }) => name)
    statement.setReturnArrays(true)
    const prepared = { statement, rowOf: columns.length > 0 ? rowsWith(columns) : null }
    // A pragma may give other columns each time: only plain statements are kept.
    if (!/^\s*(select|insert|update|delete|begin|commit|rollback|savepoint|release)\b/i.test(sql)) return prepared
    if (this.#kept.size >= most) this.#kept.clear()
    this.#kept.set(sql, prepared)
    return prepared
  }
}
