/**
 * Plays that others make with an order: the payer, the payer's bank, the service itself. A play that is no longer possible is
 * refused and changes nothing.
 */
import { unitsOf } from '../../../contract/core/rules.ts'
import { Failure } from '../../../failure.ts'
import { hint } from '../../../hint.ts'
import { findRow } from '../../../store/sandbox/rows.ts'
import type { OrderRow, SandboxWriter } from '../../../store/sandbox/schema.ts'
import type { WorldSettings } from '../../accounts/settings.ts'
import type { MoveContext } from '../../handler.ts'
import { largestSum, orderRequest } from '../../ledger.ts'
import { Refused } from '../../shape.ts'
import { type TestCard, testCard, testCards, usualCard } from '../cards.ts'
import { endUnpaid, fail, tryToPay } from './payment.ts'
import { failRefund, finishRefund, refundable, requestRefund } from './refund.ts'

export interface OrderPlay {
  readonly card?: string | undefined
  /** Decimal text in the order's currency. */
  readonly tip?: string | undefined
  /** The sum to refund; all that is left if not given. */
  readonly amount?: string | undefined
}

type Play = (
  db: SandboxWriter,
  order: OrderRow,
  given: OrderPlay,
  context: MoveContext & { readonly at: number; readonly settings: WorldSettings },
) => Promise<OrderRow>

const unpaid = ['INITIAL', 'PROCESSING']

function mustBe(order: OrderRow, statuses: readonly string[], verb: string): void {
  if (statuses.includes(order.status)) return
  throw new Failure('refused', `the order cannot be ${verb}: it is ${order.status}`, { status: order.status })
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

const pay: Play = async (db, order, given, context) => {
  const card = cardNamed(given.card ?? usualCard)
  const tip = tipOf(order, given.tip)
  mustBe(order, ['INITIAL'], 'paid')
  return await tryToPay(db, order, { card, saved: false, tip, at: context.at }, context)
}

const decline: Play = async (db, order, _given, context) => {
  mustBe(order, unpaid, 'declined')
  return await fail(db, order, 'declined by the bank', context.at, context)
}

const expire: Play = async (db, order, _given, context) => {
  mustBe(order, unpaid, 'expired')
  return await endUnpaid(db, order, 'EXPIRED', context)
}

/** By the service itself, and done at once: the end that no operation of an integrator leads to. */
const refund: Play = async (db, order, { amount }, { at, settings, switches }) => {
  if (amount !== undefined && (unitsOf(amount) ?? 0n) <= 0n) {
    throw new Failure('usage', `an amount is a plain decimal number like 1.00, not "${amount}"`)
  }
  mustBe(order, refundable, 'refunded')
  const nothing = 'the order cannot be refunded: nothing was paid with it'
  if (order.paid === 0) throw new Failure('refused', nothing, { status: order.status })
  const wanted = { ...(amount === undefined ? {} : { amount }), initiator: settings.refundedBy, now: at }
  try {
    const requested = await requestRefund(db, order, wanted, switches)
    return await finishRefund(db, requested.order, requested.refund)
  } catch (error) {
    if (error instanceof Refused) throw new Failure('refused', error.message, { status: order.status })
    throw error
  }
}

const failTheRefund: Play = async (db, order) => {
  mustBe(order, ['REFUND_REQUESTED'], 'told that its refund failed')
  const pending = await findRow(db, 'refunds', { order_id: order.order_id, status: 'REQUESTED' })
  return pending ? await failRefund(db, order, pending) : order
}

export const orderPlays = {
  paid: pay,
  declined: decline,
  expired: expire,
  'refund-failed': failTheRefund,
  refunded: refund,
} as const satisfies Readonly<Record<string, Play>>
