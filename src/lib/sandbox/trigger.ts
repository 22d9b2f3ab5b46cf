/**
 * Plays the payer, or the payer's bank, from beside: by the store, so that it works while a server runs and while none does.
 * What cannot happen any more is refused and changes nothing.
 */
import { unitsOf } from '../contract/money-rule.ts'
import { Failure } from '../failure.ts'
import type { OrderRow } from '../store/sandbox-order-schema.ts'
import { ordersNamed } from '../store/sandbox-orders.ts'
import { refundsOf } from '../store/sandbox-refunds.ts'
import type { Reader, Writer } from '../store/sandbox-schema.ts'
import { testCard, testCards, usualCard } from './card/test-card.ts'
import { settle } from './course.ts'
import type { Surroundings } from './handler.ts'
import { largestSum } from './order/money.ts'
import { endUnpaid, fail, tryToPay } from './order/payment.ts'
import { failRefund } from './order/refund-course.ts'
import { requestOf } from './order/terms.ts'

export const triggers = ['paid', 'declined', 'expired', 'refund-failed'] as const

export interface Triggered {
  readonly what: (typeof triggers)[number]
  /** The integrator's id of the order, or the one at the end of its checkout address. */
  readonly order: string
  /** Name of a test card, for `paid`. */
  readonly card?: string
  /** Decimal text in the order's currency, for `paid`. */
  readonly tip?: string
}

export interface Played {
  readonly played: Triggered['what']
  readonly integratorOrderId: string
  readonly status: string
  /** Why the bank said no; null if it did not. */
  readonly failReason: string | null
}

async function orderNamed(db: Reader, id: string): Promise<OrderRow> {
  const found = await ordersNamed(db, id.trim().toLowerCase())
  const [order, ...more] = found
  if (!order) {
    throw new Failure('not-found', `the sandbox has no order ${id}`, {
      hints: ['`paydesk sandbox ledger` lists the orders of this world.'],
    })
  }
  if (more.length === 0) return order
  throw new Failure('usage', `${found.length} integrators have an order ${id}`, {
    hints: [
      `Name it by the service's own id, the end of its urlForQR: ${found.map((each) => each.order_id).join(', ')}.`,
    ],
  })
}

function mustBe(order: OrderRow, statuses: readonly string[], verb: string): void {
  if (statuses.includes(order.status)) return
  throw new Failure('refused', `the order cannot be ${verb}: it is ${order.status}`, { status: order.status })
}

function tipOf(order: OrderRow, tip: string | undefined): number {
  if (tip === undefined) return 0
  const units = unitsOf(tip)
  if (units === null) throw new Failure('usage', `a tip is a plain decimal number like 1.00, not "${tip}"`)
  if (units > largestSum) throw new Failure('usage', 'nobody tips that much')
  const { tipReceiverId, tipReceiverType } = requestOf(order)
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

async function change(db: Writer, order: OrderRow, triggered: Triggered, around: Surroundings): Promise<OrderRow> {
  const at = around.clock.now()
  const payable = ['INITIAL']
  const unpaid = ['INITIAL', 'PROCESSING']
  const { what, card: named, tip: given } = triggered
  if (what !== 'paid' && (named ?? given) !== undefined) {
    throw new Failure('usage', `a card or a tip belongs to \`paid\`, not to \`${what}\``)
  }
  switch (what) {
    case 'paid': {
      const card = cardNamed(named ?? usualCard)
      const tip = tipOf(order, given)
      mustBe(order, payable, 'paid')
      return await tryToPay(db, order, { card, saved: false, tip, at }, around.random)
    }
    case 'declined':
      mustBe(order, unpaid, 'declined')
      return await fail(db, order, 'declined by the bank', at)
    case 'expired':
      mustBe(order, unpaid, 'expired')
      return await endUnpaid(db, order, 'EXPIRED')
    case 'refund-failed': {
      mustBe(order, ['REFUND_REQUESTED'], 'told that its refund failed')
      const refund = (await refundsOf(db, order.order_id)).find(({ status }) => status === 'REQUESTED')
      return refund ? await failRefund(db, order, refund) : order
    }
  }
}

/** Throws a Failure: not-found (6) for an order that there is not, refused (5) in a state that does not allow it, usage (2). */
export async function play(around: Surroundings, triggered: Triggered): Promise<Played> {
  return await around.store.write(async (db) => {
    await settle(db, around.clock.now(), around.random)
    const order = await orderNamed(db, triggered.order)
    const { status, fail_reason } = await change(db, order, triggered, around)
    return {
      played: triggered.what,
      integratorOrderId: requestOf(order).integratorOrderId,
      status,
      failReason: fail_reason,
    }
  })
}
