/** How the payment of an order ended, as callbacks tell of it. What became of the money later is not told. */
import { orderEnd } from '../../contract/order/status.ts'
import type { OrderRow } from '../../store/sandbox/schema/orders.ts'

export type PaymentOutcome = 'SUCCESS' | 'FAILED'

/** Null while it has not ended, or where the order ended without a payment. */
export function paymentOutcomeOf({ status }: OrderRow): PaymentOutcome | null {
  if (orderEnd(status) === 'paid') return 'SUCCESS'
  return status === 'FAILED' ? 'FAILED' : null
}

export function otherOutcome(outcome: PaymentOutcome): PaymentOutcome {
  return outcome === 'SUCCESS' ? 'FAILED' : 'SUCCESS'
}
