/**
 * One entry of a camt as bookings. Banks book many payments as one entry, put charges inside or beside them, leave out what they
 * told above, and put the text of a single payment at the entry: here all of that gets one form.
 */
import { Values } from '../batch/read/xml.ts'
import { fromMinorUnits } from '../contract/core/decimal.ts'
import { type Booking, commonText, dayOf, effectOf, ownText, refusedFile, type Sum, signedUnits } from './statement.ts'

/** A sum that is not negative; null where there is none or something else. */
export function sumIn(text: string | undefined): Sum | null {
  const [amount = '', currency = ''] = text?.split(' ') ?? []
  const units = signedUnits(amount)
  if (units === null || units < 0n || !/^[A-Z]{3}$/.test(currency)) return null
  return { units, currency: commonText(currency) }
}

export interface Entry {
  /** False of one that is only announced (PDNG, INFO, FUTR). */
  readonly isBooked: boolean
  /** Signed minor units: what it does to the balance. */
  readonly effect: bigint
  readonly currency: string
  readonly day: string | null
  readonly bookings: readonly Booking[]
}

interface Where {
  readonly file: string
  readonly statement: number
  /** Of the entry, from 1. */
  readonly number: number
}

/** Families of the bank's transaction codes that are fees, interest and taxes. */
const fees: ReadonlySet<string> = new Set(['CHRG', 'FEES', 'COMM', 'COME', 'COMI', 'COMT', 'INTR', 'TAXE'])

/** The most references of one payment, and characters of its text, that are kept. */
const most = { references: 20, text: 500 }

const nothing: readonly string[] = []

/** EndToEndIds that mean that there is none. */
const noReference: ReadonlySet<string> = new Set(['NOTPROVIDED', 'NOT PROVIDED', 'NOREF', 'NONREF'])

export function isReference(text: string): boolean {
  return text !== '' && !noReference.has(text.toUpperCase())
}

export function readEntry(values: Values, details: readonly Values[], where: Where): Entry {
  const sum = sumIn(values.one('amount'))
  const direction = directionIn(values.one('direction'))
  const reference = ownText(values.one('bankReference') ?? values.one('reference') ?? String(where.number))
  if (!sum || direction === null) {
    const what = sum ? 'is neither CRDT nor DBIT' : `has no sum to the cent: ${values.one('amount') ?? 'none'}`
    throw refusedFile(where.file, `has an entry that cannot be read: entry ${where.number} (${reference}) ${what}`)
  }
  const day = dayOf(values.one('day')) ?? dayOf(values.one('valueDay'))
  const common = {
    ...{ statement: where.statement, entry: reference, day: day === null ? null : commonText(day) },
    isReversal: values.one('reversal') === 'true' || values.one('reversal') === '1',
    isFee: fees.has(values.one('purpose') ?? ''),
    text: values.one('text') ?? null,
  }
  // Without details, the entry itself is the payment; its text is that of a single one only.
  const payments = (details.length === 0 ? [new Values()] : details).map((each) =>
    bookingOf(
      each,
      { ...common, text: details.length > 1 ? null : common.text },
      direction,
      details.length > 1 ? null : sum,
    ),
  )
  const [only] = payments
  const listed = Number(values.one('payments') ?? 1)
  const isTotal = details.length <= 1 && listed > 1 && only?.references.length === 0 && only.endToEndId === null
  const batch = values.one('batch')
  const bookings =
    isTotal && only
      ? [{ ...only, payments: listed, text: only.text ?? (batch === undefined ? null : ownText(batch)) }]
      : payments
  const effect = direction === 'debit' ? -sum.units : sum.units
  return {
    isBooked: (values.one('status') ?? 'BOOK') === 'BOOK',
    ...{ effect, currency: sum.currency, day },
    bookings: details.length > 1 ? explained(bookings, effect, sum.currency) : bookings,
  }
}

function directionIn(text: string | undefined): Booking['direction'] | null {
  return text === 'DBIT' ? 'debit' : text === 'CRDT' ? 'credit' : null
}

interface Common {
  readonly statement: number
  readonly entry: string
  readonly day: string | null
  readonly isReversal: boolean
  readonly isFee: boolean
  readonly text: string | null
}

/** `whole`: the sum of the entry, where this is its only payment. */
function bookingOf(values: Values, common: Common, above: Booking['direction'], whole: Sum | null): Booking {
  const direction = directionIn(values.one('direction')) ?? above
  const ordered = sumIn(values.one('ordered'))
  const sum = whole ?? sumIn(values.one('amount')) ?? sumIn(values.one('booked')) ?? ordered
  const isOut = direction === 'debit'
  // Money that comes back names the parties of the payment that it was.
  const isReturn =
    !isOut && (common.isReversal || values.one('returnReason') !== undefined || values.one('returnText') !== undefined)
  const account = isOut || isReturn ? values.one('creditorAccount') : values.one('debtorAccount')
  const name = isOut || isReturn ? values.one('creditor') : values.one('debtor')
  const labels = labelledIn(values)
  const endToEndId = values.all('endToEndId').find(isReference)
  const references = [...values.all('reference'), ...labels.others].filter((each) => each !== endToEndId)
  const lines = [...values.all('text'), ...values.all('moreText')]
  const text = (lines.length > 0 ? lines.join(' ') : common.text)?.slice(0, most.text)
  const reason = values.one('returnReason') ?? values.one('returnText')
  return {
    statement: common.statement,
    entry: common.entry,
    day: common.day,
    direction,
    sum,
    ordered,
    charges: chargesIn(values, sum),
    account: account === undefined ? null : commonText(account.replaceAll(' ', '').toUpperCase()),
    name: name === undefined ? null : ownText(name),
    text: text ? ownText(text) : null,
    endToEndId: endToEndId === undefined ? null : ownText(endToEndId),
    references: kept(references),
    bankReferences: kept(values.all('bankReference')),
    transactionId: labels.transactionId,
    uniqueId: labels.uniqueId,
    key: labels.key,
    isReturn,
    returnReason: isReturn && reason !== undefined ? commonText(reason) : null,
    kind: isOut && (common.isFee || fees.has(values.one('purpose') ?? '')) ? 'charge' : 'payment',
    payments: 1,
  }
}

function kept(references: readonly string[]): readonly string[] {
  const own = new Set(references.filter(isReference))
  return own.size === 0 ? nothing : [...own].slice(0, most.references).map((each) => ownText(each))
}

interface Labels {
  readonly transactionId: string | null
  readonly uniqueId: string | null
  readonly key: string | null
  readonly others: readonly string[]
}

/** References that say what they are: Prtry with its Tp. */
function labelledIn(values: Values): Labels {
  const [labels, references] = [values.all('label'), values.all('labelled')]
  const byLabel = new Map(
    references.map((each, at) => [(labels[at] ?? '').replace(/[ _-]/g, '').toLowerCase(), ownText(each)]),
  )
  const number = byLabel.get('transactionid')
  return {
    transactionId: number !== undefined && /^\d{1,20}$/.test(number) ? number : null,
    uniqueId: byLabel.get('uniqueid') ?? null,
    key: byLabel.get('key') ?? null,
    others: references,
  }
}

/** Charges inside the sum: the total that is told, or the records, all in the currency of the sum. */
function chargesIn(values: Values, sum: Sum | null): bigint {
  const total = sumIn(values.one('chargesTotal'))
  const told = total ? [total] : values.all('charge').flatMap((each) => sumIn(each) ?? [])
  return told.reduce((all, each) => (each.currency === sum?.currency ? all + each.units : all), 0n)
}

/** The payments of an entry, and one more for the part of its sum that they do not explain. Charges may stand beside their sums. */
function explained(payments: readonly Booking[], effect: bigint, currency: string): readonly Booking[] {
  const [first] = payments
  if (!first || payments.some(({ sum }) => sum?.currency !== currency)) return payments
  const booked = payments.reduce((all, each) => all + effectOf(each), 0n)
  const charges = payments.reduce((all, each) => all + each.charges, 0n)
  const rest = effect - booked
  if (rest === 0n) return payments
  return rest === -charges
    ? payments.map((each) => ({ ...each, charges: 0n }))
    : [...payments, restBooking(first, rest, currency)]
}

function restBooking({ statement, entry, day }: Booking, rest: bigint, currency: string): Booking {
  const units = rest < 0n ? -rest : rest
  return {
    ...{ statement, entry, day, direction: rest < 0n ? 'debit' : 'credit', sum: { units, currency }, charges: 0n },
    ...{ ordered: null, account: null, name: null, endToEndId: null, references: [], bankReferences: [] },
    ...{ transactionId: null, uniqueId: null, key: null, isReturn: false, returnReason: null, payments: 1 },
    text: `${currency} ${fromMinorUnits(units)} of this entry is explained by none of its payments`,
    kind: 'rest',
  }
}
