/**
 * Subscriptions: a plan waits for the card of its order's payment, then charges it on schedule. History, revoke, the
 * ledger.
 */
import { z } from 'zod'
import { chargeAgainAfter, serviceZoneHours } from '../../contract/assumed.ts'
import { unitsOf } from '../../contract/core/rules.ts'
import { revokeSubscription, subscriptionHistory } from '../../contract/subscription.ts'
import type { Random } from '../../edge.ts'
import { Failure } from '../../failure.ts'
import { hint, paste } from '../../hint.ts'
import { jsonAmount, oneWordOf, type ResultOf, uuidText } from '../../result.ts'
import { postOrder } from '../../store/sandbox/orders.ts'
import { addRow, changeRows, dueRows, findRow, listRows } from '../../store/sandbox/rows.ts'
import type { OrderRow, Row, SandboxReader, SandboxWriter } from '../../store/sandbox/schema.ts'
import { orderRoute } from '../access/sealed.ts'
import { localMoment, sandboxMoment, startOfDay } from '../clock.ts'
import type { Route } from '../handler.ts'
import { money, orderNameOf, orderRequest } from '../ledger.ts'
import { type Answer, refuse } from '../shape.ts'
import { chargeEnded } from './callbacks.ts'
import { declineOf, testCard } from './cards.ts'
import { postingsFor } from './orders/money.ts'

// The due times of a plan's charges: days of the service's calendar, counted from the first.

const zone = serviceZoneHours * 3_600_000
const week = 7 * 24 * 3_600_000

/** The same day of a later month, or its last one: January 31 is followed by February 28. */
function monthsLater(moment: number, months: number): number {
  const local = new Date(moment + zone)
  const [year, month] = [local.getUTCFullYear(), local.getUTCMonth() + months]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const timeOfDay = (moment + zone) % (24 * 3_600_000)
  return Date.UTC(year, month, Math.min(local.getUTCDate(), lastDay)) + timeOfDay - zone
}

/** The moment of a charge, counted from 0. Always from the anchor, so that a short month does not shift those after it. */
export function chargeTime(anchor: number, interval: string, intervalCount: number, at: number): number {
  const intervals = intervalCount * at
  return interval === 'WEEKLY' ? anchor + intervals * week : monthsLater(anchor, intervals)
}

// The life of a subscription: it waits for the card that the order's payment saves, then charges that card on
// schedule, whenever the clock has come to it. A charge is ACQUIRING_IN_PROCESS for two seconds, then COMPLETED or
// FAILED; whether one that failed is made again is assumed (`chargeAgainAfter`).

const chargeTakes = 2000

type Subscription = Row<'subscriptions'>

async function change(db: SandboxWriter, { subscription_id }: Subscription, to: Partial<Subscription>): Promise<void> {
  await changeRows(db, 'subscriptions', { subscription_id }, to)
}

/** With the order: its id is known from the beginning, though how it is first delivered is not known (service.md#not-known). */
export async function planSubscription(db: SandboxWriter, order: OrderRow, random: Random): Promise<void> {
  const { subscriptionPlan: plan } = orderRequest(order)
  if (!plan) return
  await addRow(db, 'subscriptions', {
    ...{ subscription_id: random.uuid(), order_id: order.order_id, integrator_id: order.integrator_id },
    ...{ status: 'WAITING_FOR_CARD', interval: plan.interval, interval_count: Number(plan.intervalCount) },
    ...{ amount: Number(unitsOf(plan.amount) ?? 0n), start_date: plan.startDate ?? null },
    ...{ card_token: null, anchor: null, begun: 0, due: null, created: order.created },
  })
}

/** The card is there: the first charge is due on the start date, or now where there is none or it is over. */
export async function beginSubscription(
  db: SandboxWriter,
  { order_id }: OrderRow,
  token: string,
  at: number,
): Promise<void> {
  const subscription = await findRow(db, 'subscriptions', { order_id })
  if (subscription?.status !== 'WAITING_FOR_CARD') return
  const start = subscription.start_date === null ? at : Math.max(at, startOfDay(subscription.start_date))
  await change(db, subscription, { status: 'ACTIVE', card_token: token, anchor: start, due: start })
}

/** The order was never paid, so there is no card to charge. */
export async function endSubscription(db: SandboxWriter, { order_id }: OrderRow): Promise<void> {
  await changeRows(db, 'subscriptions', { order_id }, { status: 'ENDED', due: null })
}

/** Makes every charge that is due, each at its own time, even if the clock was not asked for long. */
export async function advanceSubscriptions(db: SandboxWriter, now: number): Promise<void> {
  for (let [next] = await dueRows(db, 'subscriptions', now); next; [next] = await dueRows(db, 'subscriptions', now)) {
    const { anchor, due, begun, interval, interval_count } = next
    const time = due ?? now
    await beginCharge(db, next, time, time + chargeTakes)
    const after = chargeTime(anchor ?? time, interval, interval_count, begun + 1)
    await change(db, next, { begun: begun + 1, due: after })
  }
  for (const charge of await dueRows(db, 'charges', now)) {
    const subscription = await findRow(db, 'subscriptions', { subscription_id: charge.subscription_id })
    if (!subscription) continue
    const { status } = await endCharge(db, subscription, charge)
    if (status !== 'FAILED' || chargeAgainAfter === null || subscription.status !== 'ACTIVE') continue
    // Once more, in its own place of the schedule.
    await change(db, subscription, { begun: subscription.begun - 1, due: charge.time + chargeAgainAfter * 1000 })
  }
}

async function beginCharge(db: SandboxWriter, { subscription_id }: Subscription, time: number, due: number) {
  return await addRow(db, 'charges', { subscription_id, time, status: 'ACQUIRING_IN_PROCESS', due, fail_reason: null })
}

async function endCharge(
  db: SandboxWriter,
  subscription: Subscription,
  { charge_id, time, due }: Row<'charges'>,
): Promise<Pick<PlayedCharge, 'status' | 'failReason'>> {
  const { integrator_id, order_id, card_token } = subscription
  const order = await findRow(db, 'orders', { order_id })
  const saved = await findRow(db, 'cards', { integrator_id, token: card_token ?? '' })
  const card = saved && testCard(saved.card)
  const failReason = card ? declineOf(card, time, true) : 'the card is gone'
  if (failReason === null && order) {
    await postOrder(db, postingsFor(order, await listRows(db, 'shares', { order_id }), charge_id).postings)
  }
  const status = failReason === null ? 'COMPLETED' : 'FAILED'
  await changeRows(db, 'charges', { charge_id }, { status, due: null, fail_reason: failReason })
  if (order) await chargeEnded(db, order, subscription, { id: charge_id, status, at: due ?? time })
  return { status, failReason }
}

// The payments of a subscription, and its end (service.md#subscriptions). A subscription without a payment yet has no
// history: 6112.

async function knownSubscription(db: SandboxReader, integratorId: string, id: string): Promise<Subscription> {
  const named = { integrator_id: integratorId, subscription_id: id.toLowerCase() }
  const subscription = await findRow(db, 'subscriptions', named)
  return subscription ?? refuse(6100, 'Subscription plan not found: this integrator has none of this subscriptionId')
}

const historyRoute = orderRoute(subscriptionHistory, async (db, { request, integrator }): Promise<Answer> => {
  const { subscription_id } = await knownSubscription(db, integrator.identifier, request.subscriptionId)
  const charges = await listRows(db, 'charges', { subscription_id })
  if (charges.length === 0) return refuse(6112, 'Plan history not found: nothing was due yet')
  // No operation refunds a single payment of a plan, so these two stay empty.
  const refund = { refundTime: null, refundedAmount: null }
  return charges.map(({ time, status, fail_reason: failReason }) => {
    return { time: localMoment(time), status, ...refund, failReason }
  })
})

/** Nothing is charged from now on; a second revoke finds it ended and says the same. */
const revokeRoute = orderRoute(revokeSubscription, async (db, { request, integrator }) => {
  const subscription = await knownSubscription(db, integrator.identifier, request.subscriptionId)
  await change(db, subscription, { status: 'REVOKED', due: null })
  return {}
})

export const subscriptionRoutes: readonly Route[] = [historyRoute, revokeRoute]

// A charge on demand: at once, whatever the schedule says.

export interface PlayedCharge {
  /** The order of the plan. */
  readonly order: OrderRow
  /** Of the charge. */
  readonly status: string
  readonly failReason: string | null
}

/** Throws a Failure: not-found (6), or refused (5) where the subscription is not active. */
export async function playCharge(db: SandboxWriter, id: string, at: number): Promise<PlayedCharge> {
  const subscription = await findRow(db, 'subscriptions', { subscription_id: id.trim().toLowerCase() })
  const order = subscription && (await findRow(db, 'orders', { order_id: subscription.order_id }))
  if (!order) {
    throw new Failure('not-found', `the sandbox has no subscription ${id}`, {
      hints: [hint`\`${paste('sandbox ledger')}\` lists the subscriptions of this world.`],
    })
  }
  const { status } = subscription
  if (status !== 'ACTIVE') {
    throw new Failure('refused', `the subscription cannot be charged: it is ${status}`, { status })
  }
  return { order, ...(await endCharge(db, subscription, await beginCharge(db, subscription, at, at))) }
}

type LedgerSubscription = ResultOf<typeof ledgerSubscriptionResult>

export async function describeSubscription(db: SandboxReader, plan: Subscription): Promise<LedgerSubscription> {
  const charges = await listRows(db, 'charges', { subscription_id: plan.subscription_id })
  return {
    subscriptionId: plan.subscription_id,
    integratorId: plan.integrator_id,
    integratorOrderId: await orderNameOf(db, plan.order_id),
    status: plan.status,
    interval: plan.interval,
    intervalCount: plan.interval_count,
    amount: money(plan.amount),
    completed: charges.filter(({ status }) => status === 'COMPLETED').length,
    failed: charges.filter(({ status }) => status === 'FAILED').length,
    nextChargeAt: plan.due === null ? null : localMoment(plan.due),
    createdAt: localMoment(plan.created),
  }
}

export async function subscriptionLedger(db: SandboxReader): Promise<LedgerSubscription[]> {
  return await Promise.all((await listRows(db, 'subscriptions')).map((plan) => describeSubscription(db, plan)))
}

export const ledgerSubscriptionResult = z.strictObject({
  subscriptionId: uuidText,
  integratorId: uuidText,
  integratorOrderId: z.string(),
  status: oneWordOf(['WAITING_FOR_CARD', 'ACTIVE', 'REVOKED', 'ENDED']).describe('ENDED: its order was never paid.'),
  interval: oneWordOf(['MONTHLY', 'WEEKLY']),
  intervalCount: z.int().min(1),
  amount: jsonAmount,
  completed: z.int().min(0).describe('Charges that succeeded.'),
  failed: z.int().min(0).describe('Charges that failed.'),
  nextChargeAt: z.string().nullable(),
  createdAt: sandboxMoment,
})
