/** Makes rows of cells: fields by the layout, damage, the contract, the key. */

import { minorUnits } from '../../../contract/core/decimal.ts'
import { businessKeyInWords, isBusinessKey, textDamage } from '../../../contract/core/text.ts'
import { wrongWithin } from '../../../contract/operation.ts'
import { strangeIn } from '../../../contract/payout/request.ts'
import { tidy, validate } from '../../../contract/validate.ts'
import { BrokenFile } from '../broken.ts'
import type { ReadingOptions } from '../options.ts'
import type { PainPayment } from '../pain001/facts.ts'
import { type BatchRow, type Complaint, complaintAt, type RowRequest } from '../row.ts'
import type { ColumnLayout } from './columns.ts'
import { payoutRows } from './contract.ts'
import { damageOf, isSum } from './damage.ts'
import { SeenKeys } from './keys.ts'
import { isRowName, type PaperMark, paperMarkOf } from './paper.ts'

/** The values of a row by their fields, before any rule. */
export interface Filled {
  readonly number: number
  readonly values: Readonly<Record<string, string>>
  readonly key: string | null
  readonly source: readonly string[]
  readonly payment: PainPayment | null
  /** As of a `BatchRow`. */
  readonly paper?: PaperMark
  /** Complaints that are known already, by the field that they are about; the rules add none to it. */
  readonly wrong: ReadonlyMap<string, string>
}

/** The place of a field or of the key ('') in a row. */
export type PlaceOf = (field: string) => { readonly column: number | null; readonly header: string | null }

/** Rows after which a file without a single good one is read no further: fifty megabytes of nonsense shall end soon. */
const mostWithoutAny = 100_000

export class RowMaker {
  readonly #options: Pick<ReadingOptions, 'circumstances' | 'contract'>
  readonly #placeOf: PlaceOf
  readonly #wrongHeader: ReadonlySet<string> | null
  readonly #seen = new SeenKeys()
  readonly #totals = new Map<string, bigint>()
  #rows = 0
  #refused = 0

  /**
   * `wrongHeader`: the fields that no column gives, of a file whose header is wrong. Its rows are checked as far as they can be,
   * and no row is given.
   */
  constructor(
    options: Pick<ReadingOptions, 'circumstances' | 'contract'>,
    placeOf: PlaceOf,
    wrongHeader: ReadonlySet<string> | null = null,
  ) {
    this.#options = options
    this.#placeOf = placeOf
    this.#wrongHeader = wrongHeader
  }

  get told() {
    return { rows: this.#rows, refused: this.#refused, totals: this.#totals }
  }

  /** The row, or everything that is wrong with it. */
  make(filled: Filled): readonly [BatchRow] | readonly Complaint[] {
    const { number, key, source, payment, paper, wrong } = filled
    const { circumstances, contract = payoutRows } = this.#options
    const values = tidy(contract.operation, filled.values)
    this.#rows += 1
    this.#mustHaveSense()
    this.#count(values)
    const complaints: Complaint[] = []
    const complain = (field: string, message: string) =>
      complaints.push(complaintAt({ row: number, ...this.#placeOf(field) }, message))
    for (const [field, message] of wrong) complain(field, message)
    const damaged = damagedTexts(filled)
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
      const own = paper && key !== null && isRowName(key) ? null : key
      const request = checked.request as RowRequest
      return [{ kind: 'row', number, request, key: own, source, payment, ...(paper ? { paper } : {}) }]
    }
    this.#refused += 1
    return complaints
  }

  /** A row of which not even the cells can be told apart. */
  broken(number: number, message: string): readonly Complaint[] {
    this.#rows += 1
    this.#mustHaveSense()
    this.#refused += 1
    return [complaintAt({ row: number }, message)]
  }

  #mustHaveSense(): void {
    if (this.#refused < mostWithoutAny || this.#refused < this.#rows - 1) return
    const { noun } = this.#options.contract ?? payoutRows
    throw new BrokenFile(`is read no further: none of ${mostWithoutAny} rows is ${noun}`, 'as a whole')
  }

  #count({ amount, currency }: Readonly<Record<string, unknown>>): void {
    const units = typeof amount === 'string' ? minorUnits(amount) : null
    if (units === null || typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return
    this.#totals.set(currency, (this.#totals.get(currency) ?? 0n) + units)
  }

  #aboutKey(key: string, row: number): string | null {
    if (key === '') return 'is empty, and it is the key of the row'
    const damage = textDamage(key)
    if (damage !== null) return `${damage}; it is the key of the row`
    if (!isBusinessKey(key)) return `must be ${businessKeyInWords}, as it is the key of the row`
    const before = this.#seen.rowBefore(key, row)
    return before === null ? null : `has the key of row ${before} once more: ${key}`
  }
}

/** Texts with characters that nobody writes on purpose; one that is known to be wrong gets no second complaint. */
function damagedTexts({ values, wrong }: Filled): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const [field, text] of Object.entries(values)) {
    const damage = wrong.has(field) ? null : textDamage(text)
    if (damage !== null) found.set(field, damage)
  }
  return found
}

/** A currency that a cell shows beside its number. */
export interface ShownCurrency {
  /** As it is shown. */
  readonly sign: string
  /** Null where the sign stands for none in which payouts are made. */
  readonly currency: string | null
}

/** A cell that a file itself calls a number: why it is no sum, and why its digits are no text; null where they are. */
export interface NumberInCell {
  /** Decimal text where it is a sum, else the text of the file. */
  readonly sum: string
  readonly currencies: readonly ShownCurrency[]
  readonly asSum: string | null
  readonly asText: string | null
}

/** Cells that a file itself calls numbers; null where damage is not looked for. */
type Numbers = ReadonlyMap<number, NumberInCell> | null

/** The fields of a row of cells, with the damage that a spreadsheet did to them. */
export function filledFrom(layout: ColumnLayout, number: number, texts: readonly string[], numbers: Numbers): Filled {
  const values: Record<string, string> = { ...layout.constants }
  const cells = [...texts]
  for (const at of layout.fields.filter(({ name }) => isSum(name)).flatMap((field) => field.cells)) {
    cells[at] = numbers?.get(at)?.sum ?? cells[at] ?? ''
  }
  const wrong = new Map<string, string>()
  const look = (field: string, at: number) => {
    const number = numbers?.get(at)
    const shown = (isSum(field) ? number?.asSum : number?.asText) ?? null
    const damage = numbers === null ? null : (damageOf(field, cells[at] ?? '', number !== undefined) ?? shown)
    if (damage !== null && !wrong.has(field)) wrong.set(field, damage)
  }
  for (const { name, cells: places, between } of layout.fields) {
    const given = places.filter((at) => cells[at] !== undefined && cells[at] !== '')
    if (given.length === 0) continue
    values[name] = given.map((at) => cells[at]).join(between)
    for (const at of given) look(name, at)
  }
  for (const { name, cells: places } of layout.fields.filter((field) => isSum(field.name))) {
    const shown = places.flatMap((at) => numbers?.get(at)?.currencies ?? [])
    const other = shown.find(({ currency }) => currency !== values.currency?.trim())
    if (other === undefined || values.currency === undefined || wrong.has(name)) continue
    const meant = other.currency === null || other.currency === other.sign ? '' : ` (${other.currency})`
    wrong.set(name, `shows ${other.sign}${meant} by its number format, and the row says ${values.currency}`)
  }
  const { keyAt } = layout
  if (keyAt !== null) look('', keyAt)
  const key = keyAt === null || wrong.has('') ? null : (cells[keyAt] ?? '')
  const paper = paperMarkOf((header) => cells[layout.headers.indexOf(header)])
  return { number, values, key, source: cells, payment: null, ...(paper ? { paper } : {}), wrong }
}

/** The places of the fields in a layout of columns. */
export function placesIn({ headers, fields, keyAt }: ColumnLayout): PlaceOf {
  const places = new Map(fields.map(({ name, cells }) => [name, cells[0] ?? null]))
  return (field) => {
    const at = field === '' ? keyAt : (places.get(field) ?? null)
    return { column: at === null ? null : at + 1, header: at === null ? field : (headers[at] ?? field) }
  }
}
