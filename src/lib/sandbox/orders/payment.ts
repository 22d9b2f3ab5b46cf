/**
 * A try to pay an order, by the payer or with a saved card. INITIAL → PROCESSING while the payer confirms at the bank →
 * SUCCESS, or WAITING_FOR_CONFIRM where the sum is only held. A failed try ends the order, unless it has a validUntil: then
 * it stays payable until that moment (service.md#orders; `failureEnds`).
 */
import { completedStatus, secondStepLifetime, unpaidOrderLifetime } from '../../contract/assumed.ts'
import { addShare, dueOrders, sharesOf, updateOrder } from '../../store/sandbox/orders.ts'
import type { OrderRow, SandboxWriter } from '../../store/sandbox/schema.ts'
import { nextTransactionId } from '../../store/sandbox/world.ts'
import { saveCard } from '../cards/saved-card.ts'
import { declineOf, type TestCard, testCard, usualCard } from '../cards/test-card.ts'
import type { MoveContext } from '../clock/due.ts'
import { orderRequest } from '../ledger/accepted.ts'
import { capture, hold } from './capture.ts'
import { choiceOf, type PayerChoice, writeChoice } from './choice.ts'

export interface Try {
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
    checkout: choice ? writeChoice(choice) : null,
  })
}

/** Begins a try; without a second step it also ends it. */
export async function tryToPay(db: SandboxWriter, order: OrderRow, made: Try, around: MoveContext): Promise<OrderRow> {
  const begun = await beginTry(db, order, made)
  if (made.saved || made.card.secondStep === 0) return await endTry(db, begun, made, around)
  const due = made.at + made.card.secondStep
  return await updateOrder(db, begun, { status: 'PROCESSING', trying: made.card.name, due })
}

/** The payer refuses at the bank, before or after the try began. */
export async function refuseToPay(
  db: SandboxWriter,
  order: OrderRow,
  at: number,
  around: MoveContext,
): Promise<OrderRow> {
  const transaction_id = order.transaction_id ?? (await nextTransactionId(db))
  return await fail(
    db,
    await updateOrder(db, order, { transaction_id, awaits: null }),
    'declined by the payer',
    at,
    around,
  )
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

/** The payer has done the second step. */
export async function confirmTry(
  db: SandboxWriter,
  order: OrderRow,
  at: number,
  around: MoveContext,
): Promise<OrderRow> {
  const card = testCard(order.trying ?? usualCard)
  const tried = await updateOrder(db, order, { trying: null, due: null, awaits: null })
  if (!card) return await fail(db, tried, 'declined by the bank', at, around)
  return await endTry(db, tried, { card, saved: false, tip: order.tip, at }, around)
}

async function endTry(db: SandboxWriter, order: OrderRow, made: Try, around: MoveContext): Promise<OrderRow> {
  const reason = declineOf(made.card, made.at, made.saved)
  return reason === null ? await succeed(db, order, made, around) : await fail(db, order, reason, made.at, around)
}

/** A failed try: the end, or another chance until validUntil. */
export async function fail(
  db: SandboxWriter,
  order: OrderRow,
  reason: string,
  at: number,
  around: MoveContext,
): Promise<OrderRow> {
  const failed = { fail_reason: reason, trying: null, tip: 0 }
  const lifetime = around.switches.failureEnds ? null : order.created + unpaidOrderLifetime * 1000
  const payableUntil = order.valid_until ?? lifetime
  if (payableUntil !== null && at < payableUntil) {
    return await updateOrder(db, order, { ...failed, status: 'INITIAL', due: payableUntil })
  }
  if (payableUntil !== null) return await endUnpaid(db, order, 'EXPIRED', around, failed)
  const ended = await endUnpaid(db, order, 'FAILED', around, failed)
  await around.tell(db, 'payment-ended', { order: ended, status: ended.status, at })
  return ended
}

/** The end of an order that was not paid. */
export async function endUnpaid(
  db: SandboxWriter,
  order: OrderRow,
  status: 'FAILED' | 'EXPIRED' | 'CANCELED',
  around: MoveContext,
  more: Partial<Pick<OrderRow, 'fail_reason' | 'tip'>> = {},
): Promise<OrderRow> {
  await around.tell(db, 'order-unpaid', { order })
  return await updateOrder(db, order, { ...more, status, trying: null, due: null })
}

async function succeed(db: SandboxWriter, order: OrderRow, made: Try, around: MoveContext): Promise<OrderRow> {
  await addTip(db, order)
  // A plan's order is paid with nothing: there is nothing to hold.
  if (orderRequest(order).payWithPreAuth === 'true' && order.amount > 0) return await hold(db, order, made.card)
  const paid = await capture(db, order, order.amount + order.tip)
  // The card before the callback, which tells of it.
  await keepCard(db, paid, made, around)
  await around.tell(db, 'payment-ended', { order: paid, status: paid.status, at: made.at })
  return paid
}

/** The blocked sum was taken: the order is paid, its card is kept, and its integrator is told. */
export async function endCapture(
  db: SandboxWriter,
  order: OrderRow,
  at: number,
  around: MoveContext,
): Promise<OrderRow> {
  const card = order.trying === null ? null : testCard(order.trying)
  const paid = await updateOrder(db, order, { status: completedStatus, trying: null, due: null })
  if (card) await keepCard(db, paid, { card, at }, around)
  await around.tell(db, 'payment-ended', { order: paid, status: paid.status, at })
  return paid
}

/** A card is saved only by a payment that succeeded; one that was saved before is not saved again. A plan begins with it. */
async function keepCard(
  db: SandboxWriter,
  order: OrderRow,
  { card, at }: Pick<Try, 'card' | 'at'>,
  around: MoveContext,
): Promise<void> {
  const { cardToken, saveCard: asked } = orderRequest(order)
  if (cardToken === undefined && (asked !== 'true' || choiceOf(order)?.keepsCard === false)) return
  const token = cardToken?.toLowerCase() ?? (await saveCard(db, order, card, at, around.random))
  await around.tell(db, 'card-saved', { order, token, at })
}

async function addTip(db: SandboxWriter, order: OrderRow): Promise<void> {
  const { tipReceiverId, tipReceiverType } = orderRequest(order)
  if (order.tip === 0 || tipReceiverId === undefined || tipReceiverType === undefined) return
  await addShare(db, {
    order_id: order.order_id,
    position: (await sharesOf(db, order.order_id)).length,
    receiver_type: tipReceiverType,
    receiver: tipReceiverId.toLowerCase(),
    amount: order.tip,
    tip: 1,
  })
}

/** Makes the clock's moves of orders: second steps end, and orders that were not paid in time expire. */
export async function advanceOrders(db: SandboxWriter, now: number, around: MoveContext): Promise<void> {
  for (const order of await dueOrders(db, now)) {
    const card = order.trying === null ? null : testCard(order.trying)
    const at = order.due ?? now
    if (order.status === 'WAITING_FOR_CONFIRM') await endCapture(db, order, at, around)
    else if (order.status === 'PROCESSING' && card) {
      const tried = await updateOrder(db, order, { trying: null, due: null, awaits: null })
      // One that failed may have its expiry behind it as well: fail() looks at the moment of the failure only.
      const ended =
        order.awaits === null
          ? await endTry(db, tried, { card, saved: false, tip: order.tip, at }, around)
          : await fail(db, tried, 'not confirmed in time', at, around)
      if (ended.due !== null && ended.due <= now) await endUnpaid(db, ended, 'EXPIRED', around)
    } else {
      await endUnpaid(db, order, 'EXPIRED', around)
    }
  }
}
