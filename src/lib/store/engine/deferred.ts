/**
 * Statements whose answer is not waited for: an engine across a wire may send them with the next one that is, and many rows of one
 * table as one statement. An engine in this process carries them out at once.
 */
import type { CompiledQuery } from 'kysely'

/** One row that a statement writes. */
export interface WrittenRow {
  readonly table: string
  /** The columns that name it. */
  readonly key: readonly string[]
  /** False where it is there, and only the other columns of `values` are changed. */
  readonly isNew: boolean
  /** Rows of a lower one are written before those of a higher one: others refer to them. */
  readonly rank: number
  readonly values: Readonly<Record<string, unknown>>
}

export interface DeferredQuery<Row = unknown> extends CompiledQuery<Row> {
  /** Null for a statement that stands by itself. Rows that it gives are there when the next one has been answered. */
  readonly later: WrittenRow | null
}

/** The same statement, whose answer nobody waits for. */
export function deferred<Row>(query: CompiledQuery<Row>, row: WrittenRow | null = null): DeferredQuery<Row> {
  return { ...query, later: row }
}

export function isDeferred<Row>(query: CompiledQuery<Row>): query is DeferredQuery<Row> {
  return 'later' in query
}
