/** The names of cells: "AB12", and "B2:B3" of several. */

/** The row counts from 1, the column from 0. */
interface Place {
  readonly row: number
  readonly column: number
}

export interface CellRange {
  readonly name: string
  readonly from: Place
  /** True for a single cell. */
  readonly isOne: boolean
}

/** "AB12" → row 12, column 27; null for what names no cell. */
export function placeOf(reference: string): Place | null {
  const [, letters, row] = /^([A-Z]{1,3})([1-9]\d{0,6})$/.exec(reference) ?? []
  if (letters === undefined || row === undefined) return null
  const column = Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
  return { row: Number(row), column }
}

/** "AB" of column 27. */
export function lettersOf(column: number): string {
  const [before, own] = [Math.floor(column / 26), String.fromCharCode(65 + (column % 26))]
  return before === 0 ? own : `${lettersOf(before - 1)}${own}`
}

/** Null for what names no cells. */
export function rangeOf(name: string): CellRange | null {
  const [first = '', last = first] = name.split(':')
  const [from, to] = [placeOf(first), placeOf(last)]
  return from && to ? { name, from, isOne: first === last } : null
}
