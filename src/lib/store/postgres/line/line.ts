/**
 * A connection to the server on which statements leave in flights: those whose answer is not waited for leave with the next one,
 * all at once, and the server answers them in their order. Where one of them fails, none after it does anything, and the flight fails.
 */
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import type { PoolClient } from 'pg'
import { type DeferredQuery, isDeferred } from '../../engine/deferred.ts'
import { storable } from '../../engine/storable.ts'
import { leaving, type SentStatement } from './flight.ts'

interface Waiting {
  readonly query: DeferredQuery
  /** Filled when it was answered. */
  readonly rows: unknown[]
}

/** Statements that leave at once at most: the server must not wait for its answers to be read while it is written to. */
const mostWaiting = 500

export class ServerLine implements DatabaseConnection {
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
