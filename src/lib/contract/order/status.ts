/**
 * Statuses of an order and of the payments of a subscription (service.md#order-statuses). A status that is not in the lists
 * is shown as it came and never counts as final; any REFUNDED_BY_… is read alike, because the service puts its own name
 * there.
 */
import { statusReceived } from '../answer.ts'
import type { End, Statuses, StatusFacts } from '../status.ts'

const refundedBy = 'REFUNDED_BY_'

/** What was refunded was paid: waiting for payment ended well, whatever became of the money later. */
const refunds = {
  PARTIALLY_REFUNDED: { means: 'paid; a part went back', end: 'paid' },
  REFUNDED_BY_INTEGRATOR: { means: 'paid, and refunded by the integrator', end: 'paid' },
  REFUNDED_BY_SERVICE: { means: 'paid, and refunded by the service', end: 'paid' },
  REFUNDED_BY_OPERATOR: { means: 'paid, and refunded by an operator', end: 'paid' },
  REFUNDED_FAILED: { means: 'paid; the refund failed, the money is still with the receiver', end: 'paid' },
} as const satisfies Statuses

export const orderStatuses = {
  INITIAL: { means: 'created, nobody has tried to pay it yet', end: null },
  PROCESSING: { means: 'the payer is paying', end: null },
  WAITING_FOR_CONFIRM: { means: 'the amount is blocked and waits for `order complete`; not paid yet', end: null },
  SUCCESS: { means: 'paid', end: 'paid' },
  FAILED: { means: 'the payment failed, nothing was taken', end: 'not-paid' },
  CANCELED: { means: 'cancelled before it was paid', end: 'not-paid' },
  EXPIRED: { means: 'not paid in time', end: 'not-paid' },
  REFUND_REQUESTED: { means: 'paid; a refund is on its way', end: 'paid' },
  ...refunds,
} as const satisfies Statuses

export type OrderStatus = keyof typeof orderStatuses

export const subscriptionStatuses = {
  ACQUIRING_IN_PROCESS: { means: 'the card is being charged', end: null },
  COMPLETED: { means: 'paid', end: 'paid' },
  FAILED: { means: 'the payment failed, nothing was taken', end: 'not-paid' },
  ...refunds,
} as const satisfies Statuses

export type SubscriptionStatus = keyof typeof subscriptionStatuses

/** A status as it is known here: without blanks around it, and in the newer spelling. */
export function readOrderStatus(text: string): string {
  const status = text.trim()
  return status === 'CANCELLED' ? 'CANCELED' : status
}

/** A status of an answer. */
export const orderStatusReceived = statusReceived.transform(readOrderStatus)

function isRefundedBy(status: string): boolean {
  return status.startsWith(refundedBy) && status.length > refundedBy.length
}

function factsIn(statuses: Statuses, text: string): StatusFacts | null {
  const status = readOrderStatus(text)
  if (Object.hasOwn(statuses, status)) return statuses[status] ?? null
  return isRefundedBy(status) ? { means: 'paid, and refunded', end: 'paid' } : null
}

/** What is known of an order's status; null for one nobody knows. */
export function orderStatusFacts(status: string): StatusFacts | null {
  return factsIn(orderStatuses, status)
}

/** The same for a payment of a subscription. */
export function subscriptionStatusFacts(status: string): StatusFacts | null {
  return factsIn(subscriptionStatuses, status)
}

/** How an order of this status ended; null while it has not, and for a status nobody knows. */
export function orderEnd(status: string): End {
  return orderStatusFacts(status)?.end ?? null
}

export function subscriptionEnd(status: string): End {
  return subscriptionStatusFacts(status)?.end ?? null
}
