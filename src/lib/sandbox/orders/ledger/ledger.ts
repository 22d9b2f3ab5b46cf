/** An order as the ledger tells of it: the charge, the receivers with their parts, the refunds. */
import type { ResultOf } from '../../../result.ts'
import { cardOfOrder, subscriptionOfOrder } from '../../../store/sandbox/cards.ts'
import { listOrders, postingsOf, refundsOf, sharesOf } from '../../../store/sandbox/orders.ts'
import type { OrderPostingRow, OrderRow, SandboxReader } from '../../../store/sandbox/schema.ts'
import { localMoment } from '../../clock/clock.ts'
import { orderRequest } from '../../ledger/accepted.ts'
import { describeEach } from '../../ledger/ledger.ts'
import { money } from '../../world/money.ts'
import type { ledgerOrderResult } from './result.ts'

export type LedgerOrder = ResultOf<typeof ledgerOrderResult>

const total = (postings: readonly OrderPostingRow[]): number => postings.reduce((sum, { units }) => sum + units, 0)

/** The present balance of a share with its receiver. */
function received(postings: readonly OrderPostingRow[], position: number): number {
  const own = postings.filter((each) => each.position === position)
  return total(own.filter(({ kind }) => kind !== 'debit')) - total(own.filter(({ kind }) => kind === 'debit'))
}

export async function describeOrder(db: SandboxReader, order: OrderRow): Promise<LedgerOrder> {
  const postings = await postingsOf(db, order.order_id)
  const refunds = (await refundsOf(db, order.order_id)).filter(({ status }) => status !== 'FAILED')
  const shares = await sharesOf(db, order.order_id)
  return {
    integratorOrderId: orderRequest(order).integratorOrderId,
    integratorId: order.integrator_id,
    status: order.status,
    amount: money(order.amount),
    currency: order.currency,
    tip: money(order.tip),
    acquiringAmount: money(order.acquired),
    acquiringCurrency: order.acquiring_currency,
    distributionCurrency: order.distribution_currency,
    commissionType: order.commission_type,
    charges: postings.filter(({ kind }) => kind === 'charge').length,
    refunded: money(refunds.reduce((sum, { amount }) => sum + amount, 0)),
    refunds: refunds.length,
    returned: money(total(postings.filter(({ kind }) => kind === 'refund'))),
    cardSaved: (await cardOfOrder(db, order.order_id)) !== null,
    splits: shares.map(({ receiver_type, receiver, amount, position, tip }) => ({
      receiverType: receiver_type,
      receiverIdentifier: receiver,
      amount: money(amount),
      received: money(received(postings, position)),
      tip: tip === 1,
    })),
    subscriptionId: (await subscriptionOfOrder(db, order.order_id))?.subscription_id ?? null,
    failReason: order.fail_reason,
    createdAt: localMoment(order.created),
  }
}

export async function orderLedger(db: SandboxReader): Promise<LedgerOrder[]> {
  return await describeEach(await listOrders(db), (order) => describeOrder(db, order))
}
