/** The sandbox's queries of orders and of what came of them. */
import { sql } from 'kysely'
import { addRows, type NewRow } from './rows.ts'
import type { OrderRow, Row, SandboxReader, SandboxWriter } from './schema.ts'

/** Orders of this id, of any integrator: the integrator's id for it, or the service's own. */
export async function ordersNamed(db: SandboxReader, id: string): Promise<OrderRow[]> {
  return await db
    .selectFrom('orders')
    .selectAll()
    .where((is) => is.or([is('integrator_order_id', '=', id), is('order_id', '=', id)]))
    .orderBy('created')
    .execute()
}

/** The parts that refunds took of each share, without refunds that failed. */
export async function refundPartsOf(db: SandboxReader, orderId: string): Promise<Row<'refund_parts'>[]> {
  return await db
    .selectFrom('refund_parts')
    .innerJoin('refunds', 'refunds.refund_id', 'refund_parts.refund_id')
    .selectAll('refund_parts')
    .where('refund_parts.order_id', '=', orderId)
    .where('refunds.status', '!=', 'FAILED')
    .orderBy('refund_parts.refund_id')
    .execute()
}

/** Writes what moved; nothing is no movement. */
export async function postOrder(db: SandboxWriter, postings: readonly NewRow<'order_postings'>[]): Promise<void> {
  await addRows(
    db,
    'order_postings',
    postings.filter(({ units }) => units > 0),
  )
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

/** The sum that wallet orders brought a receiver from a moment on, up to another. */
export async function walletSum(db: SandboxReader, receiverId: string, from: number, before: number): Promise<number> {
  const row = await db
    .selectFrom('wallet_postings')
    .select(sql<number>`coalesce(sum(units), 0)`.as('units'))
    .where('receiver_id', '=', receiverId)
    .where('time', '>=', from)
    .where('time', '<', before)
    .executeTakeFirst()
  return row?.units ?? 0
}
