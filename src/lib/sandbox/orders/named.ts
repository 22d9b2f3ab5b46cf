/** An order by its name from outside: the integrator's id, or the service's own. */
import { Failure } from '../../failure.ts'
import { hint, paste } from '../../hint.ts'
import { ordersNamed } from '../../store/sandbox/orders.ts'
import type { OrderRow, SandboxReader } from '../../store/sandbox/schema.ts'

/** Throws a Failure: not-found (6), or usage (2) where several integrators have one of this id. */
export async function orderNamed(db: SandboxReader, id: string): Promise<OrderRow> {
  const found = await ordersNamed(db, id.trim().toLowerCase())
  const [order, ...more] = found
  if (!order) {
    throw new Failure('not-found', `the sandbox has no order ${id}`, {
      hints: [hint`\`${paste('sandbox ledger')}\` lists the orders of this world.`],
    })
  }
  if (more.length === 0) return order
  throw new Failure('usage', `${found.length} integrators have an order ${id}`, {
    hints: [
      hint`Name it by the service's own id, the end of its urlForQR: ${found.map((each) => each.order_id).join(', ')}.`,
    ],
  })
}
