/** Rows of cells as CSV text, with a mark of its encoding: without one, spreadsheets take Georgian letters for something else. */
import { stringify } from 'csv-stringify/sync'

const mark = '\uFEFF'

/** A line end inside of a cell ends no row. */
const wrapped = { quoted_match: /\r/ }

export function sheetHeader(names: readonly string[]): string {
  return `${mark}${stringify([[...names]], wrapped)}`
}

export function sheetRows(rows: readonly (readonly string[])[]): string {
  return rows.length === 0
    ? ''
    : stringify(
        rows.map((row) => [...row]),
        wrapped,
      )
}
