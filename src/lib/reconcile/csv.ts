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
import { type BankFile, type Booking, commonText, effectOf, ownText, refusedFile, signedUnits } from './statement.ts'

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
  readonly sources: ReadonlyMap<Field, (cells: readonly string[]) => string>
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

/** The field that a header stands for; null for none. */
function fieldOf(header: string, map: ColumnMap): Field | null {
  if (map.ignored.has(header)) return null
  const mapped = map.columns.get(header)
  return mapped === undefined ? (byPlainName.get(plain(header)) ?? null) : fieldNamed(mapped)
}

/** Throws usage (2) for a map that does not fit the header, and for a header that lacks what a statement must have. */
function layoutOf(headers: readonly string[], map: ColumnMap): Layout {
  const sources = new Map<Field, (cells: readonly string[]) => string>()
  for (const [name, value] of map.constants) {
    if (name !== 'decimalMark' && name !== 'dateForm') sources.set(fieldNamed(name), () => value)
  }
  const columns = new Set<Field>()
  for (const [at, header] of headers.entries()) {
    const field = fieldOf(header, map)
    if (field === null) continue
    if (columns.has(field)) throw badMap(`is needed: two columns are ${field}`)
    columns.add(field)
    sources.set(field, (cells) => cells[at] ?? '')
  }
  for (const [name, { columns: joined, between }] of map.joins) {
    const places = joined.map((column) => headers.indexOf(column))
    if (places.includes(-1)) throw badMap(`joins a column that the file has not got: ${joined.join(', ')}`)
    const texts = (cells: readonly string[]) => places.map((at) => cells[at]?.trim() ?? '').filter(Boolean)
    sources.set(fieldNamed(name), (cells) => texts(cells).join(between))
  }
  const hasSums = sources.has('amount') || (sources.has('debit') && sources.has('credit'))
  const missing = [
    ...(hasSums ? [] : ['amount, or debit and credit']),
    ...(['date', 'currency'] as const).filter((each) => !sources.has(each)),
  ]
  if (missing.length > 0) throw badMap(`is needed: no column is ${missing.join(', ')}`)
  const [mark = '.', form = 'yyyy-MM-dd'] = [map.constants.get('decimalMark'), map.constants.get('dateForm')]
  if (mark !== '.' && mark !== ',') throw badMap('has a decimalMark that is neither . nor ,')
  const dateForm = dateForms[form]
  if (!dateForm) throw badMap(`has the dateForm ${form}: ${Object.keys(dateForms).join(', ')} can be read`)
  return { sources, decimalMark: mark, dateForm }
}

/** Reads the cells of one row. Throws usage (2) for a cell that cannot be read. */
class Row {
  readonly #wrong: (what: string) => Failure
  readonly #layout: Layout
  readonly #cells: readonly string[]

  constructor(layout: Layout, cells: readonly string[], wrong: (what: string) => Failure) {
    this.#layout = layout
    this.#cells = cells
    this.#wrong = wrong
  }

  text(field: Field): string {
    return (this.#layout.sources.get(field)?.(this.#cells) ?? '').trim()
  }

  #own(field: Field): string | null {
    return ownText(this.text(field)) || null
  }

  /** The minor units of a field; null without a text. */
  #units(field: Field): bigint | null {
    const cell = this.text(field)
    if (cell === '') return null
    const { decimalMark } = this.#layout
    const thousands =
      decimalMark === '.' ? /^([+-]?\d{1,3}),(\d{3},)*(?=\d{3}(?:\.|$))/ : /^([+-]?\d{1,3})\.(\d{3}\.)*(?=\d{3}(?:,|$))/
    const [whole] = thousands.exec(cell) ?? ['']
    const text = whole.replace(/[.,]/g, '') + cell.slice(whole.length)
    const wrongMark = decimalMark === ',' && text.includes('.')
    const units = wrongMark ? null : signedUnits(decimalMark === ',' ? text.replace(',', '.') : text)
    if (units === null) throw this.#wrong(`the sum ${cell}, read with the decimal mark ${decimalMark},`)
    return units
  }

  #noSum(): Failure {
    return this.#wrong(`the sum (none), read with the decimal mark ${this.#layout.decimalMark},`)
  }

  /** The balance after the row; null without such a column. */
  balance(): bigint | null {
    if (!this.#layout.sources.has('balance')) return null
    const units = this.#units('balance')
    if (units === null) throw this.#noSum()
    return units
  }

  /** Minor units that the row adds to the balance. */
  #effect(): bigint {
    const [debit, credit] = [this.#units('debit'), this.#units('credit')]
    if (debit !== null || credit !== null) {
      if (debit && credit) throw this.#wrong('a debit and a credit')
      const out = debit ?? 0n
      return (credit ?? 0n) - (out < 0n ? -out : out)
    }
    const units = this.#units('amount')
    if (units === null) throw this.#noSum()
    if (!this.#layout.sources.has('direction')) return units
    const word = this.text('direction').toUpperCase()
    if (/^(?:D|DBIT|DEBIT|-)$/.test(word)) return units < 0n ? units : -units
    if (/^(?:C|CRDT|CREDIT|\+)$/.test(word) && units >= 0n) return units
    throw this.#wrong(`the direction ${word || '(none)'}`)
  }

  #day(): string {
    const cell = this.text('date')
    const { y = '', m = '', d = '' } = this.#layout.dateForm.exec(cell)?.groups ?? {}
    const day = `${y}-${m}-${d}`
    if (!isRealDashedDate(day)) throw this.#wrong(`the date ${cell || '(none)'}`)
    return commonText(day)
  }

  #currency(): string {
    const cell = this.text('currency')
    if (!/^[A-Z]{3}$/i.test(cell)) throw this.#wrong(`the currency ${cell || '(none)'}`)
    return commonText(cell.toUpperCase())
  }

  #transactionId(): string | null {
    const id = this.#own('transactionId')
    if (id !== null && !/^\d{1,20}$/.test(id)) throw this.#wrong(`the transactionId ${id}`)
    return id
  }

  /** `number`: that of the row, for an entry without a name. */
  booking(number: number): Booking {
    const effect = this.#effect()
    const direction = effect < 0n ? 'debit' : 'credit'
    const [reference, reason] = [this.text('reference'), this.text('returnReason')]
    return {
      statement: 0,
      entry: this.#own('entry') ?? String(number),
      day: this.#day(),
      direction,
      sum: { units: effect < 0n ? -effect : effect, currency: this.#currency() },
      charges: this.#units('charges') ?? 0n,
      ordered: null,
      account: this.#own('account')?.replaceAll(' ', '').toUpperCase() ?? null,
      name: this.#own('name'),
      text: this.#own('text'),
      endToEndId: isReference(reference) ? ownText(reference) : null,
      references: [],
      bankReferences: [],
      transactionId: this.#transactionId(),
      uniqueId: this.#own('uniqueId'),
      key: this.#own('key'),
      isReturn: direction === 'credit' && reason !== '',
      returnReason: reason === '' ? null : commonText(reason),
      kind: 'payment',
      payments: 1,
    }
  }
}

/** A booking, and the balance after it; null without a column for it. */
interface BalancedBooking {
  readonly booking: Booking
  readonly balance: bigint | null
}

/** The place of the first row whose balance is not the one before and its sum; -1 if all add up. */
function firstGap(rows: readonly BalancedBooking[]): number {
  return rows.findIndex(
    ({ booking, balance }, at) => at > 0 && (rows[at - 1]?.balance ?? 0n) + effectOf(booking) !== balance,
  )
}

/** The balances at both ends; nulls without any. Rows may go forwards or backwards in time. Throws where they do not add up. */
function endBalances(file: string, rows: readonly BalancedBooking[]): readonly [bigint | null, bigint | null] {
  if (rows.some(({ balance }) => balance === null)) return [null, null]
  const sorted = [rows, rows.toReversed()].find((each) => firstGap(each) < 0)
  if (!sorted) {
    const entry = rows[firstGap(rows)]?.booking.entry
    throw refusedFile(file, `does not add up: the balance of entry ${entry} is not that before it and its sum`)
  }
  const [first, last] = [sorted[0], sorted.at(-1)]
  return [first && first.balance !== null ? first.balance - effectOf(first.booking) : null, last?.balance ?? null]
}

/** Lines in which the header is looked for: banks write a few of their own above it. */
const mostAbove = 30

/** Reads a file whole. Throws usage (2) for one that cannot be read, or does not add up. */
export async function readCsvStatement(name: string, bytes: Peeked, map: ColumnMap): Promise<BankFile> {
  const mark = markOf(bytes.start)
  const encoding = mark?.encoding ?? 'UTF-8'
  const isKnown = (header: string) => fieldOf(header.trim(), map) !== null
  const delimiter = delimiterOf(new TextDecoder(encoding).decode(bytes.start), isKnown)
  const rows: BalancedBooking[] = []
  let layout: Layout | null = null
  let [id, account] = ['', '']
  let number = 0
  try {
    for await (const records of recordsOf(decodeText(bytes.all, encoding, mark?.length ?? 0), delimiter)) {
      for (const cells of records) {
        number += 1
        if (!layout) {
          const isHeader = cells.filter(isKnown).length > 1
          if (isHeader)
            layout = layoutOf(
              cells.map((each) => each.trim()),
              map,
            )
          else if (number > mostAbove) break
          continue
        }
        if (cells.every((cell) => cell.trim() === '')) continue
        const at = number
        const row = new Row(layout, cells, (what) => refusedFile(name, `has ${what} in row ${at}`))
        if (rows.length === 0) [id, account] = [row.text('statement'), row.text('ownAccount')]
        rows.push({ booking: row.booking(number), balance: row.balance() })
      }
    }
  } catch (error) {
    throw error instanceof BrokenFile ? refusedFile(name, error.message) : error
  }
  if (!layout) throw refusedFile(name, 'has no header that names the columns of a statement, and a --map can name them')
  const bookings = rows.map(({ booking }) => booking)
  const currencies = [...new Set(bookings.flatMap(({ sum }) => sum?.currency ?? []))]
  if (currencies.length > 1)
    throw refusedFile(name, `has entries in ${currencies.join(' and ')}: one account has one currency`)
  const [opening, closing] = endBalances(name, rows)
  const days = bookings.flatMap(({ day }) => day ?? []).toSorted()
  const statement = {
    id: id || name,
    account: account.replaceAll(' ', '').toUpperCase() || null,
    currency: currencies[0] ?? null,
    from: days[0] ?? null,
    to: days.at(-1) ?? null,
    opening,
    closing,
  }
  const unchecked = 'no column has the balance, so missing entries cannot be detected'
  return { name, format: 'csv', statements: [statement], bookings, warnings: opening === null ? [unchecked] : [] }
}
