/**
 * Subscriptions: a plan waits for the card of its order's payment, then charges it on schedule. History, revoke, the
 * ledger.
 */
import { z } from 'zod'
import { serviceZoneHours } from '../../contract/assumed.ts'
import { unitsOf } from '../../contract/core/rules.ts'
import { revokeSubscription, subscriptionHistory } from '../../contract/subscription.ts'
import type { Random } from '../../edge.ts'
import { Failure } from '../../failure.ts'
import { hint, paste } from '../../hint.ts'
import { jsonAmount, oneWordOf, type ResultOf, uuidText } from '../../result.ts'
import {
  addCharge,
  addSubscription,
  changeSubscription,
  chargesOf,
  dueCharges,
  dueSubscription,
  endCharge,
  findCard,
  findSubscription,
  type KeptCharge,
  listSubscriptions,
  subscriptionById,
  subscriptionOfOrder,
} from '../../store/sandbox/cards.ts'
import { orderById, postOrder, sharesOf } from '../../store/sandbox/orders.ts'
import type { OrderRow, SandboxReader, SandboxWriter, SubscriptionRow } from '../../store/sandbox/schema.ts'
import { sealedRead, sealedWrite } from '../access/sealed.ts'
import { localMoment, sandboxMoment, startOfDay } from '../clock.ts'
import type { MoveContext, SandboxArea, Switches } from '../handler.ts'
import { describeEach, money, orderNameOf, orderRequest } from '../ledger.ts'
import { refuse } from '../shape.ts'
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

/** With the order: its id is known from the beginning, though how it is first delivered is not known (service.md#not-known). */
async function planSubscription(db: SandboxWriter, order: OrderRow, random: Random): Promise<void> {
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
async function beginSubscription(db: SandboxWriter, order: OrderRow, token: string, at: number): Promise<void> {
  const subscription = await subscriptionOfOrder(db, order.order_id)
  if (subscription?.status !== 'WAITING_FOR_CARD') return
  const start = subscription.start_date === null ? at : Math.max(at, startOfDay(subscription.start_date))
  const change = { status: 'ACTIVE', card_token: token, anchor: start, due: start } as const
  await changeSubscription(db, subscription.subscription_id, change)
}

/** The order was never paid, so there is no card to charge. */
async function endSubscription(db: SandboxWriter, order: OrderRow): Promise<void> {
  const subscription = await subscriptionOfOrder(db, order.order_id)
  if (subscription) await changeSubscription(db, subscription.subscription_id, { status: 'ENDED', due: null })
}

/** Makes every charge that is due, each at its own time, even if the clock was not asked for long. */
async function advanceSubscriptions(db: SandboxWriter, now: number, context: MoveContext): Promise<void> {
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
    const { status } = await endDueCharge(db, subscription, charge, context)
    if (status === 'FAILED') await chargeAgain(db, subscription.subscription_id, charge.time, context.switches)
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
async function chargeNow(
  db: SandboxWriter,
  subscription: SubscriptionRow,
  now: number,
  context: MoveContext,
): Promise<EndedCharge> {
  const { subscription_id } = subscription
  const begun = { subscription_id, time: now, status: 'ACQUIRING_IN_PROCESS', due: now, fail_reason: null }
  return await endDueCharge(db, subscription, await addCharge(db, begun), context)
}

async function endDueCharge(
  db: SandboxWriter,
  subscription: SubscriptionRow,
  charge: KeptCharge,
  { emit: tell, switches }: MoveContext,
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

// The payments of a subscription, and its end (service.md#subscriptions). A subscription without a payment yet has no
// history: 6112.

const unknown = refuse(6100, 'Subscription plan not found: this integrator has none of this subscriptionId')

const historyRoute = sealedRead(subscriptionHistory, async (db, { request, integrator }) => {
  const subscription = await findSubscription(db, integrator.identifier, request.subscriptionId.toLowerCase())
  if (!subscription) return unknown
  const charges = await chargesOf(db, subscription.subscription_id)
  if (charges.length === 0) return refuse(6112, 'Plan history not found: nothing was due yet')
  return {
    kind: 'value',
    // No operation refunds a single payment of a plan, so these two stay empty.
    value: charges.map(({ time, status, fail_reason }) => ({
      time: localMoment(time),
      status,
      refundTime: null,
      refundedAmount: null,
      failReason: fail_reason,
    })),
  }
})

/** Nothing is charged from now on; a second revoke finds it ended and says the same. */
const revokeRoute = sealedWrite(revokeSubscription, async (db, { request, integrator }) => {
  const subscription = await findSubscription(db, integrator.identifier, request.subscriptionId.toLowerCase())
  if (!subscription) return unknown
  await changeSubscription(db, subscription.subscription_id, { status: 'REVOKED', due: null })
  return { kind: 'value', value: {} }
})

export const subscriptionArea: SandboxArea = {
  routes: [historyRoute, revokeRoute],
  moves: [advanceSubscriptions],
  on: {
    'order-created': (db, { order, random }) => planSubscription(db, order, random),
    'card-saved': (db, { order, token, at }) => beginSubscription(db, order, token, at),
    'order-unpaid': (db, { order }) => endSubscription(db, order),
  },
}

// A charge that is played from beside: at once, whatever the schedule says.

export interface PlayedCharge {
  /** The order of the plan. */
  readonly order: OrderRow
  /** Of the charge. */
  readonly status: string
  readonly failReason: string | null
}

/** Throws a Failure: not-found (6), or refused (5) where the subscription is not active. */
export async function playCharge(
  db: SandboxWriter,
  id: string,
  { at, ...context }: MoveContext & { readonly at: number },
): Promise<PlayedCharge> {
  const subscription = await subscriptionById(db, id.trim().toLowerCase())
  const order = subscription && (await orderById(db, subscription.order_id))
  if (!order) {
    throw new Failure('not-found', `the sandbox has no subscription ${id}`, {
      hints: [hint`\`${paste('sandbox ledger')}\` lists the subscriptions of this world.`],
    })
  }
  const { status } = subscription
  if (status !== 'ACTIVE') {
    throw new Failure('refused', `the subscription cannot be charged: it is ${status}`, { status })
  }
  return { order, ...(await chargeNow(db, subscription, at, context)) }
}

type LedgerSubscription = ResultOf<typeof ledgerSubscriptionResult>

export async function describeSubscription(db: SandboxReader, plan: SubscriptionRow): Promise<LedgerSubscription> {
  const charges = await chargesOf(db, plan.subscription_id)
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
  return await describeEach(await listSubscriptions(db), (plan) => describeSubscription(db, plan))
}

/** A subscription as the ledger tells of it. */
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
