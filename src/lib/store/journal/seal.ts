/**
 * The digest that every row of the journal carries of its own values: SQLite notices a broken page, but not a changed letter
 * inside a cell, and a changed id is a second payment.
 */
import { hash } from 'node:crypto'
import type { Members } from '../../contract/core/members.ts'
import { storable } from '../engine/storable.ts'

interface Sealed {
  readonly digest: string
}

/** Columns that rows of an earlier schema were sealed without. */
const laterColumns: ReadonlySet<string> = new Set([
  ...['answer', 'held_until_steady', 'sum_confirmed', 'started_steady', 'operator_word', 'salt'],
  ...['maker', 'approvers', 'removed_at', 'known', 'told'],
])

/** The columns of a row in their order, by the names as they come: rows of a table always come alike. */
const orders = new Map<string, readonly string[]>()

function orderOf(row: Members): readonly string[] {
  const names = Object.keys(row)
  const shape = names.join()
  let order = orders.get(shape)
  if (!order) {
    order = names.filter((name) => name !== 'digest').toSorted()
    orders.set(shape, order)
  }
  return order
}

/** The digest that a row with these values has. */
export function rowDigest(row: Members): string {
  const values: (readonly [string, unknown])[] = []
  for (const name of orderOf(row)) {
    const value = row[name]
    if (value !== null || !laterColumns.has(name)) values.push([name, value])
  }
  return hash('sha256', JSON.stringify(values), 'base64url')
}

export function sealed<Row extends Sealed>(row: Omit<Row, 'digest'>): Row {
  const whole: Record<string, unknown> = { ...row }
  for (const name of Object.keys(whole)) whole[name] = storable(whole[name])
  return { ...whole, digest: rowDigest(whole) } as Row
}

/** True if a row is as it was written. */
export function isSealed(row: Sealed): boolean {
  return row.digest === rowDigest({ ...row })
}
