/**
 * Statuses of an order and of the payments of a subscription (service.md#order-statuses). A status that is not in the lists
 * is shown as it came and never counts as final; any REFUNDED_BY_… is read alike, because the service puts its own name
 * there.
 */
import { blank, fact, type Hint, hint, paste } from '../../hint.ts'
import { readOrderStatus } from '../answer.ts'
import { validUntilMargin } from '../assumed.ts'
import { statusForm } from '../core/field.ts'
import type { Members } from '../core/members.ts'
import { momentOfValidUntil } from '../date.ts'
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

/**
 * The payment of an order, as its creation decides it. An order with `validUntil` may be paid again after a failed try, any
 * number of times until then (specification, "Orders"): FAILED is its end only when that time has certainly passed. Neither is
 * EXPIRED before that the end of a charge: a copy of the service that has not heard of the charge shows it, too.
 */
const failedOnce = { ...payable, means: 'the last try to pay it failed, nothing was taken' } as const
const unheard = { ...payable, means: 'not paid in time, as far as it was seen' } as const

/** A moment that cannot be read never passes. */
function hasPassed(validUntil: string, now: number | undefined): boolean {
  const end = momentOfValidUntil(validUntil)
  return end !== null && now !== undefined && now >= end + validUntilMargin * 1000
}

/** The facts of a status that looks like the end of the order's payment, and may not be it yet; null for any other. */
function notYetEnded(status: string, { validUntil, cardToken }: Members, now?: number): StatusFacts | null {
  if (validUntil === undefined || hasPassed(String(validUntil), now)) return null
  const read = readOrderStatus(status)
  if (read === 'FAILED') return failedOnce
  return read === 'EXPIRED' && cardToken !== undefined ? unheard : null
}

/** The facts of an order in this status, for the request that created it. */
export function orderPayment(status: string, request: Members = {}, now?: number): StatusFacts | null {
  return notYetEnded(status, request, now) ?? orderStatusFacts(status)
}

export function notYetEndedRemark(status: string, request: Members): Hint | null {
  const facts = notYetEnded(status, request)
  if (facts === null) return null
  const until = String(request.validUntil)
  if (facts === unheard)
    return hint`EXPIRED is shown, too, by a copy of the service that has not heard of the charge: never create it anew before it reads so a day after ${until}`
  return hint`the last try to pay it that was seen failed; it may still be paid until ${until}: never create it anew before that`
}
