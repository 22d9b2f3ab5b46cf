/** Postgres for kysely, on connections whose statements leave in flights. */
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type TransactionSettings,
} from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { deferred } from '../../engine/deferred.ts'
import { ServerLine } from './line.ts'

class Lines implements Driver {
  readonly #pool: Pool
  readonly #lines = new WeakMap<PoolClient, ServerLine>()

  constructor(pool: Pool) {
    this.#pool = pool
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const client = await this.#pool.connect()
    const line = this.#lines.get(client) ?? new ServerLine(client)
    this.#lines.set(client, line)
    return line
  }

  /** It leaves with the first statement of the transaction. */
  async beginTransaction(line: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const { isolationLevel, accessMode } = settings
    const how = [...(isolationLevel ? [`isolation level ${isolationLevel}`] : []), ...(accessMode ? [accessMode] : [])]
    await line.executeQuery(deferred(CompiledQuery.raw(['begin', how.join(', ')].join(' ').trim())))
  }

  async commitTransaction(line: DatabaseConnection): Promise<void> {
    await line.executeQuery(CompiledQuery.raw('commit'))
  }

  async rollbackTransaction(line: DatabaseConnection): Promise<void> {
    await line.executeQuery(CompiledQuery.raw('rollback'))
  }

  async releaseConnection(line: DatabaseConnection): Promise<void> {
    if (line instanceof ServerLine) line.release()
  }

  destroy(): Promise<void> {
    return this.#pool.end()
  }
}

export function linesTo(pool: Pool): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new Lines(pool),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}
