/** A payout beside the booking that names it: in what they differ, in words; null where they agree. */
import type { State } from '../journal/verdict.ts'
import { type Booking, type Sum, sumInWords } from './statement.ts'

export interface Payout extends Sum {
  readonly journalId: string
  readonly key: string | null
  readonly uniqueId: string
  readonly transactionId: string | null
  /** The IBAN that it was sent to; null for a registered receiver. */
  readonly account: string | null
  /** The account that it names as debited; null where it names none. */
  readonly fromAccount: string | null
  /** The day at the service on which it was opened. */
  readonly day: string
  readonly state: State
  /** The status in which it ended unpaid; null where it did not. */
  readonly unpaidStatus: string | null
  /** It waits for money: the bank has not got it yet. */
  readonly isWaiting: boolean
  /** The words of what stands against it in the journal; null for nothing. */
  readonly conflict: string | null
}

export const isExecuted = ({ state }: Payout) => state === 'accepted' || state === 'exists'

/** The sums for which a booking may stand: what was booked, and the same without the charges inside. */
export function sumsOf({ sum, charges }: Booking): readonly Sum[] {
  if (sum === null) return []
  return charges > 0n && charges < sum.units ? [sum, { ...sum, units: sum.units - charges }] : [sum]
}

/** How the sum of a booking differs from that of a payout, in words; null where it is the same. */
export function sumDiffers(booking: Booking, payout: Payout): string | null {
  const { sum, ordered } = booking
  if (sum === null) return 'the bank does not state its amount'
  const isSame = (each: Sum) => each.units === payout.units && each.currency === payout.currency
  if (sumsOf(booking).some(isSame)) return null
  // Exchanged by the bank: then the sum that was ordered is compared.
  if (sum.currency !== payout.currency && ordered && isSame(ordered)) return null
  return `the bank booked ${sumInWords(sum)}, but ${sumInWords(payout)} was paid here`
}

export function accountDiffers({ account }: Booking, payout: Payout): string | null {
  if (account === null || payout.account === null || account === payout.account) return null
  return `the bank paid to ${account}, not to ${payout.account}`
}

export function numberDiffers({ transactionId }: Booking, payout: Payout): string | null {
  if (transactionId === null || payout.transactionId === null || transactionId === payout.transactionId) return null
  return `the statement names transaction ${transactionId}, the journal ${payout.transactionId}`
}

/** What the journal says against an execution; null for nothing. */
export function deniedBy(payout: Payout): string | null {
  const { state, unpaidStatus } = payout
  if (unpaidStatus !== null) return `the bank paid it, but in the journal it is ${unpaidStatus}`
  if (isExecuted(payout) || state === 'unknown') return null
  return `the bank paid it, but in the journal it is ${state}: do not send it again`
}
