/**
 * Statuses of an order and of the payments of a subscription (service.md#order-statuses). A status that is not in the lists
 * is shown as it came and never counts as final; any REFUNDED_BY_… is read alike, because the service puts its own name
 * there.
 */
import { blank, fact, hint, paste } from '../../hint.ts'
import { statusReceived } from '../answer.ts'
import { statusForm } from '../core/form.ts'
import { type End, endedPaid, endedUnpaid, goesOn, type Statuses, type StatusFacts, statusIn } from '../status.ts'

const refundedBy = 'REFUNDED_BY_'
/** Letters of a status that is known; a service's own name is part of it. */
const longest = 100

export const payable = { ...goesOn, outlook: 'may still be paid', next: null } as const
const notPaid = { ...endedUnpaid, next: hint`A new order needs a new id.` } as const

/** A refund was asked for: no order is as it was before, whatever came of it. */
const refunding = { ...endedPaid, stage: 3 } as const
const whole = { ...endedPaid, stage: 4 } as const

/** Refunded statuses are paid ones: waiting for payment ended well, wherever the money went later. */
const refunds = {
  PARTIALLY_REFUNDED: { ...refunding, means: 'paid; a part went back' },
  REFUNDED_BY_INTEGRATOR: { ...whole, means: 'paid, and refunded by the integrator' },
  REFUNDED_BY_SERVICE: { ...whole, means: 'paid, and refunded by the service' },
  REFUNDED_BY_OPERATOR: { ...whole, means: 'paid, and refunded by an operator' },
  REFUNDED_FAILED: { ...refunding, means: 'paid; the refund failed, the money is still with the receiver' },
} as const satisfies Statuses

export const orderStatuses = {
  INITIAL: { ...payable, stage: 0, means: 'created, nobody has tried to pay it yet' },
  PROCESSING: { ...payable, stage: 0, means: 'the payer is paying' },
  WAITING_FOR_CONFIRM: {
    ...payable,
    stage: 1,
    means: 'the amount is blocked and waits for `order complete`; not paid yet',
    next: hint`Its amount is blocked: \`${paste('order complete', fact('integratorOrderId'), '--amount', blank('…'))}\` takes it.`,
  },
  TO_BE_SIGNED: { ...payable, means: 'waits for a signature at the bank; not paid yet' },
  SUCCESS: { ...endedPaid, stage: 2, means: 'paid' },
  FAILED: { ...notPaid, means: 'the payment failed, nothing was taken' },
  CANCELED: { ...notPaid, means: 'cancelled before it was paid' },
  EXPIRED: { ...notPaid, means: 'not paid in time', isByTime: true },
  REFUND_REQUESTED: { ...refunding, means: 'paid; a refund is on its way' },
  ...refunds,
} as const satisfies Statuses

const refundedByForm = { type: 'string', pattern: `^${refundedBy}.+$` } as const

/** The statuses in the words of JSON Schema: the service's own name is part of one of them. */
export const orderStatusForm = { anyOf: [statusForm(orderStatuses), refundedByForm] } as const

export type OrderStatus = keyof typeof orderStatuses

export const subscriptionStatuses = {
  ACQUIRING_IN_PROCESS: { ...payable, means: 'the card is being charged' },
  COMPLETED: { ...endedPaid, means: 'paid' },
  FAILED: { ...endedUnpaid, means: 'the payment failed, nothing was taken', next: null },
  ...refunds,
} as const satisfies Statuses

export const subscriptionStatusForm = { anyOf: [statusForm(subscriptionStatuses), refundedByForm] } as const

export type SubscriptionStatus = keyof typeof subscriptionStatuses

/** A status as it is known here: without blanks around it, and in the newer spelling. */
export function readOrderStatus(text: string): string {
  const status = text.trim()
  return status === 'CANCELLED' ? 'CANCELED' : status
}

/** A status of an answer. */
export const orderStatusReceived = statusReceived.transform(readOrderStatus)

function isRefundedBy(status: string): boolean {
  return status.startsWith(refundedBy) && status.length > refundedBy.length && status.length <= longest
}

function factsIn(statuses: Statuses, text: string): StatusFacts | null {
  const status = readOrderStatus(text)
  return statusIn(statuses, status) ?? (isRefundedBy(status) ? { ...whole, means: 'paid, and refunded' } : null)
}

/** The facts of an order's status; null for an unknown one. */
export function orderStatusFacts(status: string): StatusFacts | null {
  return factsIn(orderStatuses, status)
}

/** The same for a payment of a subscription. */
export function subscriptionStatusFacts(status: string): StatusFacts | null {
  return factsIn(subscriptionStatuses, status)
}

/** The end of an order in this status; null while it has not ended, and for an unknown status. */
export function orderEnd(status: string): End {
  return orderStatusFacts(status)?.end ?? null
}
