/** The sandbox's queries of orders and of their shares. */
import type { OrderRow, ShareRow } from './schema/orders.ts'
import type { SandboxReader, SandboxWriter } from './schema/schema.ts'

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

export type OrderChange = Partial<Omit<OrderRow, 'order_id' | 'integrator_id' | 'integrator_order_id' | 'created'>>

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
