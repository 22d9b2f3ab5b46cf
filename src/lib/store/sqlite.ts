/**
 * SQLite for kysely, over the driver whose interface is that of `node:sqlite`. Transactions begin IMMEDIATE: a transaction
 * that starts as a reader and turns into a writer fails when another process wrote in between, whatever the busy timeout.
 */
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
} from 'kysely'

type SqlValue = null | number | bigint | string | Uint8Array

interface Prepared {
  readonly statement: StatementSyncInstance
  readonly returnsRows: boolean
}

/** Statements by their text. A list of another length is another text, so there is a limit. */
const mostPrepared = 200

class Connection implements DatabaseConnection {
  readonly #database: DatabaseSyncInstance
  readonly #prepared = new Map<string, Prepared>()

  constructor(database: DatabaseSyncInstance) {
    this.#database = database
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql)
    if (known) return known
    const statement = this.#database.prepare(sql)
    const prepared = { statement, returnsRows: statement.columns().length > 0 }
    // A schema that changes, or a pragma, may give a text other columns: only plain statements are kept.
    if (!/^\s*(select|insert|update|delete|begin|commit|rollback)\b/i.test(sql)) return prepared
    if (this.#prepared.size >= mostPrepared) this.#prepared.clear()
    this.#prepared.set(sql, prepared)
    return prepared
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { statement, returnsRows } = this.#prepare(query.sql)
    const parameters = query.parameters as SqlValue[]
    if (returnsRows) return { rows: statement.all(...parameters) as Row[] }
    const { changes, lastInsertRowid } = statement.run(...parameters)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  // biome-ignore lint/correctness/useYield: kysely demands the method; nothing here streams
  async *streamQuery<Row>(): AsyncGenerator<QueryResult<Row>> {
    throw new Error('streaming is not offered')
  }
}

/** One connection; who comes second waits until the first has given it back. */
class OneConnection implements Driver {
  readonly #database: DatabaseSyncInstance
  readonly #connection: Connection
  #free: Promise<void> = Promise.resolve()
  #release: () => void = () => undefined

  constructor(database: DatabaseSyncInstance) {
    this.#database = database
    this.#connection = new Connection(database)
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

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
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

export function sqliteDialect(database: DatabaseSyncInstance): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new OneConnection(database),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}
