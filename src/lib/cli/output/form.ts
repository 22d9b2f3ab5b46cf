/** The forms of a result for programs: JSON, rows, CSV. Programs get texts exactly, a terminal gets them made visible. */

import { stringify } from 'csv-stringify/sync'
import { sheetHeader, sheetRows } from '../../batch/reports/files.ts'
import { JsonNumber } from '../../contract/core/decimal.ts'
import type { Members } from '../../contract/core/members.ts'
import { Failure } from '../../failure.ts'
import { hint } from '../../hint.ts'
import { isRecord, printableJson, writeJson } from '../../json.ts'
import { escapeFormula, visible } from '../../text.ts'
import { type Form, isSheetForm, type SheetForm } from './choice.ts'
import { search } from './query.ts'

/** The rows of a result: its elements if it is a list, else the result itself. */
export function rowsOf(result: unknown): readonly unknown[] {
  return Array.isArray(result) ? result : [result]
}

export async function pick(result: unknown, fields: readonly string[] | null, query: string | null): Promise<unknown> {
  const queried = query === null ? result : await search(result, query)
  if (!fields) return queried
  const reduced = rowsOf(queried).map((row) => only(row, fields))
  return Array.isArray(queried) ? reduced : reduced[0]
}

function only(row: unknown, fields: readonly string[]): Record<string, unknown> {
  const members = isRecord(row) ? row : {}
  mustBeFields(fields, Object.keys(members))
  return Object.fromEntries(fields.map((name) => [name, members[name]]))
}

/** Throws Failure('usage') for a field that is none of the known ones. */
export function mustBeFields(fields: readonly string[], known: readonly string[]): void {
  const unknown = fields.filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  throw new Failure('usage', `--fields: there is no field ${unknown.join(', ')}`, {
    hints: [hint`The fields are ${known.join(', ')}.`],
  })
}

/** A text as it is, and those of a list on a line each; null where there is anything that is neither text, number, yes nor no. */
export function rawText(value: unknown): string | null {
  const values = rowsOf(value)
  const isPlain = values.every((each) => each instanceof JsonNumber || /^(?:string|number|boolean)$/.test(typeof each))
  return isPlain ? values.map(String).join('\n') : null
}

const delimiters: Readonly<Record<SheetForm, string>> = { csv: ',' }

/**
 * The rows of any result as a sheet; a cell that a spreadsheet would take for a formula is escaped. `fields`: its columns, also
 * without a row. Programs get texts exactly, a terminal gets them made visible.
 */
export async function asSheet(
  result: unknown,
  form: SheetForm,
  fields: readonly string[] | null = null,
  atTerminal = false,
): Promise<string> {
  const rows = rowsOf(result).map((row) => (isRecord(row) ? row : { value: row }))
  const columns = [...new Set(fields ?? rows.flatMap((row) => Object.keys(row)))]
  const cells = rows.map((row) => columns.map((name) => textOf(row[name])))
  const shown = atTerminal ? [columns, ...cells].map((row) => row.map(visible)) : [columns, ...cells]
  return stringify(shown, { escape_formulas: true, delimiter: delimiters[form] }).replace(/\n$/, '')
}

/** A value as the text of a cell: an object as JSON, nothing for null. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof JsonNumber || typeof value !== 'object') return String(value)
  return writeJson(value)
}

/** The rows of a result that is more than a list: a line each as NDJSON, a sheet for spreadsheets, a list where fields were chosen. */
export interface RowForms {
  readonly rows: readonly Members[]
  /** Lines behind the rows of a stream; none where there is nothing to say. */
  readonly behind: readonly Members[]
  /** The rows as a person reads them in a spreadsheet. */
  readonly sheet: { readonly names: readonly string[]; readonly rows: readonly (readonly string[])[] }
}

/** Null for a form that prints the result as a whole. Throws usage (2) for a field that no row has. */
export async function renderRows(
  forms: RowForms,
  form: Form,
  fields: readonly string[] | null,
  atTerminal = false,
): Promise<string | null> {
  const { rows, behind, sheet } = forms
  if (isSheetForm(form) && !fields) return sheetText(form, sheet.names, sheet.rows, atTerminal)
  if (form === 'table' || (!fields && form !== 'ndjson')) return null
  const picked = rowsOf(await pick(rows, fields, null))
  if (form === 'ndjson') return [...picked, ...(fields ? [] : behind)].map((row) => printableJson(row)).join('\n')
  if (!isSheetForm(form)) return printableJson(picked)
  const names = fields ?? []
  const cells = rows.map((row) => names.map((name) => textOf(row[name])))
  return sheetText(form, names, cells, atTerminal)
}

function sheetText(
  form: SheetForm,
  names: readonly string[],
  rows: readonly (readonly string[])[],
  atTerminal: boolean,
): string {
  const shown = (row: readonly string[]) => (atTerminal ? row.map(visible) : row)
  const safe = rows.map((row) => shown(row.map(escapeFormula)))
  return `${sheetHead(form, shown(names))}${sheetBody(form, safe)}`.replace(/\n$/, '')
}

/** The first line of a sheet that is written piece by piece. */
export function sheetHead(form: SheetForm, names: readonly string[]): string {
  return sheetHeader(names, delimiters[form])
}

/** More lines of it. The caller escapes formulas. */
export function sheetBody(form: SheetForm, rows: readonly (readonly string[])[]): string {
  return sheetRows(rows, delimiters[form])
}
