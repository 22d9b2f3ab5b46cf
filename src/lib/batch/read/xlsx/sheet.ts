/** The rows of one sheet: texts as they stand, numbers digit for digit as the file has them, damage by its cell. */
import type { SaxesTagNS } from 'saxes'
import { BrokenFile } from '../broken.ts'
import type { TableRow } from '../rows/table.ts'
import type { XmlListener } from '../xml/xml.ts'
import { attribute, spelledOut, type WorkbookParts } from './parts.ts'

/** A sheet is read whole; beyond this a CSV is the better file. */
const mostRows = 50_000

/** The same of blank ones, which cost time, too. */
const [mostOpened, mostCells] = [200_000, 2_000_000]

const tooLarge = () =>
  new BrokenFile('has more than 50,000 rows, or as many cells as so many have: save it as CSV', 'as a whole')

const mostColumns = 1000

interface Cell {
  readonly at: number
  readonly kind: string
  readonly style: string | null
  hasFormula: boolean
  value: string | null
  text: string
}

interface Row {
  readonly number: number
  readonly cells: string[]
  readonly damaged: Map<number, string>
  readonly numbers: Set<number>
  readonly broken: string | null
}

/** "AB12" → 27. */
function columnOf(reference: string): number {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0] ?? ''
  return Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

export class SheetReader implements XmlListener {
  readonly #parts: WorkbookParts
  #ready: TableRow[] = []
  readonly #way: string[] = []
  #row: Row | null = null
  #cell: Cell | null = null
  #last = 0
  #count = 0
  #opened = 0
  #cells = 0

  constructor(parts: WorkbookParts) {
    this.#parts = parts
  }

  /** Rows with something in them, since the last time. */
  taken(): TableRow[] {
    const taken = this.#ready
    this.#ready = []
    return taken
  }

  open(tag: SaxesTagNS): void {
    const inside = this.#way.at(-1)
    this.#way.push(tag.local)
    if (tag.local === 'row' && inside === 'sheetData') this.#openRow(tag)
    else if (tag.local === 'c' && inside === 'row') this.#openCell(tag)
    else if (this.#cell && tag.local === 'f' && inside === 'c') this.#cell.hasFormula = true
    else if (this.#cell && tag.local === 'v' && inside === 'c') this.#cell.value ??= ''
  }

  #openRow(tag: SaxesTagNS): void {
    const number = Number(attribute(tag, 'r') ?? this.#last + 1)
    if (!Number.isInteger(number) || number <= this.#last) throw new BrokenFile('has rows out of order', 'as a whole')
    this.#last = number
    this.#opened += 1
    if (this.#opened > mostOpened) throw tooLarge()
    const isHidden = /^(?:1|true)$/.test(attribute(tag, 'hidden') ?? '')
    const broken = isHidden ? 'is hidden in the sheet: show it, or delete it' : null
    this.#row = { number, cells: [], damaged: new Map(), numbers: new Set(), broken }
  }

  #openCell(tag: SaxesTagNS): void {
    const reference = attribute(tag, 'r')
    const at = reference === null ? (this.#row?.cells.length ?? 0) : columnOf(reference)
    if (at < 0 || at >= mostColumns) throw new BrokenFile(`has more than ${mostColumns} columns`, 'as a whole')
    this.#cells += 1
    if (this.#cells > mostCells) throw tooLarge()
    const [kind, style] = [attribute(tag, 't') ?? 'n', attribute(tag, 's')]
    this.#cell = { at, kind, style, hasFormula: false, value: null, text: '' }
  }

  text(text: string): void {
    if (!this.#cell || this.#way.includes('rPh')) return
    const inside = this.#way.at(-1)
    if (inside === 'v') this.#cell.value = (this.#cell.value ?? '') + text
    else if (inside === 't') this.#cell.text += text
  }

  close(): void {
    const closed = this.#way.pop()
    if (closed === 'c' && this.#cell && this.#row) this.#closeCell(this.#cell, this.#row)
    else if (closed === 'row' && this.#row) this.#closeRow(this.#row)
  }

  #closeCell(cell: Cell, row: Row): void {
    this.#cell = null
    const { at, kind, value, hasFormula, style, text } = cell
    const shown = kind === 's' ? this.#shared(value) : kind === 'inlineStr' ? spelledOut(text) : spelledOut(value ?? '')
    while (row.cells.length <= at) row.cells.push('')
    row.cells[at] = kind === 'b' ? (shown === '1' ? 'TRUE' : 'FALSE') : shown
    const isNumber = kind === 'n' && shown !== ''
    if (isNumber) row.numbers.add(at)
    if (hasFormula && value === null) {
      // Something must stand here, or the row would pass for one whose cell was left empty.
      row.cells[at] = '='
      row.damaged.set(at, 'has a formula without a value: open the file in a spreadsheet and save it there')
    } else if (kind === 'b') row.damaged.set(at, 'is true or false')
    else if (isNumber && this.#parts.isDateStyle(style)) {
      row.damaged.set(at, `${shown} is a date as a spreadsheet counts its days: format the column as text, dd.MM.yyyy`)
    }
  }

  #shared(value: string | null): string {
    // An empty place is no place: Number('') is 0, and another row's text.
    const place = value === null ? null : /^\d{1,9}$/.test(value) ? Number(value) : -1
    const text = place === null ? '' : this.#parts.texts[place]
    if (text === undefined) throw new BrokenFile('has a cell whose text is missing', 'as a whole')
    return text
  }

  #closeRow(row: Row): void {
    const { cells } = row
    this.#row = null
    while (cells.at(-1) === '') cells.pop()
    if (cells.length === 0) return
    this.#count += 1
    if (this.#count > mostRows + 1) throw tooLarge()
    this.#ready.push(row)
  }
}
