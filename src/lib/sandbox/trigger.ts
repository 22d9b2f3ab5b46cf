/**
 * Plays the payer, the payer's bank or the service, from beside: by the store, so that it works while a server runs and while
 * none does. What cannot happen any more is refused and changes nothing.
 */
import { unitsOf } from '../contract/core/money-rule.ts'
import { Failure } from '../failure.ts'
import { callbacksAfter, newestCallback } from '../store/sandbox/callbacks.ts'
import { subscriptionById } from '../store/sandbox/cards.ts'
import { orderById } from '../store/sandbox/orders.ts'
import { refundsOf } from '../store/sandbox/refunds.ts'
import type { OrderRow } from '../store/sandbox/schema/orders.ts'
import type { SandboxReader, SandboxWriter } from '../store/sandbox/schema/schema.ts'
import { type CausedCallback, describeCaused } from './callbacks/look.ts'
import { type PlayedCallback, playCallback } from './callbacks/play.ts'
import { testCard, testCards, usualCard } from './cards/test-card.ts'
import { executeDue } from './clock/course.ts'
import type { Surroundings } from './handler.ts'
import { largestSum } from './orders/money.ts'
import { orderNamed } from './orders/named.ts'
import { endUnpaid, fail, tryToPay } from './orders/payment.ts'
import { refundable, requestRefund } from './orders/refund.ts'
import { failRefund, finishRefund } from './orders/refund-course.ts'
import { orderRequest } from './orders/terms.ts'
import { chargeNow } from './subscriptions/course.ts'

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
  /** Whose charge it is, for `subscription-charge`. */
  readonly subscription?: string | undefined
  /** Name of a test card, for `paid`. */
  readonly card?: string | undefined
  /** Decimal text in the order's currency, for `paid`. */
  readonly tip?: string | undefined
  /** How much goes back, for `refunded`; all that is left if not given. */
  readonly amount?: string | undefined
}

export interface Played {
  readonly played: Triggered['what']
  readonly integratorOrderId: string
  /** Of the order; of a charge the charge's. */
  readonly status: string
  /** Why the bank said no; null if it did not. */
  readonly failReason: string | null
  /** What the integrator is told of it. */
  readonly callbacks: readonly CausedCallback[]
}

type Outcome = Pick<Played, 'status' | 'failReason'> & { readonly order: OrderRow }

const outcomeOf = (order: OrderRow): Outcome => ({ order, status: order.status, failReason: order.fail_reason })

function mustBe(order: OrderRow, statuses: readonly string[], verb: string): void {
  if (statuses.includes(order.status)) return
  throw new Failure('refused', `the order cannot be ${verb}: it is ${order.status}`, { status: order.status })
}

function tipOf(order: OrderRow, tip: string | undefined): number {
  if (tip === undefined) return 0
  const units = unitsOf(tip)
  if (units === null) throw new Failure('usage', `a tip is a plain decimal number like 1.00, not "${tip}"`)
  if (units > largestSum) throw new Failure('usage', 'nobody tips that much')
  const { tipReceiverId, tipReceiverType } = orderRequest(order)
  if (units > 0n && (tipReceiverId === undefined || tipReceiverType === undefined)) {
    throw new Failure('usage', 'the order takes no tip: it was created without a tip receiver')
  }
  return Number(units)
}

function cardNamed(name: string) {
  const card = testCard(name)
  if (card) return card
  const names = testCards.map((each) => each.name).join(', ')
  throw new Failure('usage', `there is no test card ${name}`, { hints: [`Test cards are ${names}.`] })
}

/** By the service itself, and done at once: the end that no operation of an integrator leads to. */
async function refund(db: SandboxWriter, order: OrderRow, amount: string | undefined, now: number): Promise<OrderRow> {
  if (amount !== undefined && (unitsOf(amount) ?? 0n) <= 0n) {
    throw new Failure('usage', `an amount is a plain decimal number like 1.00, not "${amount}"`)
  }
  mustBe(order, refundable, 'refunded')
  const nothing = 'the order cannot be refunded: nothing was paid with it'
  if (order.paid === 0) throw new Failure('refused', nothing, { status: order.status })
  const wanted = { ...(amount === undefined ? {} : { amount }), initiator: 'SERVICE', now }
  const requested = await requestRefund(db, order, wanted)
  if ('code' in requested) throw new Failure('refused', requested.message, { status: order.status })
  return await finishRefund(db, requested.order, requested.refund)
}

async function failedRefund(db: SandboxWriter, order: OrderRow): Promise<OrderRow> {
  mustBe(order, ['REFUND_REQUESTED'], 'told that its refund failed')
  const pending = (await refundsOf(db, order.order_id)).find(({ status }) => status === 'REQUESTED')
  return pending ? await failRefund(db, order, pending) : order
}

async function charge(db: SandboxWriter, id: string | undefined, now: number): Promise<Outcome> {
  if (id === undefined) throw new Failure('usage', '`subscription-charge` needs the subscription')
  const subscription = await subscriptionById(db, id.trim().toLowerCase())
  const order = subscription && (await orderById(db, subscription.order_id))
  if (!order) {
    throw new Failure('not-found', `the sandbox has no subscription ${id}`, {
      hints: ['`paydesk sandbox ledger` lists the subscriptions of this world.'],
    })
  }
  const { status } = subscription
  if (status !== 'ACTIVE') {
    throw new Failure('refused', `the subscription cannot be charged: it is ${status}`, { status })
  }
  const failReason = await chargeNow(db, subscription, now)
  return { order, status: failReason === null ? 'COMPLETED' : 'FAILED', failReason }
}

/** What belongs to one trigger only. */
const owners = {
  ...{ card: 'paid', tip: 'paid', amount: 'refunded', subscription: 'subscription-charge' },
  ...{ duplicate: 'callback', outOfOrder: 'callback', set: 'callback' },
} as const satisfies Partial<Record<keyof Triggered, Triggered['what']>>

function checked(triggered: Triggered): void {
  for (const [name, owner] of Object.entries(owners)) {
    const given = triggered[name as keyof typeof owners]
    const none = given === undefined || given === false || (Array.isArray(given) && given.length === 0)
    if (none || owner === triggered.what) continue
    const flag = name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)
    throw new Failure('usage', `--${flag} belongs to \`${owner}\`, not to \`${triggered.what}\``)
  }
}

async function meant(db: SandboxReader, { what, order }: Triggered): Promise<OrderRow> {
  if (order === undefined) throw new Failure('usage', `\`${what}\` needs the order`)
  return await orderNamed(db, order)
}

async function change(db: SandboxWriter, triggered: Triggered, { clock, random }: Surroundings): Promise<Outcome> {
  const at = clock.now()
  const { what } = triggered
  checked(triggered)
  if (what === 'subscription-charge') return await charge(db, triggered.subscription, at)
  const order = await meant(db, triggered)
  const unpaid = ['INITIAL', 'PROCESSING']
  switch (what) {
    case 'paid': {
      const card = cardNamed(triggered.card ?? usualCard)
      const tip = tipOf(order, triggered.tip)
      mustBe(order, ['INITIAL'], 'paid')
      return outcomeOf(await tryToPay(db, order, { card, saved: false, tip, at }, random))
    }
    case 'declined':
      mustBe(order, unpaid, 'declined')
      return outcomeOf(await fail(db, order, 'declined by the bank', at))
    case 'expired':
      mustBe(order, unpaid, 'expired')
      return outcomeOf(await endUnpaid(db, order, 'EXPIRED'))
    case 'refund-failed':
      return outcomeOf(await failedRefund(db, order))
    case 'refunded':
      return outcomeOf(await refund(db, order, triggered.amount, at))
    case 'callback':
      await playCallback(db, order, triggered, at)
      return outcomeOf(order)
  }
}

/** Throws a Failure: not-found (6) for what there is not, refused (5) in a state that does not allow it, usage (2). */
export async function play(around: Surroundings, triggered: Triggered): Promise<Played> {
  return await around.store.write(async (db) => {
    await executeDue(db, around.clock.now(), around.random)
    const before = await newestCallback(db)
    const { order, status, failReason } = await change(db, triggered, around)
    const { integratorOrderId } = orderRequest(order)
    const caused = await callbacksAfter(db, before)
    const callbacks: CausedCallback[] = []
    for (const callback of caused) callbacks.push(await describeCaused(db, callback))
    return { played: triggered.what, integratorOrderId, status, failReason, callbacks }
  })
}
