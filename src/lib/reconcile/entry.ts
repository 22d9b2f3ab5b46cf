/**
 * One entry of a camt as bookings. Banks book many payments as one entry, put charges inside or beside them, leave out what they
 * told above, and put the text of a single payment at the entry: here all of that gets one form.
 */
import { Values } from '../batch/read/xml.ts'
import { fromMinorUnits } from '../contract/core/decimal.ts'
import {
  type Booking,
  bareBooking,
  commonText,
  dayOf,
  effectOf,
  ownText,
  refusedFile,
  type Sum,
  signedUnits,
} from './statement.ts'

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

/** EndToEndIds that mean that there is none. */
const noReference: ReadonlySet<string> = new Set(['NOTPROVIDED', 'NOT PROVIDED', 'NOREF', 'NONREF'])

export function isReference(text: string): boolean {
  return text !== '' && !noReference.has(text.toUpperCase())
}

export function readEntry(values: Values, details: readonly Values[], where: Where): Entry {
  const sum = sumIn(values.one('amount'))
  const direction = directionIn(values)
  const reference = ownText(values.one('bankReference') ?? values.one('reference') ?? String(where.number))
  if (!sum || direction === null) {
    const what = sum ? 'is neither CRDT nor DBIT' : `has no sum to the cent: ${values.one('amount') ?? 'none'}`
    throw refusedFile(where.file, `has an entry that cannot be read: entry ${where.number} (${reference}) ${what}`)
  }
  const day = dayOf(values.one('day')) ?? dayOf(values.one('valueDay'))
  const effect = direction === 'debit' ? -sum.units : sum.units
  const common: Common = {
    ...{ statement: where.statement, entry: reference, day: day === null ? null : commonText(day), direction },
    isReversal: /^(?:true|1)$/.test(values.one('reversal') ?? ''),
    isFee: isFee(values),
  }
  const several = details.length > 1
  // Without details, the entry itself is the payment; sum and text of the entry are those of a single one only.
  const bookings = several
    ? withRest(
        details.map((each) => bookingOf(each, common, null, null)),
        effect,
        sum.currency,
      )
    : [asBatch(bookingOf(details[0] ?? new Values(), common, sum, values.one('text') ?? null), values)]
  return {
    isBooked: (values.one('status') ?? 'BOOK') === 'BOOK',
    ...{ effect, currency: sum.currency, day, bookings },
  }
}

/** The total of a batch whose payments the bank does not list is a booking of so many payments. */
function asBatch(booking: Booking, entry: Values): Booking {
  const payments = Number(entry.one('payments') ?? 1)
  if (!(payments > 1) || booking.references.length > 0 || booking.endToEndId !== null) return booking
  return { ...booking, payments, text: booking.text ?? textOrNull(entry.one('batch')) }
}

function directionIn(values: Values): Booking['direction'] | null {
  const text = values.one('direction')
  return text === 'DBIT' ? 'debit' : text === 'CRDT' ? 'credit' : null
}

function isFee(values: Values): boolean {
  return fees.has(values.one('purpose') ?? '')
}

function textOrNull(text: string | null | undefined): string | null {
  return text ? ownText(text) : null
}

/** What an entry says of all its payments. */
interface Common extends Pick<Booking, 'statement' | 'entry' | 'day' | 'direction'> {
  readonly isReversal: boolean
  readonly isFee: boolean
}

/** `whole` and `textAbove`: sum and text of the entry, where this is its only payment. */
function bookingOf(values: Values, common: Common, whole: Sum | null, textAbove: string | null): Booking {
  const { statement, entry, day } = common
  const direction = directionIn(values) ?? common.direction
  const ordered = sumIn(values.one('ordered'))
  const sum = whole ?? sumIn(values.one('amount')) ?? sumIn(values.one('booked')) ?? ordered
  const isOut = direction === 'debit'
  const reason = values.one('returnReason') ?? values.one('returnText')
  const isReturn = !isOut && (common.isReversal || reason !== undefined)
  // Money that comes back names the parties of the payment that it was.
  const party = isOut || isReturn ? 'creditor' : 'debtor'
  const account = values.one(`${party}Account`)
  const endToEndId = values.all('endToEndId').find(isReference)
  const references = [...values.all('reference'), ...values.all('labelled')].filter((each) => each !== endToEndId)
  const lines = [...values.all('text'), ...values.all('moreText')]
  return {
    ...bareBooking,
    ...{ statement, entry, day, direction, sum, ordered },
    charges: chargesIn(values, sum),
    account: account === undefined ? null : commonText(account.replaceAll(' ', '').toUpperCase()),
    name: textOrNull(values.one(party)),
    text: textOrNull((lines.length > 0 ? lines.join(' ') : textAbove)?.slice(0, most.text)),
    endToEndId: textOrNull(endToEndId),
    references: uniqueReferences(references),
    bankReferences: uniqueReferences(values.all('bankReference')),
    ...labelsIn(values),
    isReturn,
    returnReason: isReturn && reason !== undefined ? commonText(reason) : null,
    kind: isOut && (common.isFee || isFee(values)) ? 'charge' : 'payment',
  }
}

function uniqueReferences(references: readonly string[]): readonly string[] {
  const own = new Set(references.filter(isReference))
  return own.size === 0 ? bareBooking.references : [...own].slice(0, most.references).map(ownText)
}

/** References that say what they are: Prtry with its Tp. */
function labelsIn(values: Values): Pick<Booking, 'transactionId' | 'uniqueId' | 'key'> {
  const labels = values.all('label').map((each) => each.replace(/[ _-]/g, '').toLowerCase())
  const byLabel = new Map(values.all('labelled').map((each, at) => [labels[at] ?? '', ownText(each)]))
  const number = byLabel.get('transactionid') ?? ''
  return {
    transactionId: /^\d{1,20}$/.test(number) ? number : null,
    uniqueId: byLabel.get('uniqueid') ?? null,
    key: byLabel.get('key') ?? null,
  }
}

/** Charges inside the sum: the total that is told, or the records, all in the currency of the sum. */
function chargesIn(values: Values, sum: Sum | null): bigint {
  const total = sumIn(values.one('chargesTotal'))
  const told = total ? [total] : values.all('charge').flatMap((each) => sumIn(each) ?? [])
  return told.reduce((all, each) => (each.currency === sum?.currency ? all + each.units : all), 0n)
}

/** The payments of an entry, and one more for the part of its sum that they do not explain. Charges may stand beside their sums. */
function withRest(payments: readonly Booking[], effect: bigint, currency: string): readonly Booking[] {
  const [first] = payments
  if (!first || payments.some(({ sum }) => sum?.currency !== currency)) return payments
  const rest = effect - payments.reduce((all, each) => all + effectOf(each), 0n)
  if (rest === 0n) return payments
  const charges = payments.reduce((all, each) => all + each.charges, 0n)
  if (rest === -charges) return payments.map((each) => ({ ...each, charges: 0n }))
  const { statement, entry, day } = first
  const units = rest < 0n ? -rest : rest
  const unexplained: Booking = {
    ...bareBooking,
    ...{ statement, entry, day, direction: rest < 0n ? 'debit' : 'credit', sum: { units, currency } },
    text: `${currency} ${fromMinorUnits(units)} of this entry is explained by none of its payments`,
    kind: 'rest',
  }
  return [...payments, unexplained]
}
