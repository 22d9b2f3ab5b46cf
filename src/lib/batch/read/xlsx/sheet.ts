/** Reads the rows of one sheet: texts as stored, sums as doubles, and damage by cell. Hidden and merged cells are refused. */
import type { SaxesTagNS } from 'saxes'
import { minorUnits, plainDecimal } from '../../../contract/core/decimal.ts'
import { BrokenFile } from '../file.ts'
import type { NumberInCell } from '../row-builder.ts'
import type { TableRow } from '../table.ts'
import type { PathListener } from '../xml.ts'
import { attribute, spelledOut, type Workbook } from './workbook.ts'

/** For more rows CSV is better. */
const mostRows = 50_000

/** Limits for rows and cells without content, which cost time, too. */
const [mostOpened, mostCells] = [200_000, 2_000_000]

const tooLarge = () =>
  new BrokenFile('has more than 50,000 rows, or as many cells as so many have: save it as CSV', 'as a whole')

const mostColumns = 1000

interface Cell {
  readonly at: number
  readonly kind: string
  readonly style: string | null
  hasFormula: boolean
  hasText: boolean
  value: string | null
  text: string
}

interface Row {
  readonly number: number
  readonly cells: string[]
  readonly damaged: Map<number, string>
  readonly numbers: Map<number, NumberInCell>
  readonly broken: string | null
}

const kinds: ReadonlySet<string> = new Set(['n', 's', 'str', 'inlineStr', 'b', 'e', 'd'])

const rowPath = 'worksheet/sheetData/row'
const cellPath = `${rowPath}/c`

const double = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[Ee][+-]?\d{1,3})?$/

/**
 * The sum of a number cell. A cell holds a double, which programs write in many ways: Excel stores a typed 4.35 as
 * 4.3499999999999996, Java writes 1.0E7. If the shortest decimal of the double has at most two decimals, it is the sum; every other
 * text stays: nobody typed 0.30000000000000004.
 */
export function sumOfNumber(text: string): string {
  if (minorUnits(text) !== null || !double.test(text)) return text
  const shortest = plainDecimal(String(Number(text)))
  const isSum = shortest !== null && minorUnits(shortest) !== null && shortest.replace('.', '').length <= 10
  return isSum ? shortest : text
}

export class SheetReader implements PathListener {
  readonly #workbook: Workbook
  #ready: TableRow[] = []
  readonly #hidden = new Hidden()
  #row: Row | null = null
  #cell: Cell | null = null
  #last = 0
  #width = 0
  #count = 0
  #opened = 0
  #cells = 0

  constructor(workbook: Workbook) {
    this.#workbook = workbook
  }

  /** The rows with content since the last call. */
  taken(): TableRow[] {
    const taken = this.#ready
    this.#ready = []
    return taken
  }

  open(path: string, tag: SaxesTagNS): void {
    if (path === rowPath) this.#openRow(tag)
    else if (path === cellPath) this.#openCell(tag)
    else if (path === 'worksheet/mergeCells/mergeCell') this.#mustBeApart(attribute(tag, 'ref') ?? '')
    else if (path === 'worksheet/sheetFormatPr' || path === 'worksheet/cols/col') this.#hidden.look(tag)
    else if (this.#cell && path === `${cellPath}/${tag.local}`) this.#openInside(this.#cell, tag.local)
  }

  foreign(path: string): void {
    if (!path.startsWith('worksheet/sheetData') || path.includes('/extLst')) return
    throw new BrokenFile('has something between its cells that is no cell', 'as a whole')
  }

  #openInside(cell: Cell, name: string): void {
    const isTwice = (name === 'v' && cell.value !== null) || (name === 'is' && cell.hasText)
    if (isTwice) throw new BrokenFile('has a cell with two values', 'as a whole')
    if (name === 'f') cell.hasFormula = true
    if (name === 'v') cell.value = ''
    if (name === 'is') cell.hasText = true
  }

  #openRow(tag: SaxesTagNS): void {
    const typed = attribute(tag, 'r') ?? String(this.#last + 1)
    const number = /^[1-9]\d{0,6}$/.test(typed) ? Number(typed) : 0
    if (number <= this.#last) throw new BrokenFile('has rows out of order', 'as a whole')
    this.#last = number
    this.#opened += 1
    if (this.#opened > mostOpened) throw tooLarge()
    const broken = this.#hidden.isRow(tag) ? 'is hidden in the sheet: show it, or delete it' : null
    this.#row = { number, cells: [], damaged: new Map(), numbers: new Map(), broken }
  }

  #openCell(tag: SaxesTagNS): void {
    const [row, reference] = [this.#row, attribute(tag, 'r')]
    if (!row) return
    const place = reference === null ? { row: row.number, column: row.cells.length } : placeOf(reference)
    if (place?.row !== row.number || place.column < row.cells.length) {
      throw new BrokenFile(`has the cell ${reference} in the wrong place of row ${row.number}`, 'as a whole')
    }
    if (place.column >= mostColumns) throw new BrokenFile(`has more than ${mostColumns} columns`, 'as a whole')
    this.#cells += 1
    if (this.#cells > mostCells) throw tooLarge()
    const [kind, style] = [attribute(tag, 't') ?? 'n', attribute(tag, 's')]
    if (!kinds.has(kind)) throw new BrokenFile('has a cell of a kind that is not known', 'as a whole')
    this.#cell = { at: place.column, kind, style, hasFormula: false, hasText: false, value: null, text: '' }
  }

  /** Of merged cells (`B2:B3`), a spreadsheet shows the first only. */
  #mustBeApart(range: string): void {
    const [first = '', last = first] = range.split(':')
    const from = placeOf(first)
    const isKnown = from !== null && placeOf(last) !== null
    if (isKnown && (first === last || from.row > this.#last || from.column >= this.#width)) return
    throw new BrokenFile(`has merged cells (${isKnown ? range : 'somewhere'}) among its rows: part them`, 'as a whole')
  }

  text(path: string, text: string): void {
    if (!this.#cell) return
    if (path === `${cellPath}/v`) this.#cell.value += text
    else if (path === `${cellPath}/is/t` || path === `${cellPath}/is/r/t`) this.#cell.text += text
  }

  close(path: string): void {
    if (path === cellPath && this.#cell && this.#row) this.#closeCell(this.#cell, this.#row)
    else if (path === rowPath && this.#row) this.#closeRow(this.#row)
  }

  #closeCell(cell: Cell, row: Row): void {
    this.#cell = null
    const { at, kind, value, hasFormula, style, text } = cell
    const shown = kind === 's' ? this.#shared(value) : kind === 'inlineStr' ? spelledOut(text) : spelledOut(value ?? '')
    while (row.cells.length <= at) row.cells.push('')
    row.cells[at] = kind === 'b' ? (shown === '1' ? 'TRUE' : 'FALSE') : shown
    if (row.cells[at] !== '') this.#hidden.mustShow(at)
    const { formats } = this.#workbook
    const isNumber = kind === 'n' && shown !== ''
    if (isNumber) {
      const sum = sumOfNumber(shown)
      row.numbers.set(at, {
        sum,
        currencies: formats.currencies(style),
        asSum: formats.aboutSum(sum, style),
        asText: formats.aboutDigits(shown, style),
      })
    }
    if (hasFormula && value === null) {
      // Without content, the row would look as if the cell was left empty.
      row.cells[at] = '='
      row.damaged.set(at, 'has a formula without a value: open the file in a spreadsheet and save it there')
    } else if (kind === 'b') row.damaged.set(at, 'is true or false')
    else if (kind === 'd' || (isNumber && formats.isDate(style))) {
      row.damaged.set(at, `${shown} is a date as a spreadsheet counts its days: format the column as text, dd.MM.yyyy`)
    } else if (!isNumber && shown !== '') {
      const why = formats.aboutText(style)
      if (why !== null) row.damaged.set(at, why)
    }
  }

  #shared(value: string | null): string {
    // '' is no index: Number('') is 0.
    const place = value === null ? null : /^\d{1,9}$/.test(value) ? Number(value) : -1
    const text = place === null ? '' : this.#workbook.texts[place]
    if (text === undefined) throw new BrokenFile('has a cell whose text is missing', 'as a whole')
    return text
  }

  #closeRow(row: Row): void {
    const { cells } = row
    this.#row = null
    while (cells.at(-1) === '') cells.pop()
    this.#width = Math.max(this.#width, cells.length)
    if (cells.length === 0) return
    this.#count += 1
    if (this.#count > mostRows + 1) throw tooLarge()
    this.#ready.push(row)
  }
}

// Hidden rows and columns.

function isTrue(text: string | null): boolean {
  return text !== null && /^(?:1|true|on)$/.test(text)
}

function isNothing(size: string | null): boolean {
  return size !== null && Number(size) === 0
}

class Hidden {
  #areRows = false
  readonly #columns: (readonly [first: number, last: number])[] = []

  /** Takes the sizes of the sheet and of its columns, which stand before the rows. */
  look(tag: SaxesTagNS): void {
    if (tag.local === 'sheetFormatPr') {
      this.#areRows ||= isTrue(attribute(tag, 'zeroHeight')) || isNothing(attribute(tag, 'defaultRowHeight'))
    }
    if (tag.local !== 'col') return
    const isHidden = isTrue(attribute(tag, 'hidden')) || isNothing(attribute(tag, 'width'))
    if (isHidden) this.#columns.push([Number(attribute(tag, 'min')) - 1, Number(attribute(tag, 'max')) - 1])
  }

  isRow(tag: SaxesTagNS): boolean {
    const hidden = attribute(tag, 'hidden')
    return isTrue(hidden) || isNothing(attribute(tag, 'ht')) || (this.#areRows && hidden === null)
  }

  /** Throws a BrokenFile for content in a hidden column. Columns count from 0. */
  mustShow(column: number): void {
    if (!this.#columns.some(([first, last]) => column >= first && column <= last)) return
    throw new BrokenFile(
      `has something in column ${lettersOf(column)}, which is hidden: show it, or delete it`,
      'as a whole',
    )
  }
}

// Names of cells: the row counts from 1, the column from 0.

/** "AB12": row 12, column 27. */
function placeOf(reference: string): { readonly row: number; readonly column: number } | null {
  const [, letters, row] = /^([A-Z]{1,3})([1-9]\d{0,6})$/.exec(reference) ?? []
  if (letters === undefined || row === undefined) return null
  const column = Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
  return { row: Number(row), column }
}

/** "AB" of column 27. */
function lettersOf(column: number): string {
  const [before, own] = [Math.floor(column / 26), String.fromCharCode(65 + (column % 26))]
  return before === 0 ? own : `${lettersOf(before - 1)}${own}`
}
