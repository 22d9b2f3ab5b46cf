/** The rows of a result that is more than a list: a line each as NDJSON, a sheet as CSV, a list where fields were chosen. */

import { escapeFormula } from '../../batch/read/row.ts'
import { sheetHeader, sheetRows } from '../../batch/reports/files.ts'
import type { Members } from '../../contract/core/members.ts'
import { printableJson } from '../../json.ts'
import { visible } from '../../visible.ts'
import { csvCell, type Form, pick, rowsOf } from './form.ts'

export interface RowForms {
  readonly rows: readonly Members[]
  /** Lines behind the rows of a stream; none where there is nothing to say. */
  readonly behind: readonly Members[]
  /** The rows as a person reads them in a spreadsheet. */
  readonly sheet: { readonly names: readonly string[]; readonly rows: readonly (readonly string[])[] }
}

/** Null for a form that prints the result as a whole. Throws usage (2) for a field that no row has. */
export async function inRows(
  forms: RowForms,
  form: Form,
  fields: readonly string[] | null,
  atTerminal = false,
): Promise<string | null> {
  const asSheet = (names: readonly string[], rows: readonly (readonly string[])[]) => sheetText(names, rows, atTerminal)
  const { rows, behind, sheet } = forms
  if (form === 'csv' && !fields) return asSheet(sheet.names, sheet.rows)
  if (form === 'table' || (!fields && form !== 'ndjson')) return null
  const picked = rowsOf(await pick(rows, fields, null))
  if (form === 'ndjson') return [...picked, ...(fields ? [] : behind)].map((row) => printableJson(row)).join('\n')
  if (form !== 'csv') return printableJson(picked)
  const names = fields ?? []
  return asSheet(
    names,
    rows.map((row) => names.map((name) => csvCell(row[name]))),
  )
}

function sheetText(names: readonly string[], rows: readonly (readonly string[])[], atTerminal: boolean): string {
  const shown = (row: readonly string[]) => (atTerminal ? row.map(visible) : row)
  const safe = rows.map((row) => shown(row.map(escapeFormula)))
  return `${sheetHeader(shown(names))}${sheetRows(safe)}`.replace(/\n$/, '')
}
