/** Sums of the ledger, and the requests that its entries were made of. */
import { largestSandboxSum } from '../contract/assumed.ts'
import { fromMinorUnits, JsonNumber, minorUnits } from '../contract/core/decimal.ts'
import type { OrderRequest } from '../contract/order/order.ts'
import type { PayoutRequest } from '../contract/payout/payout.ts'
import { readJson } from '../json.ts'
import { findRow } from '../store/sandbox/rows.ts'
import type { OrderRow, Row, SandboxReader } from '../store/sandbox/schema.ts'

export function orderRequest(order: Pick<OrderRow, 'request'>): OrderRequest {
  return readJson(order.request) as OrderRequest
}

/** A payout with the one member that the specification does not list and that has an effect all the same (service.md#seen-since). */
export type SentPayout = PayoutRequest & { readonly debtorBirthDate?: string }

export function payoutRequest(payout: Pick<Row<'payouts'>, 'request'>): SentPayout {
  return readJson(payout.request) as SentPayout
}

/** Of an order that something in the world names: a world forgets none. */
export async function orderNameOf(db: SandboxReader, orderId: string): Promise<string> {
  const order = await findRow(db, 'orders', { order_id: orderId })
  if (!order) throw new TypeError(`the world has no order ${orderId}`)
  return orderRequest(order).integratorOrderId
}

/** The largest sum that the sandbox takes, in minor units: many of them still add up without loss. */
export const largestSum = minorUnits(largestSandboxSum) ?? 0n

/** Minor units of the store as the JSON number that people and programs read. */
export function money(minor: number): JsonNumber {
  return new JsonNumber(fromMinorUnits(BigInt(minor)))
}
