/**
 * The digest that every row of the journal carries of its own values: SQLite notices a broken page, but not a changed letter
 * inside a cell, and a changed id is a second payment.
 */
import { createHash } from 'node:crypto'
import type { Members } from '../../contract/core/members.ts'

interface Sealed {
  readonly digest: string
}

/** Columns that rows of an earlier schema were sealed without. */
const laterColumns: ReadonlySet<string> = new Set([
  ...['answer', 'held_until_steady', 'sum_confirmed', 'started_steady', 'operator_word', 'salt'],
])

/** The digest that a row with these values has. */
export function rowDigest(row: Members): string {
  const values = Object.entries(row)
    .filter(([name, value]) => name !== 'digest' && !(value === null && laterColumns.has(name)))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(values)).digest('base64url')
}

/** A text as SQLite gives it back: it ends one at a NUL, which a service may well have in a message. */
function kept(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value
}

export function sealed<Row extends Sealed>(row: Omit<Row, 'digest'>): Row {
  const whole = Object.fromEntries(Object.entries(row).map(([name, value]) => [name, kept(value)]))
  return { ...whole, digest: rowDigest(whole) } as Row
}

/** True if a row is as it was written. */
export function isSealed(row: Sealed): boolean {
  return row.digest === rowDigest({ ...row })
}
