/** The ledger: the truth that tests compare with the belief of a client. Each area tells its own part. */
import { largestSandboxSum } from '../contract/assumed.ts'
import { fromMinorUnits, JsonNumber, minorUnits } from '../contract/core/decimal.ts'
import type { OrderRequest } from '../contract/order/order.ts'
import type { PayoutRequest } from '../contract/payout/payout.ts'
import { readJson } from '../json.ts'
import { orderById } from '../store/sandbox/orders.ts'
import type { OrderRow, PayoutRow, SandboxReader } from '../store/sandbox/schema.ts'

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
  const read: [string, readonly unknown[]][] = []
  for (const [name, part] of Object.entries(parts)) read.push([name, await part(db, now)])
  return Object.fromEntries(read) as LedgerOf<Parts>
}

/** Of one row after the other: a world has few. */
export async function describeEach<Row, Entry>(
  rows: readonly Row[],
  describe: (row: Row) => Promise<Entry>,
): Promise<Entry[]> {
  const entries: Entry[] = []
  for (const row of rows) entries.push(await describe(row))
  return entries
}

export function orderRequest(order: Pick<OrderRow, 'request'>): OrderRequest {
  return readJson(order.request) as OrderRequest
}

/** A payout with the one member that the specification does not list and that has an effect all the same (service.md#seen-since). */
export type KeptPayout = PayoutRequest & { readonly debtorBirthDate?: string }

export function payoutRequest(payout: Pick<PayoutRow, 'request'>): KeptPayout {
  return readJson(payout.request) as KeptPayout
}

/** Of an order that something in the world names: a world forgets none. */
export async function orderNameOf(db: SandboxReader, orderId: string): Promise<string> {
  const order = await orderById(db, orderId)
  if (!order) throw new TypeError(`the world has no order ${orderId}`)
  return orderRequest(order).integratorOrderId
}

/** The largest sum that the sandbox takes, in minor units: many of them still add up without loss. */
export const largestSum = minorUnits(largestSandboxSum) ?? 0n

/** Minor units of the store as the JSON number that people and programs read. */
export function money(minor: number): JsonNumber {
  return new JsonNumber(fromMinorUnits(BigInt(minor)))
}
