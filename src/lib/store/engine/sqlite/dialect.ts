/**
 * SQLite for kysely, over the driver whose interface is that of `node:sqlite`. Transactions that write begin IMMEDIATE: one that
 * starts as a reader and turns into a writer fails when another process wrote in between, whatever the busy timeout.
 */
import { setImmediate as nextRound, setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
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
import { doublingPause } from '../../../backoff.ts'
import { storable } from '../storable.ts'
import { PreparedStatements, type SqlValue } from './prepared.ts'

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
