/** The fields that were chosen, for people: a table of a list, facts of one thing; each field, in its order, filled or not. */
import { JsonNumber } from '../../contract/core/decimal.ts'
import { isRecord, writeJson } from '../../json.ts'
import type { Cell } from '../drawing/block.ts'
import type { View } from '../views/view.ts'

function cellOf(row: unknown, name: string): Cell {
  const value = isRecord(row) ? row[name] : undefined
  if (value === null || value === undefined) return ''
  return value instanceof JsonNumber || typeof value !== 'object' ? String(value) : writeJson(value)
}

/** `picked`: what `pick` gives. */
export function fieldsView(picked: unknown, fields: readonly string[]): View {
  const head = [...new Set(fields)]
  if (!Array.isArray(picked)) return [{ kind: 'facts', rows: head.map((name) => [name, cellOf(picked, name)]) }]
  const rows = picked.map((row: unknown) => head.map((name) => cellOf(row, name)))
  return [{ kind: 'table', head, rows, empty: '' }]
}
