/** The ledger: the truth that tests compare with the belief of a client. Each area tells its own part. */
import { largestSandboxSum } from '../contract/assumed.ts'
import { fromMinorUnits, JsonNumber, minorUnits } from '../contract/core/decimal.ts'
import type { OrderRequest } from '../contract/order/order.ts'
import type { PayoutRequest } from '../contract/payout/payout.ts'
import { readJson } from '../json.ts'
import { findRow } from '../store/sandbox/rows.ts'
import type { OrderRow, Row, SandboxReader } from '../store/sandbox/schema.ts'

/** The entries of one kind, the oldest first. */
type LedgerPart = (db: SandboxReader, now: number) => Promise<readonly unknown[]>

type LedgerParts = Readonly<Record<string, LedgerPart>>

export type LedgerOf<Parts extends LedgerParts> = {
  readonly [Name in keyof Parts]: Awaited<ReturnType<Parts[Name]>>
}

export async function readLedger<Parts extends LedgerParts>(
  parts: Parts,
  db: SandboxReader,
  now: number,
): Promise<LedgerOf<Parts>> {
  const read = Object.entries(parts).map(async ([name, part]) => [name, await part(db, now)] as const)
  return Object.fromEntries(await Promise.all(read)) as LedgerOf<Parts>
}

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
