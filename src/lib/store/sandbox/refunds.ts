/** The sandbox's queries of refunds, and of the money of orders: postings, never a stored balance. */
import { sql } from 'kysely'
import type { OrderPostingRow, RefundPartRow, RefundRow } from './schema/orders.ts'
import type { SandboxReader, SandboxWriter } from './schema/schema.ts'

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
