/**
 * A try to pay an order, by the payer or with a saved card. INITIAL → PROCESSING while the payer confirms at the bank →
 * SUCCESS, or WAITING_FOR_CONFIRM where the sum is only held. A failed try ends the order, unless it has a validUntil: then
 * it stays payable until that moment (observed 6).
 */
import type { Random } from '../../edge.ts'
import { nextTransactionId } from '../../store/sandbox.ts'
import type { OrderRow } from '../../store/sandbox-order-schema.ts'
import { addShare, changeOrder, dueOrders, sharesOf } from '../../store/sandbox-orders.ts'
import type { Writer } from '../../store/sandbox-schema.ts'
import { saveCard } from '../card/saved-card.ts'
import { declineOf, type TestCard, testCard } from '../card/test-card.ts'
import { beginSubscription, endSubscription } from '../subscription/course.ts'
import { capture, hold } from './capture.ts'
import { requestOf } from './terms.ts'

export interface Try {
  readonly card: TestCard
  /** Charged by its token: nobody is there who could take a second step. */
  readonly saved: boolean
  /** What the payer adds, in minor units of the order's currency. */
  readonly tip: number
  readonly at: number
}

/** Begins a try; without a second step it also ends it. */
export async function tryToPay(db: Writer, order: OrderRow, made: Try, random: Random): Promise<OrderRow> {
  const begun = await changeOrder(db, order, {
    tip: made.tip,
    transaction_id: order.transaction_id ?? (await nextTransactionId(db)),
    fail_reason: null,
  })
  if (made.saved || made.card.secondStep === 0) return await endTry(db, begun, made, random)
  const due = made.at + made.card.secondStep
  return await changeOrder(db, begun, { status: 'PROCESSING', trying: made.card.name, due })
}

async function endTry(db: Writer, order: OrderRow, made: Try, random: Random): Promise<OrderRow> {
  const reason = declineOf(made.card, made.at, made.saved)
  return reason === null ? await succeed(db, order, made, random) : await fail(db, order, reason, made.at)
}

/** A failed try: the end, or another chance until validUntil. */
export async function fail(db: Writer, order: OrderRow, reason: string, at: number): Promise<OrderRow> {
  const failed = { fail_reason: reason, trying: null, tip: 0 }
  const { valid_until } = order
  if (valid_until !== null && at < valid_until) {
    return await changeOrder(db, order, { ...failed, status: 'INITIAL', due: valid_until })
  }
  return await endUnpaid(db, order, valid_until === null ? 'FAILED' : 'EXPIRED', failed)
}

/** The end of an order that nobody has paid. */
export async function endUnpaid(
  db: Writer,
  order: OrderRow,
  status: 'FAILED' | 'EXPIRED' | 'CANCELED',
  more: Partial<Pick<OrderRow, 'fail_reason' | 'tip'>> = {},
): Promise<OrderRow> {
  await endSubscription(db, order)
  return await changeOrder(db, order, { ...more, status, trying: null, due: null })
}

async function succeed(db: Writer, order: OrderRow, made: Try, random: Random): Promise<OrderRow> {
  await addTip(db, order)
  // A plan's order is paid with nothing: there is nothing to hold.
  if (requestOf(order).payWithPreAuth === 'true' && order.amount > 0) return await hold(db, order, made.card)
  const paid = await capture(db, order, order.amount + order.tip)
  await keepCard(db, paid, made, random)
  return paid
}

/** A card is saved only by a payment that succeeded; one that was saved before is not saved again. A plan begins with it. */
export async function keepCard(
  db: Writer,
  order: OrderRow,
  { card, at }: Pick<Try, 'card' | 'at'>,
  random: Random,
): Promise<void> {
  const { cardToken, saveCard: asked } = requestOf(order)
  if (cardToken === undefined && asked !== 'true') return
  const token = cardToken?.toLowerCase() ?? (await saveCard(db, order, card, at, random))
  await beginSubscription(db, order, token, at)
}

async function addTip(db: Writer, order: OrderRow): Promise<void> {
  const { tipReceiverId, tipReceiverType } = requestOf(order)
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

/** What the clock does to orders: second steps end, and what nobody paid in time expires. */
export async function settleOrders(db: Writer, now: number, random: Random): Promise<void> {
  for (const order of await dueOrders(db, now)) {
    const card = order.trying === null ? null : testCard(order.trying)
    const at = order.due ?? now
    if (order.status === 'PROCESSING' && card) {
      const settled = await changeOrder(db, order, { trying: null, due: null })
      // One that failed may have its expiry behind it as well: fail() looks at the moment of the failure only.
      const ended = await endTry(db, settled, { card, saved: false, tip: order.tip, at }, random)
      if (ended.due !== null && ended.due <= now) await endUnpaid(db, ended, 'EXPIRED')
    } else {
      await endUnpaid(db, order, 'EXPIRED')
    }
  }
}
