/** Money of an order: held on the payer's card, or taken from it and given to the receivers, as postings. */

import { postOrder, setShare, sharesOf, updateOrder } from '../../store/sandbox/orders.ts'
import type { OrderPostingRow, OrderRow, SandboxWriter, ShareRow } from '../../store/sandbox/schema.ts'
import type { TestCard } from '../cards/test-card.ts'
import { apportion, sumsOf } from './money.ts'
import { termsOf } from './terms.ts'

const partsOf = (shares: readonly ShareRow[]) =>
  shares.map(({ amount, tip }) => ({ amount: BigInt(amount), tip: tip === 1 }))

/** The postings of a payment of these shares: one charge of the payer, a credit for each receiver. */
export function postingsFor(
  order: OrderRow,
  shares: readonly ShareRow[],
  chargeId: number | null,
): { readonly acquired: number; readonly postings: readonly OrderPostingRow[] } {
  const { acquired, distributed } = sumsOf(partsOf(shares), termsOf(order))
  const base = { order_id: order.order_id, charge_id: chargeId, refund_id: null }
  const charge: OrderPostingRow = {
    ...base,
    position: null,
    receiver: null,
    currency: order.acquiring_currency,
    units: Number(acquired),
    kind: 'charge',
  }
  const credits = shares.map(
    ({ position, receiver }, at): OrderPostingRow => ({
      ...base,
      position,
      receiver,
      currency: order.distribution_currency,
      units: Number(distributed[at] ?? 0n),
      kind: 'credit',
    }),
  )
  return { acquired: Number(acquired), postings: [charge, ...credits] }
}

/** Pre-authorisation: the sum is blocked on the card, no receiver gets anything yet. */
export async function hold(db: SandboxWriter, order: OrderRow, { name }: TestCard): Promise<OrderRow> {
  const shares = await sharesOf(db, order.order_id)
  const { acquired } = postingsFor(order, shares, null)
  const authorised = order.amount + order.tip
  const held = { authorised, acquired, trying: name, due: null }
  return await updateOrder(db, order, { ...held, status: 'WAITING_FOR_CONFIRM' })
}

/** Takes so much of the order's currency. Less than the whole is divided among the receivers as the whole would have been. */
export async function capture(db: SandboxWriter, order: OrderRow, units: number): Promise<OrderRow> {
  // A plan's order is paid with nothing: its shares are those of the charges to come.
  if (units === 0) return await updateOrder(db, order, { status: 'SUCCESS', trying: null, due: null })
  const shares = await sharesOf(db, order.order_id)
  const taken = apportion(
    BigInt(units),
    shares.map(({ amount }) => BigInt(amount)),
  )
  const parts = shares.map((share, at) => ({ ...share, amount: Number(taken[at] ?? 0n) }))
  for (const part of parts) await setShare(db, part, part.amount)
  const { acquired, postings } = postingsFor(order, parts, null)
  await postOrder(db, postings)
  // Of a sum that was held with its tip, the tip is what its receiver has of it now.
  const tip = parts.reduce((sum, part) => sum + (part.tip === 1 ? part.amount : 0), 0)
  return await updateOrder(db, order, { status: 'SUCCESS', paid: units, tip, acquired, trying: null, due: null })
}
