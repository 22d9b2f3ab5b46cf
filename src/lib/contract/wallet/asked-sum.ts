/** The amount of a wallet order: as answers may repeat the one that is finalized, and as the address of its QR code names it. */
import { type AskedSum, differenceIn } from '../asked-sum.ts'
import { minorUnits } from '../core/decimal.ts'

type Members = Readonly<Record<string, unknown>>

export function sumFinalized({ amount }: Members): AskedSum {
  return { amount: [amount] }
}

/** Details may show no amount, or 0 for none. */
export function sumFinalizedShown({ amount }: Members): AskedSum {
  return { amount: [amount, '0'] }
}

/** What is unusual about a registration: the service decides the amount, and a payer has read another one in the QR code. */
export function otherThanInAddress(uri: unknown, answer: Members): readonly string[] {
  const address = String(uri)
  const amount = URL.canParse(address) ? new URL(address).searchParams.get('amount') : null
  if (!amount || minorUnits(amount) === null) return []
  const differs = differenceIn(answer, { amount: [amount, '0'] })
  return differs === null ? [] : [`the service returned another amount than the address of the QR code has: ${differs}`]
}
