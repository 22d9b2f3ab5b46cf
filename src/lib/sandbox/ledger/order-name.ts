/** The integrator's own id of an order, as it came. */
import { orderById } from '../../store/sandbox/orders.ts'
import type { SandboxReader } from '../../store/sandbox/schema.ts'
import { orderRequest } from './accepted.ts'

/** Of an order that something in the world names: a world forgets none. */
export async function orderNameOf(db: SandboxReader, orderId: string): Promise<string> {
  const order = await orderById(db, orderId)
  if (!order) throw new TypeError(`the world has no order ${orderId}`)
  return orderRequest(order).integratorOrderId
}
