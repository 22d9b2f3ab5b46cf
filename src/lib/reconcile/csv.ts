/**
 * A statement as CSV: its columns are named as here, or by a map. Nothing is guessed: the map says how numbers and dates are written,
 * and a cell that cannot be read refuses the file.
 */

import type { ColumnMap } from '../batch/read/column-map.ts'
import { delimiterOf, recordsOf } from '../batch/read/csv.ts'
import { BrokenFile, byteOrderMark, decodeText, type Peeked } from '../batch/read/file.ts'
import { isRealDashedDate } from '../contract/date.ts'
import { Failure } from '../failure.ts'
import { isReference } from './entry.ts'
import {
  type BankFile,
  type Booking,
  bareBooking,
  commonText,
  effectOf,
  ownText,
  refusedFile,
  signedUnits,
} from './statement.ts'

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

type Cells = readonly string[]

interface Layout {
  readonly textOf: ReadonlyMap<Field, (cells: Cells) => string>
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
function layoutOf(headers: Cells, map: ColumnMap): Layout {
  const { decimalMark = '.', dateForm: form = 'yyyy-MM-dd', ...constants } = Object.fromEntries(map.constants)
  const textOf = new Map<Field, (cells: Cells) => string>()
  for (const [name, value] of Object.entries(constants)) textOf.set(fieldNamed(name), () => value)
  const columns = new Set<Field>()
  for (const [at, header] of headers.entries()) {
    const field = fieldOf(header, map)
    if (field === null) continue
    if (columns.has(field)) throw badMap(`is needed: two columns are ${field}`)
    columns.add(field)
    textOf.set(field, (cells) => cells[at] ?? '')
  }
  for (const [name, { columns: joined, between }] of map.joins) {
    const places = joined.map((column) => headers.indexOf(column))
    if (places.includes(-1)) throw badMap(`joins a column that the file has not got: ${joined.join(', ')}`)
    const texts = (cells: Cells) => places.map((at) => cells[at]?.trim() ?? '').filter(Boolean)
    textOf.set(fieldNamed(name), (cells) => texts(cells).join(between))
  }
  const hasSums = textOf.has('amount') || (textOf.has('debit') && textOf.has('credit'))
  const missing = [
    ...(hasSums ? [] : ['amount, or debit and credit']),
    ...(['date', 'currency'] as const).filter((each) => !textOf.has(each)),
  ]
  if (missing.length > 0) throw badMap(`is needed: no column is ${missing.join(', ')}`)
  if (decimalMark !== '.' && decimalMark !== ',') throw badMap('has a decimalMark that is neither . nor ,')
  const dateForm = dateForms[form]
  if (!dateForm) throw badMap(`has the dateForm ${form}: ${Object.keys(dateForms).join(', ')} can be read`)
  return { textOf, decimalMark, dateForm }
}

/** Signed minor units of a cell, which may have separators of thousands; null for anything else. */
function unitsIn(cell: string, decimalMark: '.' | ','): bigint | null {
  if (decimalMark === '.') return signedUnits(cell.replace(/^[+-]?\d{1,3}(?:,\d{3})+(?=\.|$)/, withoutMarks))
  const text = cell.replace(/^[+-]?\d{1,3}(?:\.\d{3})+(?=,|$)/, withoutMarks)
  return text.includes('.') ? null : signedUnits(text.replace(',', '.'))
}

const withoutMarks = (digits: string) => digits.replace(/[.,]/g, '')

/** A booking, and the balance after it; null without a column for the balance. */
interface BalancedBooking {
  readonly booking: Booking
  readonly balance: bigint | null
}

/** `number`: that of the row, which names an entry without a name. Throws usage (2) for a cell that cannot be read. */
function readRow(
  file: string,
  { textOf, decimalMark, dateForm }: Layout,
  cells: Cells,
  number: number,
): BalancedBooking {
  const wrong = (what: string) => refusedFile(file, `has ${what} in row ${number}`)
  const text = (field: Field) => (textOf.get(field)?.(cells) ?? '').trim()
  const textOrNull = (field: Field) => ownText(text(field)) || null
  const sum = (field: Field) => {
    const units = unitsIn(text(field), decimalMark)
    if (units !== null) return units
    throw wrong(`the sum ${text(field) || '(none)'}, read with the decimal mark ${decimalMark},`)
  }
  const sumOrNull = (field: Field) => (text(field) === '' ? null : sum(field))

  /** Minor units that the row adds to the balance. */
  const readEffect = () => {
    const [debit, credit] = [sumOrNull('debit'), sumOrNull('credit')]
    if (debit && credit) throw wrong('a debit and a credit')
    if (debit !== null || credit !== null) return (credit ?? 0n) - absolute(debit ?? 0n)
    const units = sum('amount')
    if (!textOf.has('direction')) return units
    const word = text('direction').toUpperCase()
    if (/^(?:D|DBIT|DEBIT|-)$/.test(word)) return -absolute(units)
    if (/^(?:C|CRDT|CREDIT|\+)$/.test(word) && units >= 0n) return units
    throw wrong(`the direction ${word || '(none)'}`)
  }

  const { y = '', m = '', d = '' } = dateForm.exec(text('date'))?.groups ?? {}
  const day = `${y}-${m}-${d}`
  if (!isRealDashedDate(day)) throw wrong(`the date ${text('date') || '(none)'}`)
  const currency = text('currency').toUpperCase()
  if (!/^[A-Z]{3}$/.test(currency)) throw wrong(`the currency ${text('currency') || '(none)'}`)
  const transactionId = textOrNull('transactionId')
  if (transactionId !== null && !/^\d{1,20}$/.test(transactionId)) throw wrong(`the transactionId ${transactionId}`)
  const effect = readEffect()
  const [reference, reason] = [text('reference'), text('returnReason')]
  const booking: Booking = {
    ...bareBooking,
    entry: textOrNull('entry') ?? String(number),
    day: commonText(day),
    direction: effect < 0n ? 'debit' : 'credit',
    sum: { units: absolute(effect), currency: commonText(currency) },
    charges: sumOrNull('charges') ?? 0n,
    account: textOrNull('account')?.replaceAll(' ', '').toUpperCase() ?? null,
    name: textOrNull('name'),
    text: textOrNull('text'),
    endToEndId: isReference(reference) ? ownText(reference) : null,
    transactionId,
    uniqueId: textOrNull('uniqueId'),
    key: textOrNull('key'),
    isReturn: effect >= 0n && reason !== '',
    returnReason: reason === '' ? null : commonText(reason),
  }
  return { booking, balance: textOf.has('balance') ? sum('balance') : null }
}

function absolute(units: bigint): bigint {
  return units < 0n ? -units : units
}

/** The place of the first row whose balance is not the one before and its sum; -1 if all add up. */
function findGap(rows: readonly BalancedBooking[]): number {
  return rows.findIndex(
    ({ booking, balance }, at) => at > 0 && (rows[at - 1]?.balance ?? 0n) + effectOf(booking) !== balance,
  )
}

/** The balances at both ends; nulls without any. Rows may go forwards or backwards in time. Throws where they do not add up. */
function endBalances(file: string, rows: readonly BalancedBooking[]): readonly [bigint | null, bigint | null] {
  if (rows[0]?.balance == null) return [null, null]
  const sorted = [rows, rows.toReversed()].find((each) => findGap(each) < 0)
  const [first, last] = [sorted?.[0], sorted?.at(-1)]
  if (first?.balance != null && last) return [first.balance - effectOf(first.booking), last.balance]
  const entry = rows[findGap(rows)]?.booking.entry
  throw refusedFile(file, `does not add up: the balance of entry ${entry} is not that before it and its sum`)
}

/** Lines in which the header is looked for: banks write a few of their own above it. */
const mostAbove = 30

/** The rows under the header, and what the first of them says of the statement. */
async function readRows(name: string, bytes: Peeked, map: ColumnMap) {
  const mark = byteOrderMark(bytes.start)
  const encoding = mark?.encoding ?? 'UTF-8'
  const isKnown = (header: string) => fieldOf(header.trim(), map) !== null
  const delimiter = delimiterOf(new TextDecoder(encoding).decode(bytes.start), isKnown)
  const rows: BalancedBooking[] = []
  let layout: Layout | null = null
  let [id, account, number] = ['', '', 0]
  for await (const records of recordsOf(decodeText(bytes.all, encoding, mark?.length ?? 0), delimiter)) {
    for (const cells of records) {
      number += 1
      if (layout) {
        if (cells.every((cell) => cell.trim() === '')) continue
        if (rows.length === 0) {
          id = layout.textOf.get('statement')?.(cells).trim() ?? ''
          account = layout.textOf.get('ownAccount')?.(cells).trim() ?? ''
        }
        rows.push(readRow(name, layout, cells, number))
      } else if (cells.filter(isKnown).length > 1) {
        const headers = cells.map((each) => each.trim())
        layout = layoutOf(headers, map)
      } else if (number > mostAbove) break
    }
  }
  if (!layout) throw refusedFile(name, 'has no header that names the columns of a statement, and a --map can name them')
  return { rows, id, account }
}

/** Reads a file whole. Throws usage (2) for one that cannot be read, or does not add up. */
export async function readCsvStatement(name: string, bytes: Peeked, map: ColumnMap): Promise<BankFile> {
  const { rows, id, account } = await readRows(name, bytes, map).catch((error: unknown) => {
    throw error instanceof BrokenFile ? refusedFile(name, error.message) : error
  })
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
