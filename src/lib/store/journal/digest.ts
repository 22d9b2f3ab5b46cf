/**
 * The digest that every row of the journal carries of its own values: SQLite notices a broken page, but not a changed letter
 * inside a cell, and a changed id is a second payment.
 */
import { hash } from 'node:crypto'
import type { Members } from '../../contract/core/members.ts'
import { storable } from '../engine/store.ts'

interface Sealed {
  readonly digest: string
}

/** A column of a row, and how it begins in the text that is digested: `["name",`. */
interface Column {
  readonly name: string
  readonly begin: string
}

/** Rows whose names come in this order: those of a table always come alike. */
interface Shape {
  readonly names: readonly string[]
  readonly columns: readonly Column[]
}

const shapes: Shape[] = []

/** The columns of a row in the order of their names. */
function columnsOf(row: Members): readonly Column[] {
  const names = Object.keys(row)
  const known = shapes.find((shape) => isSame(shape.names, names))
  if (known) return known.columns
  const columns = names
    .filter((name) => name !== 'digest')
    .toSorted()
    .map((name) => ({ name, begin: `[${JSON.stringify(name)},` }))
  shapes.push({ names, columns })
  return columns
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, at) => name === other[at])
}

/** The digest that a row with these values has: of its names and values as JSON, a list of pairs in the order of the names. */
export function rowDigest(row: Members): string {
  let text = ''
  for (const { name, begin } of columnsOf(row)) {
    text += `,${begin}${JSON.stringify(row[name]) ?? 'null'}]`
  }
  return hash('sha256', `[${text.slice(1)}]`, 'base64url')
}

export function withDigest<Row extends Sealed>(row: Omit<Row, 'digest'>): Row {
  const whole: Record<string, unknown> = { ...row, digest: '' }
  for (const name of Object.keys(whole)) {
    const kept = storable(whole[name])
    // A property that is written, if only with its own value, makes the whole object slower.
    if (kept !== whole[name]) whole[name] = kept
  }
  return Object.assign(whole, { digest: rowDigest(whole) }) as Row
}

/** True if a row is as it was written. */
export function isIntact(row: Sealed): boolean {
  return row.digest === rowDigest({ ...row })
}
