/** Requests as they were accepted, kept with what they caused. Values are held as text, as the contract's rules see them. */
import type { OrderRequest } from '../../contract/order/order.ts'
import type { PayoutRequest } from '../../contract/payout/payout.ts'
import { readJson } from '../../json.ts'
import type { OrderRow, PayoutRow } from '../../store/sandbox/schema.ts'

export function orderRequest(order: Pick<OrderRow, 'request'>): OrderRequest {
  return readJson(order.request) as OrderRequest
}

/** A payout with the one member that the specification does not list and that has an effect all the same (service.md#seen-since). */
export type KeptPayout = PayoutRequest & { readonly debtorBirthDate?: string }

export function payoutRequest(payout: Pick<PayoutRow, 'request'>): KeptPayout {
  return readJson(payout.request) as KeptPayout
}
