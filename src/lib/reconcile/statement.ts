/**
 * A bank's statement as it is read, whatever its format: what was booked, payment by payment, and the balances around it. A
 * statement whose balances do not add up is refused whole, because an entry of it may be missing.
 */

import { fromMinorUnits, minorUnits } from '../contract/core/decimal.ts'
import { isRealDashedDate } from '../contract/date.ts'
import { Failure } from '../failure.ts'
import { hint } from '../hint.ts'

export interface Sum {
  /** Minor units, never below 0. */
  readonly units: bigint
  readonly currency: string
}

/** One payment on a statement. An entry that books many payments at once is as many of them. */
export interface Booking {
  /** Its statement: the place in the list. */
  readonly statement: number
  /** The bank's name of the entry, or its number in the statement. */
  readonly entry: string
  /** The day of booking, yyyy-MM-dd; null where the bank does not tell it. */
  readonly day: string | null
  readonly direction: 'debit' | 'credit'
  /** What was booked; null where the bank tells only the total of a batch. */
  readonly sum: Sum | null
  /** Charges inside that sum, in minor units of its currency. */
  readonly charges: bigint
  readonly ordered: Sum | null
  readonly account: string | null
  readonly name: string | null
  readonly text: string | null
  readonly endToEndId: string | null
  /** Other references that came with the order: InstrId, UETR, a structured reference. */
  readonly references: readonly string[]
  /** References that banks have given it. */
  readonly bankReferences: readonly string[]
  /** Numbers of the service that are labelled as such. */
  readonly transactionId: string | null
  readonly uniqueId: string | null
  readonly key: string | null
  /** Money that comes back: a reversal or a return, with its reason code where there is one. */
  readonly isReturn: boolean
  readonly returnReason: string | null
  /** `charge`: a fee of the bank; `rest`: the part of an entry that its details do not explain. */
  readonly kind: 'payment' | 'charge' | 'rest'
  /** Payments in an entry that has no details; 1 for every other one. */
  readonly payments: number
}

export const bareBooking = {
  ...{ statement: 0, charges: 0n, ordered: null, account: null, name: null, text: null, endToEndId: null },
  ...{ references: [], bankReferences: [], transactionId: null, uniqueId: null, key: null },
  ...{ isReturn: false, returnReason: null, kind: 'payment', payments: 1 },
} as const satisfies Partial<Booking>

export interface Statement {
  readonly id: string
  readonly account: string | null
  readonly currency: string | null
  /** Days, yyyy-MM-dd; null where neither the bank nor an entry tells one. */
  readonly from: string | null
  readonly to: string | null
  /** Minor units; null where the format has no balances. */
  readonly opening: bigint | null
  readonly closing: bigint | null
}

export interface BankFile {
  readonly name: string
  readonly format: 'camt.053' | 'camt.054' | 'csv'
  readonly statements: readonly Statement[]
  readonly bookings: readonly Booking[]
  readonly warnings: readonly string[]
}

/** The failure (2) of a file that is not taken. Nothing of it was used. */
export function refusedFile(name: string, why: string): Failure {
  return new Failure('usage', `${name} ${why}; nothing was compared`, {
    hints: [hint`Download the complete statement from the bank again.`],
  })
}

const decimal = /^[+-]?\d{1,18}(?:\.\d{0,17})?$/

/** Minor units of a decimal as banks write it ("000149.87", "+5", "12.50000"), with its sign; null for anything else. */
export function signedUnits(text: string): bigint | null {
  const plain = text.trim()
  if (!decimal.test(plain)) return null
  const [whole = '', fraction = ''] = plain.replace(/^[+-]/, '').split('.')
  if (/[1-9]/.test(fraction.slice(2))) return null
  const units = minorUnits(`${whole.replace(/^0+(?=\d)/, '')}.${fraction.slice(0, 2).padEnd(2, '0')}`)
  return units !== null && plain.startsWith('-') ? -units : units
}

/** The day of a date or a moment, as the bank wrote it; null for what is none. */
export function dayOf(text: string | undefined): string | null {
  const day = text?.trim().slice(0, 10) ?? ''
  return isRealDashedDate(day) ? day : null
}

/** Signed minor units of a booking: what it does to the balance. */
export function effectOf({ direction, sum }: Pick<Booking, 'direction' | 'sum'>): bigint {
  const units = sum?.units ?? 0n
  return direction === 'debit' ? -units : units
}

export function sumInWords({ units, currency }: Sum): string {
  return `${currency} ${fromMinorUnits(units)}`
}

/** The same text in memory of its own: a part of a text would keep the whole piece of the file alive. */
export function ownText(text: string): string {
  return Buffer.from(text).toString()
}

const common = new Map<string, string>()

/** One copy in memory of a text that comes again and again, such as a day or a currency. */
export function commonText(text: string): string {
  const known = common.get(text)
  if (known !== undefined) return known
  if (common.size > 10_000) common.clear()
  const copy = ownText(text)
  common.set(copy, copy)
  return copy
}
