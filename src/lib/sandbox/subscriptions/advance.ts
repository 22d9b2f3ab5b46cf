/**
 * The life of a subscription: it waits for the card that the order's payment saves, then charges that card on schedule,
 * whenever the clock has come to it. A charge is ACQUIRING_IN_PROCESS for two seconds, then COMPLETED or FAILED; whether one
 * that failed is made again is assumed (`chargeAgainAfter`).
 */
import { unitsOf } from '../../contract/core/rules.ts'
import type { Random } from '../../edge.ts'
import {
  addCharge,
  addSubscription,
  changeSubscription,
  dueCharges,
  dueSubscription,
  endCharge,
  findCard,
  type KeptCharge,
  listSubscriptions,
  subscriptionById,
  subscriptionOfOrder,
} from '../../store/sandbox/cards.ts'
import { orderById, postOrder, sharesOf } from '../../store/sandbox/orders.ts'
import type { OrderRow, SandboxWriter, SubscriptionRow } from '../../store/sandbox/schema.ts'
import { declineOf, testCard } from '../cards/test-card.ts'
import { startOfDay } from '../clock/clock.ts'
import type { MoveContext } from '../clock/due.ts'
import { orderRequest } from '../ledger/accepted.ts'
import { postingsFor } from '../orders/capture.ts'
import type { Switches } from '../switches.ts'
import { chargeTime } from './schedule.ts'

const chargeTakes = 2000

/** With the order: its id is known from the beginning, though how it is first delivered is not known (service.md#not-known). */
export async function planSubscription(db: SandboxWriter, order: OrderRow, random: Random): Promise<void> {
  const { subscriptionPlan: plan } = orderRequest(order)
  if (!plan) return
  await addSubscription(db, {
    subscription_id: random.uuid(),
    order_id: order.order_id,
    integrator_id: order.integrator_id,
    status: 'WAITING_FOR_CARD',
    interval: plan.interval,
    interval_count: Number(plan.intervalCount),
    amount: Number(unitsOf(plan.amount) ?? 0n),
    start_date: plan.startDate ?? null,
    card_token: null,
    anchor: null,
    begun: 0,
    due: null,
    created: order.created,
  })
}

/** The card is there: the first charge is due on the start date, or now where there is none or it is over. */
export async function beginSubscription(db: SandboxWriter, order: OrderRow, token: string, at: number): Promise<void> {
  const subscription = await subscriptionOfOrder(db, order.order_id)
  if (subscription?.status !== 'WAITING_FOR_CARD') return
  const start = subscription.start_date === null ? at : Math.max(at, startOfDay(subscription.start_date))
  const change = { status: 'ACTIVE', card_token: token, anchor: start, due: start } as const
  await changeSubscription(db, subscription.subscription_id, change)
}

/** The order was never paid, so there is no card to charge. */
export async function endSubscription(db: SandboxWriter, order: OrderRow): Promise<void> {
  const subscription = await subscriptionOfOrder(db, order.order_id)
  if (subscription) await changeSubscription(db, subscription.subscription_id, { status: 'ENDED', due: null })
}

/** Makes every charge that is due, each at its own time, even if the clock was not asked for long. */
export async function advanceSubscriptions(db: SandboxWriter, now: number, around: MoveContext): Promise<void> {
  for (let next = await dueSubscription(db, now); next !== null; next = await dueSubscription(db, now)) {
    const { subscription_id, anchor, due, begun, interval, interval_count } = next
    const time = due ?? now
    await addCharge(db, {
      subscription_id,
      time,
      status: 'ACQUIRING_IN_PROCESS',
      due: time + chargeTakes,
      fail_reason: null,
    })
    const after = chargeTime(anchor ?? time, interval, interval_count, begun + 1)
    await changeSubscription(db, subscription_id, { begun: begun + 1, due: after })
  }
  const charges = await dueCharges(db, now)
  if (charges.length === 0) return
  const subscriptions = new Map((await listSubscriptions(db)).map((each) => [each.subscription_id, each]))
  for (const charge of charges) {
    const subscription = subscriptions.get(charge.subscription_id)
    if (!subscription) continue
    const { status } = await endDueCharge(db, subscription, charge, around)
    if (status === 'FAILED') await chargeAgain(db, subscription.subscription_id, charge.time, around.switches)
  }
}

/** The failed charge once more, in its own place of the schedule. */
async function chargeAgain(
  db: SandboxWriter,
  id: string,
  failed: number,
  { chargeAgainAfter }: Switches,
): Promise<void> {
  const subscription = await subscriptionById(db, id)
  if (chargeAgainAfter === null || subscription?.status !== 'ACTIVE') return
  await changeSubscription(db, id, { begun: subscription.begun - 1, due: failed + chargeAgainAfter * 1000 })
}

interface EndedCharge {
  readonly status: string
  readonly failReason: string | null
}

/** A charge beside the schedule, made and ended at once. */
export async function chargeNow(
  db: SandboxWriter,
  subscription: SubscriptionRow,
  now: number,
  around: MoveContext,
): Promise<EndedCharge> {
  const { subscription_id } = subscription
  const begun = { subscription_id, time: now, status: 'ACQUIRING_IN_PROCESS', due: now, fail_reason: null }
  return await endDueCharge(db, subscription, await addCharge(db, begun), around)
}

async function endDueCharge(
  db: SandboxWriter,
  subscription: SubscriptionRow,
  charge: KeptCharge,
  { tell, switches }: MoveContext,
): Promise<EndedCharge> {
  const order = await orderById(db, subscription.order_id)
  const saved = await findCard(db, subscription.integrator_id, subscription.card_token ?? '')
  const card = saved && testCard(saved.card)
  const failReason = card ? declineOf(card, charge.time, true) : 'the card is gone'
  if (failReason === null && order) {
    await postOrder(db, postingsFor(order, await sharesOf(db, order.order_id), charge.charge_id).postings)
  }
  const status = failReason === null ? 'COMPLETED' : 'FAILED'
  await endCharge(db, charge.charge_id, status, failReason)
  const ended = { id: charge.charge_id, status, at: charge.due ?? charge.time }
  if (order) await tell(db, 'charge-ended', { order, subscription, charge: ended, switches })
  return { status, failReason }
}
