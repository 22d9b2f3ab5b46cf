/** A charge that is played from beside: at once, whatever the schedule says. */
import { Failure } from '../../failure.ts'
import { hint, paste } from '../../hint.ts'
import { subscriptionById } from '../../store/sandbox/cards.ts'
import { orderById } from '../../store/sandbox/orders.ts'
import type { OrderRow, SandboxWriter } from '../../store/sandbox/schema.ts'
import type { MoveContext } from '../clock/due.ts'
import { chargeNow } from './advance.ts'

export interface PlayedCharge {
  /** The order of the plan. */
  readonly order: OrderRow
  /** Of the charge. */
  readonly status: string
  readonly failReason: string | null
}

/** Throws a Failure: not-found (6), or refused (5) where the subscription is not active. */
export async function playCharge(
  db: SandboxWriter,
  id: string,
  { at, ...around }: MoveContext & { readonly at: number },
): Promise<PlayedCharge> {
  const subscription = await subscriptionById(db, id.trim().toLowerCase())
  const order = subscription && (await orderById(db, subscription.order_id))
  if (!order) {
    throw new Failure('not-found', `the sandbox has no subscription ${id}`, {
      hints: [hint`\`${paste('sandbox ledger')}\` lists the subscriptions of this world.`],
    })
  }
  const { status } = subscription
  if (status !== 'ACTIVE') {
    throw new Failure('refused', `the subscription cannot be charged: it is ${status}`, { status })
  }
  return { order, ...(await chargeNow(db, subscription, at, around)) }
}
