/** Postgres for kysely, on connections whose statements leave in flights. */
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { storable } from '../engine/store.ts'
import { type DeferredQuery, deferred, isDeferred, type WrittenRow } from '../engine/template.ts'

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

interface Waiting {
  readonly query: DeferredQuery
  /** Filled when it was answered. */
  readonly rows: unknown[]
}

/** Statements that leave at once at most: the server must not wait for its answers to be read while it is written to. */
const mostWaiting = 500

/**
 * A connection to the server on which statements leave in flights: those whose answer is not waited for leave with the next one,
 * all at once, and the server answers them in their order. Where one of them fails, none after it does anything, and the flight fails.
 */
class ServerLine implements DatabaseConnection {
  readonly #client: PoolClient
  #waiting: Waiting[] = []

  constructor(client: PoolClient) {
    this.#client = client
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    // All that waits is of the work that is undone: the savepoint before it has left.
    if (/^rollback\b/i.test(query.sql)) this.forget()
    if (!isDeferred(query)) return this.#fly<Row>(query)
    const rows: unknown[] = []
    this.#waiting.push({ query, rows })
    if (this.#waiting.length >= mostWaiting) await this.#fly({ sql: 'select', parameters: [] })
    return { rows: rows as Row[] }
  }

  /** Kysely demands it; nothing here streams. */
  streamQuery(): never {
    throw new Error('streaming is not offered')
  }

  /** Nothing that waits leaves any more. */
  forget(): void {
    this.#waiting = []
  }

  release(): void {
    this.forget()
    this.#client.release()
  }

  async #fly<Row>(last: SentStatement): Promise<QueryResult<Row>> {
    const waiting = this.#waiting
    this.#waiting = []
    const before = leaving(waiting.map(({ query }) => query))
    const sent = [...before, last].map(({ sql, parameters }) => this.#client.query(sql, parameters.map(storable)))
    const ends = await Promise.allSettled(sent)
    for (const end of ends) if (end.status === 'rejected') throw end.reason
    for (const [at, { of }] of before.entries()) {
      const end = ends[at]
      const told = waiting.find(({ query }) => query === of)
      if (told && end?.status === 'fulfilled') told.rows.push(...end.value.rows)
    }
    const { command, rowCount, rows } = await (sent.at(-1) as (typeof sent)[number])
    const isWritten = ['INSERT', 'UPDATE', 'DELETE', 'MERGE'].includes(command)
    return { rows: rows ?? [], ...(isWritten ? { numAffectedRows: BigInt(rowCount ?? 0) } : {}) }
  }
}

interface SentStatement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

interface Departure extends SentStatement {
  /** The waiting statement that its rows belong to; null where it gives none. */
  readonly of: DeferredQuery | null
}

interface Piece {
  readonly like: WrittenRow
  readonly rows: WrittenRow['values'][]
}

const quoted = (name: string) => `"${name}"`

function shapeOf({ table, isNew, values }: WrittenRow): string {
  return JSON.stringify([table, isNew, ...Object.keys(values)])
}

/** One JSON text instead of many values: the statement is the same however many rows there are, and their types are the table's. */
function written({ like: { table, key, isNew, values }, rows }: Piece): Departure {
  const names = Object.keys(values)
  const given = `json_populate_recordset(null::${quoted(table)}, $1) as given`
  const listed = names.map((name) => `given.${quoted(name)}`).join(', ')
  const changed = names.filter((name) => !key.includes(name)).map((name) => `${quoted(name)} = given.${quoted(name)}`)
  const same = key.map((name) => `own.${quoted(name)} = given.${quoted(name)}`).join(' and ')
  const sql = isNew
    ? `insert into ${quoted(table)} (${names.map(quoted).join(', ')}) select ${listed} from ${given}`
    : `update ${quoted(table)} as own set ${changed.join(', ')} from ${given} where ${same}`
  return { sql, parameters: [JSON.stringify(rows, (_name, value: unknown) => storable(value))], of: null }
}

/** In their order, but for rows that know nothing of each other. */
export function leaving(waiting: readonly DeferredQuery[]): readonly Departure[] {
  const all: Departure[] = []
  let pieces = new Map<string, Piece>()
  let touched = new Set<string>()
  const close = () => {
    const inOrder = [...pieces.values()].toSorted((one, other) => one.like.rank - other.like.rank)
    all.push(...inOrder.map(written))
    pieces = new Map()
    touched = new Set()
  }
  for (const query of waiting) {
    const { later: row } = query
    if (row === null) {
      close()
      all.push({ sql: query.sql, parameters: query.parameters, of: query })
      continue
    }
    const name = JSON.stringify([row.table, ...row.key.map((column) => row.values[column])])
    // A row that is written twice is written in two statements.
    if (touched.has(name)) close()
    touched.add(name)
    const shape = shapeOf(row)
    const piece = pieces.get(shape)
    if (piece) piece.rows.push(row.values)
    else pieces.set(shape, { like: row, rows: [row.values] })
  }
  close()
  return all
}
