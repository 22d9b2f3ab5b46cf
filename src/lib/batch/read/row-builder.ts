/** Builds payouts from cells: fields by the layout, damage by spreadsheets, the rules of the contract, and the key. */

import { minorUnits } from '../../contract/core/decimal.ts'
import { businessKeyInWords, isIdempotencyKey, textDamage } from '../../contract/core/text.ts'
import { wrongWithin } from '../../contract/operation.ts'
import { strangeIn } from '../../contract/payout/request.ts'
import { tidy, validate } from '../../contract/validate.ts'
import type { ColumnLayout } from './columns.ts'
import { BrokenFile } from './file.ts'
import {
  type BatchRow,
  type Complaint,
  complaintAt,
  type FileSummary,
  isRowName,
  type PainPayment,
  payoutRows,
  type ReadOptions,
  type ResultFileMark,
  type RowRequest,
  readResultFileMark,
} from './row.ts'

/** The values of a row by field, before they are validated. */
export interface FilledRow {
  readonly number: number
  readonly values: Readonly<Record<string, string>>
  readonly key: string | null
  readonly source: readonly string[]
  readonly payment: PainPayment | null
  readonly mark?: ResultFileMark
  /** Known complaints, by field: validation adds none to these fields. */
  readonly wrong: ReadonlyMap<string, string>
}

/** The place of a field, or of the key (''). */
type PlaceOf = (field: string) => { readonly column: number | null; readonly header: string | null }

/** After so many rows without a good one the reading ends: fifty megabytes of nonsense should end soon. */
const mostWithoutAny = 100_000

export class RowBuilder {
  readonly #options: Pick<ReadOptions, 'circumstances' | 'contract'>
  readonly #placeOf: PlaceOf
  readonly #wrongHeader: ReadonlySet<string> | null
  readonly #seen = new SeenKeys()
  readonly #totals = new Map<string, bigint>()
  #rows = 0
  #refused = 0

  /**
   * `wrongHeader`: the missing fields of a file with a wrong header. Its rows are checked as far as possible, and none is given.
   */
  constructor(
    options: Pick<ReadOptions, 'circumstances' | 'contract'>,
    placeOf: PlaceOf,
    wrongHeader: ReadonlySet<string> | null = null,
  ) {
    this.#options = options
    this.#placeOf = placeOf
    this.#wrongHeader = wrongHeader
  }

  get summary(): FileSummary {
    return { rows: this.#rows, refused: this.#refused, totals: this.#totals, message: null }
  }

  make(filled: FilledRow): readonly [BatchRow] | readonly Complaint[] {
    const { number, key, source, payment, mark, wrong } = filled
    const { circumstances, contract = payoutRows } = this.#options
    const values = tidy(contract.operation, filled.values)
    this.#rows += 1
    this.#mustHaveSense()
    this.#count(values)
    const complaints: Complaint[] = []
    const complain = (field: string, message: string) =>
      complaints.push(complaintAt({ row: number, ...this.#placeOf(field) }, message))
    for (const [field, message] of wrong) complain(field, message)
    const damaged = findDamagedTexts(filled)
    for (const [field, message] of damaged) complain(field, message)
    const checked = validate(contract.operation, values, circumstances)
    if (!checked.ok) {
      const isTold = (field: string) => wrong.has(field) || damaged.has(field) || this.#wrongHeader?.has(field) === true
      for (const each of checked.violations.filter(({ field }) => !isTold(field))) {
        complain(each.field, `${wrongWithin(each)}${strangeIn(each.field, filled.values[each.field])}`)
      }
    }
    const aboutKey = key === null ? null : this.#aboutKey(key, number)
    if (aboutKey !== null) complain('', aboutKey)
    if (complaints.length === 0 && this.#wrongHeader !== null) return []
    if (complaints.length === 0 && checked.ok) {
      const own = mark && key !== null && isRowName(key) ? null : key
      const request = checked.request as RowRequest
      return [{ kind: 'row', number, request, key: own, source, payment, ...(mark ? { mark } : {}) }]
    }
    this.#refused += 1
    return complaints
  }

  /** A row whose cells cannot even be told apart. */
  broken(number: number, message: string): readonly Complaint[] {
    this.#rows += 1
    this.#mustHaveSense()
    this.#refused += 1
    return [complaintAt({ row: number }, message)]
  }

  #mustHaveSense(): void {
    if (this.#refused < mostWithoutAny || this.#refused < this.#rows - 1) return
    const { noun } = this.#options.contract ?? payoutRows
    throw new BrokenFile(`was not read further: none of ${mostWithoutAny} rows is ${noun}`, 'as a whole')
  }

  #count({ amount, currency }: Readonly<Record<string, unknown>>): void {
    const units = typeof amount === 'string' ? minorUnits(amount) : null
    if (units === null || typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return
    this.#totals.set(currency, (this.#totals.get(currency) ?? 0n) + units)
  }

  #aboutKey(key: string, row: number): string | null {
    if (key === '') return 'is empty, but it is the key of the row'
    const damage = textDamage(key)
    if (damage !== null) return `${damage}; it is the key of the row`
    if (!isIdempotencyKey(key)) return `must be ${businessKeyInWords}, because it is the key of the row`
    const before = this.#seen.rowBefore(key, row)
    return before === null ? null : `has the same key as row ${before}: ${key}`
  }
}

/** Texts with characters that nobody types on purpose. */
function findDamagedTexts({ values, wrong }: FilledRow): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const [field, text] of Object.entries(values)) {
    const damage = wrong.has(field) ? null : textDamage(text)
    if (damage !== null) found.set(field, damage)
  }
  return found
}

/** A currency that a cell shows beside its number. */
export interface ShownCurrency {
  /** The sign or word in the number format. */
  readonly sign: string
  /** Null if payouts are not made in this currency. */
  readonly currency: string | null
}

/** A number cell: why it is no sum, and why its digits are no text. */
export interface NumberInCell {
  /** Decimal text if it is a sum, else the text of the file. */
  readonly sum: string
  readonly currencies: readonly ShownCurrency[]
  readonly asSum: string | null
  readonly asText: string | null
}

export interface RowCells {
  readonly number: number
  readonly cells: readonly string[]
  /** What the format itself says against single cells. */
  readonly damaged?: ReadonlyMap<number, string>
  /** Cells that are numbers in the file; null for a format that no spreadsheet writes. */
  readonly numbers?: ReadonlyMap<number, NumberInCell> | null
}

const noNumbers: ReadonlyMap<number, NumberInCell> = new Map()

export function fillRow(layout: ColumnLayout, row: RowCells): FilledRow {
  const { number, damaged, numbers = noNumbers } = row
  const cells = [...row.cells]
  const sums = layout.fields.filter(({ name }) => isSum(name))
  for (const at of sums.flatMap((field) => field.cells)) cells[at] = numbers?.get(at)?.sum ?? cells[at] ?? ''
  const values: Record<string, string> = { ...layout.constants }
  const wrong = new Map<string, string>()
  const check = (field: string, at: number) => {
    const [text = '', shown] = [cells[at], numbers?.get(at)]
    const why = isSum(field) ? shown?.asSum : shown?.asText
    const isEmpty = text === '' && field !== ''
    const damage = isEmpty || numbers === null ? null : (damageOf(field, text, shown !== undefined) ?? why ?? null)
    const found = damaged?.get(at) ?? damage
    if (found !== null && !wrong.has(field)) wrong.set(field, found)
  }
  for (const { name, cells: places, between } of layout.fields) {
    const given = places.flatMap((at) => cells[at] || [])
    if (given.length > 0) values[name] = given.join(between)
    for (const at of places) check(name, at)
  }
  for (const { name, cells: places } of sums) {
    const shown = places.flatMap((at) => numbers?.get(at)?.currencies ?? [])
    const other = shown.find(({ currency }) => currency !== values.currency?.trim())
    if (other === undefined || values.currency === undefined || wrong.has(name)) continue
    const meant = other.currency === null || other.currency === other.sign ? '' : ` (${other.currency})`
    wrong.set(name, `shows ${other.sign}${meant} by its number format, and the row says ${values.currency}`)
  }
  const { keyAt } = layout
  if (keyAt !== null) check('', keyAt)
  const key = keyAt === null || wrong.has('') ? null : (cells[keyAt] ?? '')
  const mark = readResultFileMark((header) => cells[layout.headers.indexOf(header)])
  return { number, values, key, source: cells, payment: null, ...(mark ? { mark } : {}), wrong }
}

export function placesIn({ headers, fields, keyAt }: ColumnLayout): PlaceOf {
  const places = new Map(fields.map(({ name, cells }) => [name, cells[0] ?? null]))
  return (field) => {
    const at = field === '' ? keyAt : (places.get(field) ?? null)
    return { column: at === null ? null : at + 1, header: at === null ? field : (headers[at] ?? field) }
  }
}

// Damage by spreadsheets: lost digits, numbers instead of dates, sums with two meanings. Nothing is repaired, because the original
// content is unknown.

type Kind = 'sum' | 'date' | 'identity' | 'text'

const kinds: Readonly<Record<string, Kind>> = {
  amount: 'sum',
  birthDate: 'date',
  beneficiaryIdentityNumber: 'identity',
  debtorIdentityNumber: 'identity',
}

function isSum(field: string): boolean {
  return kinds[field] === 'sum'
}

/** The error values of spreadsheets, in English and German. */
const errorValue = /^#(?:REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|SPILL!|CALC!|N\/A|BEZUG!|WERT!|ZAHL!|NV)$/i

const short = /^[+-]?\d(?:[.,]\d+)?E[+-]?\d+$/i

function damageOfAnyKind(cell: string, kind: Kind): string | null {
  if (errorValue.test(cell)) return `${cell} is an error of the spreadsheet, and no value`
  if (/^#{3,}$/.test(cell)) return 'was saved from a column that was too narrow to show it'
  if (/^[=@]/.test(cell)) return 'is a formula, and not its value: save the values'
  // In a text, 1E5 can be an invoice number; a spreadsheet always writes the sign.
  if (short.test(cell) && (kind !== 'text' || cell.includes('+'))) {
    return `${cell} is the short form of a long number, whose digits are lost: format the column as text`
  }
  return null
}

/** How to write a sum without separators. In general words if the last three digits may be decimals: 1,250.000. */
function withoutSeparators(cell: string): string {
  const marks = cell.replace(/\d/g, '')
  const last = marks.slice(-1)
  const isWhole = /\D\d{3}$/.test(cell)
  if (isWhole && marks !== last.repeat(marks.length)) return 'write it without them, and with a dot before the decimals'
  const at = isWhole ? cell.length : cell.lastIndexOf(last)
  const decimals = isWhole ? '' : `.${cell.slice(at + 1)}`
  return `write it as ${cell.slice(0, at).replace(/\D/g, '')}${decimals}`
}

/** Complaints about a sum whose separators have two meanings: 1,250 and 1.250. */
function sum(cell: string): string | null {
  if (/^[1-9]\d{0,2}[.,]\d{3}$/.test(cell)) {
    return `${cell} can mean ${cell.replace(/[.,]/, '')} and ${cell.replace(',', '.')}: write it without separators`
  }
  if (/^[1-9]\d{0,2}(?:[,.'’\u00A0\u202F ]\d{3})+(?:[.,]\d+)?$/.test(cell)) {
    return `${cell} has separators between its digits: ${withoutSeparators(cell)}`
  }
  if (/^\d+,\d+$/.test(cell)) return `${cell} has a comma before its decimals: write it as ${cell.replace(',', '.')}`
  if (/^\d+\.\d{6,}$/.test(cell)) return `${cell} was calculated with floating point: round it to 2 decimals`
  return null
}

const only: Readonly<Record<Kind, (cell: string) => string | null>> = {
  sum,
  date: (cell) =>
    /^\d{4,5}(?:\.\d+)?$/.test(cell)
      ? `${cell} is a date as a spreadsheet counts its days: format the column as text, dd.MM.yyyy`
      : null,
  // Companies have 9 digits and persons 11.
  identity: (cell) =>
    /^(?:\d{8}|\d{10})$/.test(cell)
      ? `${cell} has ${cell.length} digits, 9 or 11 would be right: a zero before it was lost, or a digit`
      : null,
  text: () => null,
}

/**
 * The damage of a cell, in words that follow its place. `isNumber`: the file itself says that it is a number, so that its point has
 * one meaning.
 */
export function damageOf(field: string, cell: string, isNumber: boolean): string | null {
  const kind = kinds[field] ?? 'text'
  if (isNumber && kind === 'sum' && !/\d{6}$/.test(cell)) return damageOfAnyKind(cell, kind)
  return damageOfAnyKind(cell, kind) ?? only[kind](cell)
}

export class SeenKeys {
  readonly #rows = new Map<string, number>()

  /** The row in which the key stood before; null for a new key, which is kept. */
  rowBefore(key: string, row: number): number | null {
    const before = this.#rows.get(key)
    if (before === undefined) this.#rows.set(key, row)
    return before ?? null
  }
}
