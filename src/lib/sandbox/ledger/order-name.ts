/** The integrator's own id of an order, as it came. */
import { orderById } from '../../store/sandbox/orders.ts'
import type { SandboxReader } from '../../store/sandbox/schema/schema.ts'
import { orderRequest } from './accepted.ts'

/** Null where the order is not there. */
export async function orderNameOf(db: SandboxReader, orderId: string): Promise<string | null> {
  const order = await orderById(db, orderId)
  return order && orderRequest(order).integratorOrderId
}
