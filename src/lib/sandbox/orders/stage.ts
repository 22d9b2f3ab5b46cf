/** The stage of an order, as pages and callbacks tell it apart. They ask here: its statuses are read in this room alone. */
import { type OrderStatus, orderEnd } from '../../contract/order/status.ts'
import type { OrderRow } from '../../store/sandbox/schema.ts'

const stages = {
  INITIAL: 'payable',
  PROCESSING: 'being-paid',
  WAITING_FOR_CONFIRM: 'held',
  TO_BE_SIGNED: 'being-paid',
  SUCCESS: 'paid',
  FAILED: 'failed',
  CANCELED: 'canceled',
  EXPIRED: 'expired',
  REFUND_REQUESTED: 'refunding',
  PARTIALLY_REFUNDED: 'partly-refunded',
  REFUNDED_BY_INTEGRATOR: 'refunded',
  REFUNDED_BY_SERVICE: 'refunded',
  REFUNDED_BY_OPERATOR: 'refunded',
  REFUNDED_FAILED: 'refund-failed',
} as const satisfies Readonly<Record<OrderStatus, string>>

export type OrderStage = (typeof stages)[OrderStatus]

/** An order of the sandbox has a status of the contract, or its refund names another initiator. */
export function stageOf({ status }: Pick<OrderRow, 'status'>): OrderStage {
  const known: Readonly<Record<string, OrderStage>> = stages
  return known[status] ?? 'refunded'
}

/** The end of a payment as a callback names it. */
export type PaymentOutcome = 'SUCCESS' | 'FAILED'

/** Null while the payment has not ended, or where the order ended without one. Later refunds do not change it. */
export function paymentOutcomeOf({ status }: OrderRow): PaymentOutcome | null {
  if (orderEnd(status) === 'paid') return 'SUCCESS'
  return status === 'FAILED' ? 'FAILED' : null
}

export function otherOutcome(outcome: PaymentOutcome): PaymentOutcome {
  return outcome === 'SUCCESS' ? 'FAILED' : 'SUCCESS'
}
