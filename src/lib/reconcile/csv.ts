/**
 * A statement as CSV: the columns are named as here, or a map says which is which. Nothing is guessed: how numbers and dates are
 * written stands in the map, and a cell that is neither is the end.
 */

import type { ColumnMap } from '../batch/read/column-map.ts'
import { delimiterOf, recordsOf } from '../batch/read/csv.ts'
import { BrokenFile, decodeText, markOf, type Peeked } from '../batch/read/file.ts'
import { isRealDashedDate } from '../contract/date.ts'
import { Failure } from '../failure.ts'
import { isReference } from './entry.ts'
import { type BankFile, type Booking, effectOf, mustBalance, ownText, refusedFile, signedUnits } from './statement.ts'

/** The columns, and in which words a map may speak of numbers and dates (as constants). */
export const csvFields = {
  date: 'day of booking',
  amount: 'signed sum: money that leaves is negative',
  debit: 'sum that leaves, in a column of its own',
  credit: 'sum that comes in, in a column of its own',
  direction: 'D or C, DBIT or CRDT, where amount has no sign',
  currency: 'ISO code, such as GEL',
  charges: 'charges inside the sum',
  account: 'account at the other side',
  name: 'name at the other side',
  text: 'text of the payment',
  reference: 'EndToEndId, or another reference',
  key: 'key of the payout',
  uniqueId: 'uniqueId of the payout',
  transactionId: 'transactionId of the service',
  entry: "the bank's number of the entry",
  returnReason: 'reason code of money that comes back, such as AC04',
  balance: 'balance of the account after the entry',
  statement: 'name of the statement',
  ownAccount: 'the account that this is a statement of',
} as const

const settings = ['decimalMark', 'dateForm'] as const

type Field = keyof typeof csvFields

const fieldNames = Object.keys(csvFields) as Field[]

const plain = (header: string) => header.toLowerCase().replace(/[^a-z0-9]/g, '')
const byPlainName = new Map(fieldNames.map((name) => [plain(name), name]))

const dateForms: Readonly<Record<string, RegExp>> = {
  'yyyy-MM-dd': /^(?<y>\d{4})-(?<m>\d\d)-(?<d>\d\d)(?:[T ].*)?$/s,
  'dd.MM.yyyy': /^(?<d>\d\d)\.(?<m>\d\d)\.(?<y>\d{4})(?: .*)?$/s,
  'dd/MM/yyyy': /^(?<d>\d\d)\/(?<m>\d\d)\/(?<y>\d{4})(?: .*)?$/s,
  'MM/dd/yyyy': /^(?<m>\d\d)\/(?<d>\d\d)\/(?<y>\d{4})(?: .*)?$/s,
  yyyyMMdd: /^(?<y>\d{4})(?<m>\d\d)(?<d>\d\d)$/,
}

/** How the cells of a file are read. */
interface Layout {
  readonly cellOf: (field: Field, cells: readonly string[]) => string
  readonly has: (field: Field) => boolean
  readonly decimalMark: '.' | ','
  readonly dateForm: RegExp
}

function badMap(why: string): Failure {
  return new Failure('usage', `--map ${why}`)
}

function fieldNamed(name: string): Field {
  const field = byPlainName.get(plain(name))
  if (field) return field
  throw badMap(`names ${name}, which a statement has not got: it has ${fieldNames.join(', ')}`)
}

function settingsIn({ constants }: ColumnMap): Pick<Layout, 'decimalMark' | 'dateForm'> {
  const [mark, form] = settings.map((name) => constants.get(name))
  if (mark !== undefined && mark !== '.' && mark !== ',') throw badMap('has a decimalMark that is neither . nor ,')
  const dateForm = dateForms[form ?? 'yyyy-MM-dd']
  if (!dateForm) throw badMap(`has the dateForm ${form}: ${Object.keys(dateForms).join(', ')} can be read`)
  return { decimalMark: mark ?? '.', dateForm }
}

/** The field that a header stands for; null for none. */
function fieldOf(header: string, map: ColumnMap): Field | null {
  if (map.ignored.has(header)) return null
  const mapped = map.columns.get(header)
  return mapped === undefined ? (byPlainName.get(plain(header)) ?? null) : fieldNamed(mapped)
}

function layoutOf(headers: readonly string[], map: ColumnMap): Layout {
  const columns = new Map<Field, number>()
  for (const [at, header] of headers.entries()) {
    const field = fieldOf(header, map)
    if (field !== null && columns.has(field)) throw badMap(`is needed: two columns are ${field}`)
    if (field !== null) columns.set(field, at)
  }
  const constants = new Map<Field, string>()
  for (const [name, value] of map.constants) {
    if (!(settings as readonly string[]).includes(name)) constants.set(fieldNamed(name), value)
  }
  const joins = new Map<Field, { readonly places: readonly number[]; readonly between: string }>()
  for (const [name, join] of map.joins) {
    const places = join.columns.map((column) => headers.indexOf(column))
    if (places.includes(-1)) throw badMap(`joins a column that the file has not got: ${join.columns.join(', ')}`)
    joins.set(fieldNamed(name), { places, between: join.between })
  }
  const cellOf = (field: Field, cells: readonly string[]) => {
    const join = joins.get(field)
    if (join)
      return join.places
        .map((at) => cells[at]?.trim() ?? '')
        .filter(Boolean)
        .join(join.between)
    return (cells[columns.get(field) ?? -1] ?? constants.get(field) ?? '').trim()
  }
  const has = (field: Field) => columns.has(field) || constants.has(field) || joins.has(field)
  const hasSums = has('amount') || (has('debit') && has('credit'))
  const missing = [
    ...(hasSums ? [] : ['amount, or debit and credit']),
    ...(['date', 'currency'] as const).filter((each) => !has(each)),
  ]
  if (missing.length > 0) throw badMap(`is needed: no column is ${missing.join(', ')}`)
  return { cellOf, has, ...settingsIn(map) }
}

/** Reads rows, and keeps what the balances say. */
class Rows {
  readonly bookings: Booking[] = []
  readonly #file: string
  readonly #layout: Layout
  readonly #balances: bigint[] = []
  number = 1

  constructor(file: string, layout: Layout) {
    this.#file = file
    this.#layout = layout
  }

  read(cells: readonly string[]): void {
    this.number += 1
    if (cells.every((cell) => cell.trim() === '')) return
    const { cellOf, has } = this.#layout
    const cell = (field: Field) => cellOf(field, cells)
    const signed = this.#signed(cell)
    const currency = cell('currency').toUpperCase()
    if (!/^[A-Z]{3}$/.test(currency)) throw this.#wrong(`the currency ${cell('currency') || '(none)'}`)
    const reference = cell('reference')
    const number = cell('transactionId')
    if (number !== '' && !/^\d{1,20}$/.test(number)) throw this.#wrong(`the transactionId ${number}`)
    const direction = signed < 0n ? 'debit' : 'credit'
    const reason = cell('returnReason')
    const text = (field: Field) => (cell(field) === '' ? null : ownText(cell(field)))
    this.bookings.push({
      ...{
        statement: 0,
        entry: ownText(cell('entry') || String(this.number)),
        day: this.#day(cell('date')),
        direction,
      },
      sum: { units: signed < 0n ? -signed : signed, currency: ownText(currency, true) },
      charges: has('charges') ? this.#units(cell('charges') || '0') : 0n,
      ordered: null,
      account: text('account')?.replaceAll(' ', '').toUpperCase() ?? null,
      ...{ name: text('name'), text: text('text'), uniqueId: text('uniqueId'), key: text('key') },
      endToEndId: isReference(reference) ? ownText(reference) : null,
      references: [],
      bankReferences: [],
      transactionId: number === '' ? null : ownText(number),
      ...{
        isReturn: direction === 'credit' && reason !== '',
        returnReason: reason === '' ? null : ownText(reason, true),
      },
      ...{ kind: 'payment', payments: 1 },
    })
    if (has('balance')) this.#balances.push(this.#units(cell('balance')))
  }

  #wrong(what: string): Failure {
    return refusedFile(this.#file, `has ${what} in row ${this.number}`)
  }

  #units(cell: string): bigint {
    const { decimalMark } = this.#layout
    const thousands =
      decimalMark === '.' ? /^([+-]?\d{1,3}),(\d{3},)*(?=\d{3}(?:\.|$))/ : /^([+-]?\d{1,3})\.(\d{3}\.)*(?=\d{3}(?:,|$))/
    const [whole] = thousands.exec(cell) ?? ['']
    const text = whole.replace(/[.,]/g, '') + cell.slice(whole.length)
    const wrongMark = decimalMark === ',' && text.includes('.')
    const units = wrongMark ? null : signedUnits(decimalMark === ',' ? text.replace(',', '.') : text)
    if (units === null) throw this.#wrong(`the sum ${cell || '(none)'}, read with the decimal mark ${decimalMark},`)
    return units
  }

  #signed(cell: (field: Field) => string): bigint {
    const [debit, credit] = [cell('debit'), cell('credit')]
    if (debit !== '' || credit !== '') {
      if (debit !== '' && credit !== '' && this.#units(debit) !== 0n && this.#units(credit) !== 0n)
        throw this.#wrong('a debit and a credit')
      const [out, into] = [debit, credit].map((each) => (each === '' ? 0n : this.#units(each)))
      const left = out ?? 0n
      return (into ?? 0n) - (left < 0n ? -left : left)
    }
    const units = this.#units(cell('amount'))
    if (!this.#layout.has('direction')) return units
    const word = cell('direction').toUpperCase()
    if (/^(?:D|DBIT|DEBIT|-)$/.test(word)) return units < 0n ? units : -units
    if (/^(?:C|CRDT|CREDIT|\+)$/.test(word) && units >= 0n) return units
    throw this.#wrong(`the direction ${word || '(none)'}`)
  }

  #day(cell: string): string {
    const { y = '', m = '', d = '' } = this.#layout.dateForm.exec(cell)?.groups ?? {}
    const day = `${y}-${m}-${d}`
    if (!isRealDashedDate(day)) throw this.#wrong(`the date ${cell || '(none)'}`)
    return ownText(day, true)
  }

  /** The balances at both ends; nulls without any. Rows may go forwards or backwards in time. Throws where they do not add up. */
  ends(id: string): readonly [bigint | null, bigint | null] {
    const [first, last] = [this.bookings[0], this.bookings.at(-1)]
    const [begin, end] = [this.#balances[0], this.#balances.at(-1)]
    if (!first || !last || begin === undefined || end === undefined) return [null, null]
    const effects = this.bookings.map(effectOf)
    const isForwards = effects.every(
      (effect, at) => at === 0 || (this.#balances[at - 1] ?? 0n) + effect === this.#balances[at],
    )
    const isBackwards = effects.every(
      (_, at) => at === 0 || (this.#balances[at] ?? 0n) + (effects[at - 1] ?? 0n) === this.#balances[at - 1],
    )
    const [opening, closing] =
      isBackwards && !isForwards ? [end - effectOf(last), begin] : [begin - effectOf(first), end]
    const sum = effects.reduce((all, effect) => all + effect, 0n)
    const currency = first.sum?.currency ?? null
    if (!isForwards && !isBackwards) {
      const at = effects.findIndex(
        (effect, row) => row > 0 && (this.#balances[row - 1] ?? 0n) + effect !== this.#balances[row],
      )
      throw refusedFile(
        this.#file,
        `does not add up: the balance of entry ${this.bookings[at]?.entry ?? ''} is not that before it and its sum`,
      )
    }
    mustBalance(this.#file, { id, currency, opening, closing }, sum)
    return [opening, closing]
  }
}

/** Lines in which the header is looked for: banks write a few of their own above it. */
const mostAbove = 30

/** Reads a file whole. Throws usage (2) for one that cannot be read, or does not add up. */
export async function readCsvStatement(name: string, bytes: Peeked, map: ColumnMap): Promise<BankFile> {
  const mark = markOf(bytes.start)
  const encoding = mark?.encoding ?? 'UTF-8'
  const isKnown = (header: string) => fieldOf(header.trim(), map) !== null
  const delimiter = delimiterOf(new TextDecoder(encoding).decode(bytes.start), isKnown)
  let rows: Rows | null = null
  let layout: Layout | null = null
  let firstCells: readonly string[] = []
  let above = 0
  try {
    for await (const records of recordsOf(decodeText(bytes.all, encoding, mark?.length ?? 0), delimiter)) {
      for (const cells of records) {
        if (rows) {
          if (firstCells.length === 0) firstCells = cells
          rows.read(cells)
        } else if (cells.filter(isKnown).length > 1) {
          layout = layoutOf(
            cells.map((each) => each.trim()),
            map,
          )
          rows = new Rows(name, layout)
          rows.number = above + 1
        } else if (above >= mostAbove) break
        else above += 1
      }
    }
  } catch (error) {
    throw error instanceof BrokenFile ? refusedFile(name, error.message) : error
  }
  if (!rows || !layout)
    throw refusedFile(name, 'has no header that names the columns of a statement, and a --map can name them')
  const { bookings } = rows
  const currencies = new Set(bookings.map(({ sum }) => sum?.currency))
  if (currencies.size > 1)
    throw refusedFile(name, `has entries in ${[...currencies].join(' and ')}: one account has one currency`)
  const id = layout.cellOf('statement', firstCells) || name
  const [opening, closing] = rows.ends(id)
  const days = bookings.flatMap(({ day }) => day ?? []).toSorted()
  const [currency = null] = [...currencies]
  const account = layout.cellOf('ownAccount', firstCells).replaceAll(' ', '').toUpperCase() || null
  const statement = {
    id,
    account,
    currency: currency ?? null,
    from: days[0] ?? null,
    to: days.at(-1) ?? null,
    opening,
    closing,
  }
  const unchecked = 'no column has the balance, so missing entries cannot be detected'
  return { name, format: 'csv', statements: [statement], bookings, warnings: opening === null ? [unchecked] : [] }
}
