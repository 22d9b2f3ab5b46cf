/**
 * The reading of a chain and of the rows under it, in the words of an engine. What the links say of rows lies in a table
 * `named_rows` of the connection: the name of a row, its content by the newest link that names it, and that link.
 */
import type { Members } from '../../contract/core/members.ts'
import type { ChainedTable } from './chained.ts'
import type { Link } from './link.ts'

export interface ChainedRow extends Members {
  readonly chain_name: string
  /** The row now, and in the words of the newest link that names it. */
  readonly chain_content: string
  readonly chain_told: string | null
  readonly chain_link: number | null
}

/** Carries a statement out. */
export type Ask = <Row>(text: string, ...values: readonly unknown[]) => Promise<readonly Row[]>

export interface ChainReading {
  /** Begins a transaction that sees one moment. */
  readonly begin: string
  /** Makes `named_rows`. */
  readonly namedRows: string
  /** The links in their order, piece by piece; what a piece says of rows is in `named_rows` when the next one is asked for. */
  links(ask: Ask): AsyncIterable<readonly Link[]>
  /** The rows of a table in an order of their own, piece by piece, each with what `named_rows` says of it. */
  rows(table: ChainedTable, ask: Ask): AsyncIterable<readonly ChainedRow[]>
  /** The table itself, whatever the connection has made under its name. */
  own(table: ChainedTable): string
}

/** Links and rows that are held in memory at once. */
export const linksAtOnce = 16
export const rowsAtOnce = 100
