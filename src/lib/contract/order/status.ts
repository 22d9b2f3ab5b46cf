/**
 * Statuses of an order and of payments of a subscription (service.md#order-statuses), the payment of an order, and what
 * a status shows of a lost write (money-safety.md#evidence). REFUNDED_BY_ takes any name.
 */
import { blank, fact, type Hint, hint, paste } from '../../hint.ts'
import { readOrderStatus } from '../answer.ts'
import { validUntilMargin } from '../assumed.ts'
import { statusForm } from '../core/field.ts'
import type { Members } from '../core/members.ts'
import { momentOfValidUntil } from '../date.ts'
import { alreadyPaid, evidenceBy, notAnyMore, type Shown, type ShownTable, shownBy } from '../operation.ts'
import { type End, endedPaid, endedUnpaid, goesOn, type Statuses, type StatusFacts, statusIn } from '../status.ts'
import { paidSum } from './request.ts'

const refundedBy = 'REFUNDED_BY_'
const longest = 100

export const payable = { ...goesOn, outlook: 'may still be paid', next: null } as const
const notPaid = { ...endedUnpaid, next: hint`A new order needs a new id.` } as const

/** A refund was asked for, whatever came of it. */
const refunding = { ...endedPaid, stage: 3 } as const
const whole = { ...endedPaid, stage: 4 } as const

/** Refunded statuses are paid ones, wherever the money went later. */
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

export const orderStatusForm = { anyOf: [statusForm(orderStatuses), refundedByForm] } as const

export type OrderStatus = keyof typeof orderStatuses

export const subscriptionStatuses = {
  ACQUIRING_IN_PROCESS: { ...payable, means: 'the card is being charged' },
  COMPLETED: { ...endedPaid, means: 'paid' },
  FAILED: { ...endedUnpaid, means: 'the payment failed, nothing was taken', next: null },
  ...refunds,
} as const satisfies Statuses

export const subscriptionStatusForm = { anyOf: [statusForm(subscriptionStatuses), refundedByForm] } as const

function isRefundedBy(status: string): boolean {
  return status.startsWith(refundedBy) && status.length > refundedBy.length && status.length <= longest
}

function factsIn(statuses: Statuses, text: string): StatusFacts | null {
  const status = readOrderStatus(text)
  return statusIn(statuses, status) ?? (isRefundedBy(status) ? { ...whole, means: 'paid, and refunded' } : null)
}

/** Null for an unknown one. */
export function orderStatusFacts(status: string): StatusFacts | null {
  return factsIn(orderStatuses, status)
}

export function subscriptionStatusFacts(status: string): StatusFacts | null {
  return factsIn(subscriptionStatuses, status)
}

/** Null while it has not ended, and for an unknown status. */
export function orderEnd(status: string): End {
  return orderStatusFacts(status)?.end ?? null
}

/**
 * An order with `validUntil` may be paid again after a failed try: FAILED is its end only when that time has certainly
 * passed. Neither is EXPIRED the end of a charge before that: a copy that has not heard of the charge shows it, too.
 */
const failedOnce = { ...payable, means: 'the last try to pay it failed, nothing was taken' } as const
const unheard = { ...payable, means: 'not paid in time, as far as it was seen' } as const

function hasPassed(validUntil: string, now: number | undefined): boolean {
  const end = momentOfValidUntil(validUntil)
  return end !== null && now !== undefined && now >= end + validUntilMargin * 1000
}

/** A status that looks like the end of the payment, and may not be it yet; null for any other. */
function notYetEnded(status: string, { validUntil, cardToken }: Members, now?: number): StatusFacts | null {
  if (validUntil === undefined || hasPassed(String(validUntil), now)) return null
  const read = readOrderStatus(status)
  if (read === 'FAILED') return failedOnce
  return read === 'EXPIRED' && cardToken !== undefined ? unheard : null
}

export function orderPayment(status: string, request: Members = {}, now?: number): StatusFacts | null {
  return notYetEnded(status, request, now) ?? orderStatusFacts(status)
}

export function notYetEndedRemark(status: string, request: Members): Hint | null {
  const facts = notYetEnded(status, request)
  if (facts === null) return null
  const until = String(request.validUntil)
  if (facts === unheard)
    return hint`a copy of the service that does not know of the charge shows EXPIRED as well: do not create it again before it is still EXPIRED a day after ${until}`
  return hint`the last attempt to pay it failed; it may still be paid until ${until}: do not create it again before that`
}

/** What each status shows of a lost write. */
const shown = {
  INITIAL: { cancel: 'no-trace', complete: 'unclear', refund: 'unclear' },
  PROCESSING: { cancel: 'no-trace', complete: 'unclear', refund: 'unclear' },
  // The order reads so for a while after a completion, too (service.md#seen-since): it proves nothing, however long.
  WAITING_FOR_CONFIRM: { cancel: 'over', complete: 'unclear', refund: 'unclear' },
  TO_BE_SIGNED: { cancel: 'unclear', complete: 'unclear', refund: 'unclear' },
  SUCCESS: { cancel: 'over', complete: 'executed', refund: 'no-trace' },
  // With a validUntil the payer may try again, and the amount is blocked anew.
  FAILED: { cancel: 'over', complete: 'no-trace', refund: 'unclear' },
  CANCELED: { cancel: 'executed', complete: 'over', refund: 'unclear' },
  EXPIRED: { cancel: 'lapsed', complete: 'lapsed', refund: 'unclear' },
  // Another refund of the same order looks the same.
  REFUND_REQUESTED: { cancel: 'over', complete: 'executed', refund: 'unclear' },
  PARTIALLY_REFUNDED: { cancel: 'over', complete: 'executed', refund: 'unclear' },
  REFUNDED_BY_INTEGRATOR: { cancel: 'over', complete: 'executed', refund: 'unclear' },
  REFUNDED_BY_SERVICE: { cancel: 'over', complete: 'executed', refund: 'unclear' },
  REFUNDED_BY_OPERATOR: { cancel: 'over', complete: 'executed', refund: 'unclear' },
  REFUNDED_FAILED: { cancel: 'over', complete: 'executed', refund: 'unclear' },
} as const satisfies ShownTable<OrderStatus>

/** REFUNDED_BY_ with any name is one status. */
function shows(write: 'cancel' | 'complete' | 'refund'): (status: string) => Shown {
  return (text) => {
    const status = readOrderStatus(text)
    return shownBy(shown, write)(isRefundedBy(status) ? 'REFUNDED_BY_SERVICE' : status)
  }
}

const unrefunded: readonly string[] = ['SUCCESS', 'REFUNDED_FAILED'] satisfies readonly OrderStatus[]

/** By whichever refund. */
export const refundRan = (status: string): boolean => orderEnd(status) === 'paid' && !unrefunded.includes(status)

/** True if a refund that was on its way has ended since. */
export const endsRefund = (known: string | null, status: string): boolean =>
  known === ('REFUND_REQUESTED' satisfies OrderStatus) && status !== known

/** "Already paid" is no refusal of an order that was new: this request made it, or another one. */
export const creationEvidence = evidenceBy((status) => (orderStatusFacts(status) ? 'executed' : 'unclear'), {
  codes: [alreadyPaid],
  possibleIn: [],
  shows: () => true,
  means: 'conflict',
  done: 'created',
})

export const cancellationEvidence = evidenceBy(shows('cancel'), {
  codes: notAnyMore,
  ofStatus: 6006,
  // While somebody pays it (PROCESSING), its status may change between the refusal and the read.
  possibleIn: ['INITIAL'],
  means: 'done',
  done: 'cancelled',
})

export const completionEvidence = {
  ...evidenceBy(shows('complete'), {
    codes: [...notAnyMore, 6007],
    ofStatus: 6006,
    ofSum: { code: 6007, whole: ['WAITING_FOR_CONFIRM'], all: paidSum },
    possibleIn: ['WAITING_FOR_CONFIRM'],
    means: 'conflict',
    done: 'completed',
  }),
  // After a completion the order reads as before for a while (service.md#seen-since).
  late: ['WAITING_FOR_CONFIRM'],
}

export const refundEvidence = evidenceBy(shows('refund'), {
  codes: [...notAnyMore, 6007, 6130],
  ofStatus: 6006,
  ofSum: { code: 6007, whole: ['SUCCESS', 'REFUNDED_FAILED'], all: paidSum },
  possibleIn: ['SUCCESS', 'PARTIALLY_REFUNDED', 'REFUNDED_FAILED'],
  shows: refundRan,
  // A refund has no id: one more would go through.
  means: 'open',
  done: 'refunded now',
  next: {
    REFUND_REQUESTED: hint`Wait until that refund has ended (\`${paste('order status', fact('integratorOrderId'))}\`), then run this again.`,
  },
})
