/** The end of a refund: soon after the request by the clock, or at once where it is told to fail. */
import {
  dueRefunds,
  endRefund,
  type KeptRefund,
  orderById,
  postingsOf,
  postOrder,
  refundsOf,
  updateOrder,
} from '../../store/sandbox/orders.ts'
import type { OrderRow, SandboxReader, SandboxWriter } from '../../store/sandbox/schema.ts'
import { backOf } from './money.ts'

/** The credits of each share's receiver, by position. Charges of a plan are left out: they are no payment of the order. */
export async function credited(db: SandboxReader, order: OrderRow): Promise<ReadonlyMap<number, number>> {
  const postings = await postingsOf(db, order.order_id)
  const credits = postings.filter(({ kind, charge_id }) => kind === 'credit' && charge_id === null)
  return new Map(credits.map(({ position, units }) => [position ?? 0, units]))
}

/** The sum of refunds that are done, in the order's currency; one still on its way does not count. */
function refundedSum(refunds: readonly KeptRefund[]): number {
  return refunds.filter(({ status }) => status === 'DONE').reduce((sum, { amount }) => sum + amount, 0)
}

/** The payer has the money: all of it makes the order refunded by the last initiator, less makes it partly so. */
export async function finishRefund(db: SandboxWriter, order: OrderRow, refund: KeptRefund): Promise<OrderRow> {
  const { order_id, acquired, paid } = order
  const before = refundedSum(await refundsOf(db, order_id))
  await endRefund(db, refund.refund_id, 'DONE')
  const units = Number(backOf(BigInt(acquired), BigInt(paid), BigInt(before), BigInt(refund.amount)))
  await postOrder(db, [
    {
      ...{ order_id, charge_id: null, refund_id: refund.refund_id, position: null, receiver: null },
      ...{ currency: order.acquiring_currency, units, kind: 'refund' },
    },
  ])
  const whole = before + refund.amount === paid
  return await updateOrder(db, order, { status: whole ? `REFUNDED_BY_${refund.initiator}` : 'PARTIALLY_REFUNDED' })
}

/** The payer's bank said no: what the receivers gave is theirs again. */
export async function failRefund(db: SandboxWriter, order: OrderRow, refund: KeptRefund): Promise<OrderRow> {
  await endRefund(db, refund.refund_id, 'FAILED')
  const given = (await postingsOf(db, order.order_id)).filter(
    ({ kind, refund_id }) => kind === 'debit' && refund_id === refund.refund_id,
  )
  await postOrder(
    db,
    given.map((posting) => ({ ...posting, kind: 'return' })),
  )
  return await updateOrder(db, order, { status: 'REFUNDED_FAILED' })
}

export async function advanceRefunds(db: SandboxWriter, now: number): Promise<void> {
  for (const refund of await dueRefunds(db, now)) {
    const order = await orderById(db, refund.order_id)
    if (order) await finishRefund(db, order, refund)
  }
}
