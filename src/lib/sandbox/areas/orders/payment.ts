/**
 * A try to pay an order, by the payer or with a saved card. INITIAL → PROCESSING while the payer confirms at the bank →
 * SUCCESS, or WAITING_FOR_CONFIRM where the sum is only held. A failed try ends the order, unless it has a validUntil: then
 * it stays payable until that moment (service.md#orders; `failureEnds`).
 */

import {
  captureTakes,
  completedStatus,
  failureEnds,
  secondStepLifetime,
  uncompletableBreach,
  unpaidOrderLifetime,
} from '../../../contract/assumed.ts'
import { unitsOf } from '../../../contract/core/rules.ts'
import { cancelOrder, completeOrder } from '../../../contract/order/order.ts'
import type { OrderProperty } from '../../../contract/order/property.ts'
import type { OrderStatus } from '../../../contract/order/status.ts'
import type { Random } from '../../../edge.ts'
import { readJson, writeJson } from '../../../json.ts'
import { addRow, dueRows, listRows, updateOrder } from '../../../store/sandbox/rows.ts'
import type { OrderRow, SandboxWriter } from '../../../store/sandbox/schema.ts'
import { nextTransactionId } from '../../../store/sandbox/world.ts'
import { orderRoute } from '../../access/sealed.ts'
import { money, orderRequest } from '../../ledger.ts'
import { refuse } from '../../shape.ts'
import { paymentEnded } from '../callbacks.ts'
import { declineOf, saveCard, type TestCard, testCard, usualCard } from '../cards.ts'
import { beginSubscription, endSubscription } from '../subscriptions.ts'
import { capture, hold } from './money.ts'
import { knownOrder } from './read.ts'

// The payer's choices at the checkout page: kept with the order for the try they were made for.

const methods = ['card', 'saved-card', 'open-banking', 'crypto', 'installment'] as const

export type Method = (typeof methods)[number]

export interface PayerChoice {
  readonly method: Method
  /** The chosen provider; null where none was. */
  readonly provider: string | null
  /** True if the card may be saved, where the order asks for it. */
  readonly keepsCard: boolean
  /** Contents of the editable properties as the payer left them. */
  readonly properties: Readonly<Partial<Record<OrderProperty, string>>>
}

/** Null where the last try was not made at the page. */
export function choiceOf({ checkout }: Pick<OrderRow, 'checkout'>): PayerChoice | null {
  return checkout === null ? null : (readJson(checkout) as PayerChoice)
}

/** The properties as they are sent on: the order's, with what the payer has changed. Hidden ones are among them. */
export function propertiesOf(order: Pick<OrderRow, 'request' | 'checkout'>): ReadonlyMap<OrderProperty, string> {
  const asked = Object.entries(orderRequest(order).orderProperties ?? {}) as [
    OrderProperty,
    { readonly value: string },
  ][]
  const changed = choiceOf(order)?.properties ?? {}
  return new Map(asked.map(([key, { value }]) => [key, changed[key] ?? value]))
}

interface Try {
  readonly card: TestCard
  /** True for a charge of a saved card by its token, without the payer, who alone could take a second step. */
  readonly saved: boolean
  /** The payer's tip, in minor units of the order's currency. */
  readonly tip: number
  readonly at: number
  /** The choices at the checkout page, if the payer was there. */
  readonly choice?: PayerChoice
}

async function beginTry(db: SandboxWriter, order: OrderRow, { tip, choice }: Try): Promise<OrderRow> {
  return await updateOrder(db, order, {
    tip,
    transaction_id: order.transaction_id ?? (await nextTransactionId(db)),
    fail_reason: null,
    awaits: null,
    checkout: choice ? writeJson(choice) : null,
  })
}

/** Begins a try; without a second step it also ends it. */
export async function tryToPay(db: SandboxWriter, order: OrderRow, made: Try, random: Random): Promise<OrderRow> {
  const begun = await beginTry(db, order, made)
  if (made.saved || made.card.secondStep === 0) return await endTry(db, begun, made, random)
  const due = made.at + made.card.secondStep
  return await updateOrder(db, begun, { status: 'PROCESSING', trying: made.card.name, due })
}

/** The payer refuses at the bank, before or after the try began. */
export async function refuseToPay(db: SandboxWriter, order: OrderRow, at: number): Promise<OrderRow> {
  const transaction_id = order.transaction_id ?? (await nextTransactionId(db))
  return await fail(db, await updateOrder(db, order, { transaction_id, awaits: null }), 'declined by the payer', at)
}

/** Begins a try that the payer ends at the checkout page; without an answer it fails after a while. */
export async function awaitPayer(
  db: SandboxWriter,
  order: OrderRow,
  made: Try,
  awaits: NonNullable<OrderRow['awaits']>,
): Promise<OrderRow> {
  const begun = await beginTry(db, order, made)
  const waiting = { trying: made.card.name, due: made.at + secondStepLifetime * 1000, awaits }
  return await updateOrder(db, begun, { ...waiting, status: 'PROCESSING' })
}

export async function confirmTry(db: SandboxWriter, order: OrderRow, at: number, random: Random): Promise<OrderRow> {
  const card = testCard(order.trying ?? usualCard)
  const tried = await updateOrder(db, order, { trying: null, due: null, awaits: null })
  if (!card) return await fail(db, tried, 'declined by the bank', at)
  return await endTry(db, tried, { card, saved: false, tip: order.tip, at }, random)
}

async function endTry(db: SandboxWriter, order: OrderRow, made: Try, random: Random): Promise<OrderRow> {
  const reason = declineOf(made.card, made.at, made.saved)
  return reason === null ? await succeed(db, order, made, random) : await fail(db, order, reason, made.at)
}

/** A failed try: the end, or another chance until validUntil. */
export async function fail(db: SandboxWriter, order: OrderRow, reason: string, at: number): Promise<OrderRow> {
  const failed = { fail_reason: reason, trying: null, tip: 0 }
  const lifetime = failureEnds ? null : order.created + unpaidOrderLifetime * 1000
  const payableUntil = order.valid_until ?? lifetime
  if (payableUntil !== null && at < payableUntil) {
    return await updateOrder(db, order, { ...failed, status: 'INITIAL', due: payableUntil })
  }
  if (payableUntil !== null) return await endUnpaid(db, order, 'EXPIRED', failed)
  const ended = await endUnpaid(db, order, 'FAILED', failed)
  await paymentEnded(db, ended, at)
  return ended
}

export async function endUnpaid(
  db: SandboxWriter,
  order: OrderRow,
  status: 'FAILED' | 'EXPIRED' | 'CANCELED',
  more: Partial<Pick<OrderRow, 'fail_reason' | 'tip'>> = {},
): Promise<OrderRow> {
  await endSubscription(db, order)
  return await updateOrder(db, order, { ...more, status, trying: null, due: null })
}

async function succeed(db: SandboxWriter, order: OrderRow, made: Try, random: Random): Promise<OrderRow> {
  await addTip(db, order)
  // A plan's order is paid with nothing: there is nothing to hold.
  if (orderRequest(order).payWithPreAuth === 'true' && order.amount > 0) return await hold(db, order, made.card)
  const paid = await capture(db, order, order.amount + order.tip)
  // The card before the callback, which tells of it.
  await keepCard(db, paid, made, random)
  await paymentEnded(db, paid, made.at)
  return paid
}

/** The blocked sum was taken: the order is paid, its card is kept, and its integrator is told. */
async function endCapture(db: SandboxWriter, order: OrderRow, at: number, random: Random): Promise<OrderRow> {
  const card = order.trying === null ? null : testCard(order.trying)
  const paid = await updateOrder(db, order, { status: completedStatus, trying: null, due: null })
  if (card) await keepCard(db, paid, { card, at }, random)
  await paymentEnded(db, paid, at)
  return paid
}

/** A card is saved only by a payment that succeeded; one that was saved before is not saved again. A plan begins with it. */
async function keepCard(
  db: SandboxWriter,
  order: OrderRow,
  { card, at }: Pick<Try, 'card' | 'at'>,
  random: Random,
): Promise<void> {
  const { cardToken, saveCard: asked } = orderRequest(order)
  if (cardToken === undefined && (asked !== 'true' || choiceOf(order)?.keepsCard === false)) return
  const token = cardToken?.toLowerCase() ?? (await saveCard(db, order, card, at, random))
  await beginSubscription(db, order, token, at)
}

async function addTip(db: SandboxWriter, order: OrderRow): Promise<void> {
  const { tipReceiverId, tipReceiverType } = orderRequest(order)
  if (order.tip === 0 || tipReceiverId === undefined || tipReceiverType === undefined) return
  const { order_id, tip: amount } = order
  const position = (await listRows(db, 'shares', { order_id })).length
  const to = { receiver_type: tipReceiverType, receiver: tipReceiverId.toLowerCase() }
  await addRow(db, 'shares', { order_id, position, ...to, amount, tip: 1 })
}

/** Makes the clock's moves of orders: second steps end, and orders that were not paid in time expire. */
export async function advanceOrders(db: SandboxWriter, now: number, random: Random): Promise<void> {
  for (const order of await dueRows(db, 'orders', now)) {
    const card = order.trying === null ? null : testCard(order.trying)
    const at = order.due ?? now
    if (order.status === 'WAITING_FOR_CONFIRM') await endCapture(db, order, at, random)
    else if (order.status === 'PROCESSING' && card) {
      const tried = await updateOrder(db, order, { trying: null, due: null, awaits: null })
      // One that failed may have its expiry behind it as well: fail() looks at the moment of the failure only.
      const ended =
        order.awaits === null
          ? await endTry(db, tried, { card, saved: false, tip: order.tip, at }, random)
          : await fail(db, tried, 'not confirmed in time', at)
      if (ended.due !== null && ended.due <= now) await endUnpaid(db, ended, 'EXPIRED')
    } else {
      await endUnpaid(db, order, 'EXPIRED')
    }
  }
}

// The stage of an order, as pages and callbacks tell it apart. They ask here: its statuses are read in this area
// alone.

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

// B3 and completion: what an integrator does to an order that is not final. The answer of complete is not shown; it
// is written like that of cancel. A state that does not fit has one code, 6006: "not found or final" (assumed for
// complete).

export function refuseInState({ status }: OrderRow, verb: string, code = 6006): never {
  return refuse(code, `The order cannot be ${verb}: it is ${status}`)
}

export const cancelOrderRoute = orderRoute(cancelOrder, async (db, { request, integrator }) => {
  const { integratorOrderId } = request
  const order = await knownOrder(db, integrator, integratorOrderId)
  if (order.status !== 'INITIAL' && order.status !== 'PROCESSING') refuseInState(order, 'cancelled')
  const { status } = await endUnpaid(db, order, 'CANCELED')
  return { integratorOrderId, status }
})

export const completeOrderRoute = orderRoute(completeOrder, async (db, { request, integrator, context, now }) => {
  const { integratorOrderId, amount } = request
  const order = await knownOrder(db, integrator, integratorOrderId)
  const { status, trying, authorised } = order
  if (status !== 'WAITING_FOR_CONFIRM' || order.paid > 0) refuseInState(order, 'completed', uncompletableBreach)
  const units = Number(unitsOf(amount) ?? 0n)
  if (units > authorised) refuse(6026, `amount is out of limits: ${money(authorised)} is blocked on the card`)
  const paid = await capture(db, order, units)
  if (order.recorded === 0) await endCapture(db, { ...paid, trying }, now, context.random)
  // Recorded is that the order reads as before for a while (service.md#seen-since).
  else await updateOrder(db, paid, { status, trying, due: now + captureTakes * 1000 })
  return { integratorOrderId, status: completedStatus }
})
