/** The amount of a wallet order: that of finalizing as answers may repeat it, and that of the QR address. */
import { type AskedSum, differenceIn } from '../asked-sum.ts'
import { minorUnits } from '../core/decimal.ts'
import type { Members } from '../core/members.ts'

/** The request names no currency: that of the creation counts, where it is known. */
export function sumFinalized({ amount, currency }: Members): AskedSum {
  return { amount: [amount], ...(currency ? { currency: [currency] } : {}) }
}

/** Details may show no amount, or 0 for none. */
export function sumFinalizedShown(request: Members): AskedSum {
  return { ...sumFinalized(request), amount: [request.amount, '0'] }
}

/**
 * The remark on a registration whose amount is not the one that the payer has read in the QR code: the service decides the
 * amount.
 */
export function otherThanInAddress(uri: unknown, answer: Members): readonly string[] {
  const address = String(uri)
  const amount = URL.canParse(address) ? new URL(address).searchParams.get('amount') : null
  if (!amount || minorUnits(amount) === null) return []
  const differs = differenceIn(answer, { amount: [amount, '0'] })
  return differs === null ? [] : [`the service returned another amount than the address of the QR code has: ${differs}`]
}

/** The currency that a QR address names (qrType=REQUEST carries one). */
export function currencyInAddress(uri: unknown): string | null {
  const named = URL.canParse(String(uri)) ? new URL(String(uri)).searchParams.get('currency') : null
  return named !== null && /^[A-Za-z]{3}$/.test(named) ? named.toUpperCase() : null
}
