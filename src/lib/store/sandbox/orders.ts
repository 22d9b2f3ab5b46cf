/** The sandbox's queries of orders and of their shares. */

import { sql } from 'kysely'
import type {
  OrderPostingRow,
  OrderRow,
  RefundPartRow,
  RefundRow,
  SandboxReader,
  SandboxWriter,
  ShareRow,
} from './schema.ts'

export async function findOrder(
  db: SandboxReader,
  integratorId: string,
  integratorOrderId: string,
): Promise<OrderRow | null> {
  const query = db.selectFrom('orders').selectAll().where('integrator_id', '=', integratorId)
  return (await query.where('integrator_order_id', '=', integratorOrderId).executeTakeFirst()) ?? null
}

export async function orderById(db: SandboxReader, orderId: string): Promise<OrderRow | null> {
  return (await db.selectFrom('orders').selectAll().where('order_id', '=', orderId).executeTakeFirst()) ?? null
}

/** Orders of this id, of any integrator: the integrator's id for it, or the service's own. */
export async function ordersNamed(db: SandboxReader, id: string): Promise<OrderRow[]> {
  return await db
    .selectFrom('orders')
    .selectAll()
    .where((is) => is.or([is('integrator_order_id', '=', id), is('order_id', '=', id)]))
    .orderBy('created')
    .execute()
}

export async function addOrder(db: SandboxWriter, order: OrderRow, shares: readonly ShareRow[]): Promise<void> {
  await db.insertInto('orders').values(order).execute()
  await db.insertInto('shares').values(shares).execute()
}

type OrderChange = Partial<Omit<OrderRow, 'order_id' | 'integrator_id' | 'integrator_order_id' | 'created'>>

/** Changes an order and gives back how it is now. */
export async function updateOrder(db: SandboxWriter, order: OrderRow, change: OrderChange): Promise<OrderRow> {
  await db.updateTable('orders').set(change).where('order_id', '=', order.order_id).execute()
  return { ...order, ...change }
}

export async function dueOrders(db: SandboxReader, now: number): Promise<OrderRow[]> {
  return await db.selectFrom('orders').selectAll().where('due', '<=', now).orderBy('due').orderBy('order_id').execute()
}

export async function listOrders(db: SandboxReader): Promise<OrderRow[]> {
  return await db.selectFrom('orders').selectAll().orderBy('created').orderBy('order_id').execute()
}

export async function sharesOf(db: SandboxReader, orderId: string): Promise<ShareRow[]> {
  return await db.selectFrom('shares').selectAll().where('order_id', '=', orderId).orderBy('position').execute()
}

export async function addShare(db: SandboxWriter, share: ShareRow): Promise<void> {
  await db.insertInto('shares').values(share).execute()
}

export async function setShare(db: SandboxWriter, { order_id, position }: ShareRow, amount: number): Promise<void> {
  const query = db.updateTable('shares').set({ amount }).where('order_id', '=', order_id)
  await query.where('position', '=', position).execute()
}

export type KeptRefund = Omit<RefundRow, 'refund_id'> & { readonly refund_id: number }

export async function addRefund(db: SandboxWriter, refund: Omit<RefundRow, 'refund_id'>): Promise<KeptRefund> {
  const query = db.insertInto('refunds').values(refund).returning('refund_id')
  return { ...refund, ...(await query.executeTakeFirstOrThrow()) }
}

export async function addRefundPart(db: SandboxWriter, part: RefundPartRow): Promise<void> {
  await db.insertInto('refund_parts').values(part).execute()
}

export async function refundsOf(db: SandboxReader, orderId: string): Promise<KeptRefund[]> {
  return await db.selectFrom('refunds').selectAll().where('order_id', '=', orderId).orderBy('refund_id').execute()
}

/** The parts that refunds took of each share, without refunds that ended in this status. */
export async function refundPartsOf(db: SandboxReader, orderId: string, without: string): Promise<RefundPartRow[]> {
  return await db
    .selectFrom('refund_parts')
    .innerJoin('refunds', 'refunds.refund_id', 'refund_parts.refund_id')
    .selectAll('refund_parts')
    .where('refund_parts.order_id', '=', orderId)
    .where('refunds.status', '!=', without)
    .orderBy('refund_parts.refund_id')
    .execute()
}

export async function dueRefunds(db: SandboxReader, now: number): Promise<KeptRefund[]> {
  return await db
    .selectFrom('refunds')
    .selectAll()
    .where('due', '<=', now)
    .orderBy('due')
    .orderBy('refund_id')
    .execute()
}

export async function endRefund(db: SandboxWriter, refundId: number, status: string): Promise<void> {
  await db.updateTable('refunds').set({ status, due: null }).where('refund_id', '=', refundId).execute()
}

/** Writes what moved; nothing is no movement. */
export async function postOrder(db: SandboxWriter, postings: readonly OrderPostingRow[]): Promise<void> {
  const moved = postings.filter(({ units }) => units > 0)
  if (moved.length > 0) await db.insertInto('order_postings').values(moved).execute()
}

export async function postingsOf(db: SandboxReader, orderId: string): Promise<OrderPostingRow[]> {
  return await db.selectFrom('order_postings').selectAll().where('order_id', '=', orderId).execute()
}

/** The sum that a receiver got and did not give back, in one currency. */
export async function receivedBy(db: SandboxReader, receiver: string, currency: string): Promise<number> {
  const row = await db
    .selectFrom('order_postings')
    .select(sql<number>`coalesce(sum(case kind when 'debit' then -units else units end), 0)`.as('units'))
    .where('receiver', '=', receiver)
    .where('currency', '=', currency)
    .executeTakeFirst()
  return row?.units ?? 0
}

interface ReceivedFunds {
  readonly receiver: string
  readonly currency: string
  readonly units: number
}

/** The sums that every receiver of orders and wallet payments has got and not given back. */
export async function receivedByAll(db: SandboxReader): Promise<ReceivedFunds[]> {
  const { rows } = await sql<ReceivedFunds>`select receiver, currency, sum(units) as units from (
      select receiver, currency, case kind when 'debit' then -units else units end as units
        from order_postings where receiver is not null
      union all select receiver_id, 'GEL', units from wallet_postings)
    group by receiver, currency order by receiver, currency`.execute(db)
  return rows
}
