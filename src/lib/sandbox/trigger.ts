/**
 * Plays the payer, the payer's bank or the service through the store, so that it works while a server runs and while none
 * does. A play that is no longer possible is refused and changes nothing.
 */
import { z } from 'zod'
import { unitsOf } from '../contract/core/rules.ts'
import { Failure } from '../failure.ts'
import { hint } from '../hint.ts'
import { type ResultOf, warningTexts } from '../result.ts'
import { findRow } from '../store/sandbox/rows.ts'
import type { OrderRow, SandboxWriter } from '../store/sandbox/schema.ts'
import { causedAfter, causedCallback, type PlayedCallback, playCallback } from './areas/callbacks.ts'
import { type TestCard, testCard, testCards, usualCard } from './areas/cards.ts'
import { endUnpaid, fail, tryToPay } from './areas/orders/payment.ts'
import { orderNamed } from './areas/orders/read.ts'
import { failRefund, finishRefund, refundable, requestRefund } from './areas/orders/refund.ts'
import { type PlayedCharge, playCharge } from './areas/subscriptions.ts'
import { executeDue, type HandlerContext } from './handler.ts'
import { largestSum, orderRequest } from './ledger.ts'
import { Refused } from './shape.ts'

export const triggers = [
  'paid',
  'declined',
  'expired',
  'refund-failed',
  'refunded',
  'subscription-charge',
  'callback',
] as const

export interface Triggered extends PlayedCallback {
  readonly what: (typeof triggers)[number]
  /** The integrator's id of the order, or the one at the end of its checkout address. */
  readonly order?: string | undefined
  /** The subscription whose charge is played, for `subscription-charge`. */
  readonly subscription?: string | undefined
  /** The test card that pays. */
  readonly card?: string | undefined
  /** Decimal text in the order's currency. */
  readonly tip?: string | undefined
  /** The sum to refund; all that is left if not given. */
  readonly amount?: string | undefined
}

export type Played = Omit<ResultOf<typeof triggeredResult>, 'warnings'>

/** Settings that belong to one trigger only. */
const owners = {
  ...{ card: 'paid', tip: 'paid', amount: 'refunded', subscription: 'subscription-charge' },
  ...{ duplicate: 'callback', which: 'callback', outOfOrder: 'callback', set: 'callback' },
} as const satisfies Partial<Record<keyof Triggered, Triggered['what']>>

function mustFitTrigger(triggered: Triggered): void {
  for (const [name, owner] of Object.entries(owners)) {
    const given = triggered[name as keyof typeof owners]
    const none = given === undefined || given === false || (Array.isArray(given) && given.length === 0)
    if (none || owner === triggered.what) continue
    const flag = name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)
    throw new Failure('usage', `--${flag} belongs to \`${owner}\`, not to \`${triggered.what}\``)
  }
}

function refuseIn({ status }: OrderRow, why: string): Failure {
  return new Failure('refused', `the order cannot be ${why}`, { status })
}

function mustBe(order: OrderRow, statuses: readonly string[], verb: string): void {
  if (!statuses.includes(order.status)) throw refuseIn(order, `${verb}: it is ${order.status}`)
}

function tipOf(order: OrderRow, tip: string | undefined): number {
  if (tip === undefined) return 0
  const units = unitsOf(tip)
  if (units === null) throw new Failure('usage', `a tip is a plain decimal number like 1.00, not "${tip}"`)
  if (units > largestSum) throw new Failure('usage', 'nobody tips that much')
  const { tipReceiverId, tipReceiverType, subscriptionPlan } = orderRequest(order)
  if (units > 0n && subscriptionPlan) {
    throw new Failure('usage', 'the order takes no tip: its plan has a price, which is what is paid')
  }
  if (units > 0n && (tipReceiverId === undefined || tipReceiverType === undefined)) {
    throw new Failure('usage', 'the order takes no tip: it was created without a tip receiver')
  }
  return Number(units)
}

function cardNamed(name: string): TestCard {
  const card = testCard(name)
  if (card) return card
  const names = testCards.map((each) => each.name).join(', ')
  throw new Failure('usage', `there is no test card ${name}`, { hints: [hint`Test cards are ${names}.`] })
}

type Play = (
  db: SandboxWriter,
  order: OrderRow,
  triggered: Triggered,
  context: HandlerContext & { readonly at: number },
) => Promise<OrderRow>

const unpaid = ['INITIAL', 'PROCESSING']

const plays: Readonly<Record<Exclude<Triggered['what'], 'subscription-charge'>, Play>> = {
  paid: async (db, order, given, { at, random }) => {
    const card = cardNamed(given.card ?? usualCard)
    const tip = tipOf(order, given.tip)
    mustBe(order, ['INITIAL'], 'paid')
    return await tryToPay(db, order, { card, saved: false, tip, at }, random)
  },
  declined: async (db, order, _given, { at }) => {
    mustBe(order, unpaid, 'declined')
    return await fail(db, order, 'declined by the bank', at)
  },
  expired: async (db, order) => {
    mustBe(order, unpaid, 'expired')
    return await endUnpaid(db, order, 'EXPIRED')
  },
  'refund-failed': async (db, order) => {
    mustBe(order, ['REFUND_REQUESTED'], 'told that its refund failed')
    const pending = await findRow(db, 'refunds', { order_id: order.order_id, status: 'REQUESTED' })
    return pending ? await failRefund(db, order, pending) : order
  },
  /** By the service itself, and done at once: the end that no operation of an integrator leads to. */
  refunded: async (db, order, { amount }, { at, settings }) => {
    if (amount !== undefined && (unitsOf(amount) ?? 0n) <= 0n) {
      throw new Failure('usage', `an amount is a plain decimal number like 1.00, not "${amount}"`)
    }
    mustBe(order, refundable, 'refunded')
    if (order.paid === 0) throw refuseIn(order, 'refunded: nothing was paid with it')
    const wanted = { ...(amount === undefined ? {} : { amount }), initiator: settings.refundedBy, now: at }
    try {
      const requested = await requestRefund(db, order, wanted)
      return await finishRefund(db, requested.order, requested.refund)
    } catch (error) {
      if (error instanceof Refused) throw new Failure('refused', error.message, { status: order.status })
      throw error
    }
  },
  callback: async (db, order, triggered, { at }) => {
    await playCallback(db, order, triggered, at)
    return order
  },
}

async function change(db: SandboxWriter, triggered: Triggered, context: HandlerContext): Promise<PlayedCharge> {
  const { what, subscription, order: name } = triggered
  const at = context.clock.now()
  mustFitTrigger(triggered)
  if (what === 'subscription-charge') {
    if (subscription === undefined) throw new Failure('usage', '`subscription-charge` needs the subscription')
    return await playCharge(db, subscription, at)
  }
  if (name === undefined) throw new Failure('usage', `\`${what}\` needs the order`)
  const order = await plays[what](db, await orderNamed(db, name), triggered, { ...context, at })
  return { order, status: order.status, failReason: order.fail_reason }
}

/** Throws a Failure: not-found (6) for what there is not, refused (5) in a state that does not allow it, usage (2). */
export async function play(context: HandlerContext, triggered: Triggered): Promise<Played> {
  return await context.store.write(async (db) => {
    await executeDue(db, context.clock.now(), context)
    const before = (await findRow(db, 'callbacks'))?.callback_id ?? 0
    const { order, status, failReason } = await change(db, triggered, context)
    const { integratorOrderId } = orderRequest(order)
    return { played: triggered.what, integratorOrderId, status, failReason, callbacks: await causedAfter(db, before) }
  })
}

export const triggeredResult = z.strictObject({
  played: z.enum(triggers),
  integratorOrderId: z.string(),
  status: z.string().describe("The order's status now; of a subscription-charge the charge's."),
  failReason: z.string().nullable().describe('Why the last try to pay failed.'),
  callbacks: z.array(causedCallback).describe('What the integrator is told of it.'),
  warnings: warningTexts,
})
