/**
 * The currency of a refund, a completion or a finalization. Its request names none; the creation of its order does, that of a
 * bank-wallet order in the address of its QR code. It is looked up where a sum is shown and never kept with the write: the
 * duplicate guard compares requests, and a sum must look the same to it before and after its currency was found.
 */
import { writeNamed } from '../contract/operations.ts'
import { createOrder } from '../contract/order/order.ts'
import { currencyInAddress } from '../contract/wallet/asked-sum.ts'
import { createWalletOrder } from '../contract/wallet/wallet.ts'
import { isRecord, readJson } from '../json.ts'
import { type Intent, idAtService, isOf } from './intent.ts'
import type { Journal } from './journal.ts'

/**
 * The states of a creation that the service may have taken. Under the id of any other creation it may hold an order of
 * another client, in any currency.
 */
const taken: ReadonlySet<string> = new Set(['accepted', 'exists', 'unknown'])

/** The currency of an order by its creation; null where this journal does not know it. */
export function currencyOfCreated(created: Intent | null | undefined): string | null {
  if (!created || !taken.has(created.state)) return null
  if (!isOf(created, createWalletOrder)) return created.currency
  const request = readJson(created.body)
  return isRecord(request) ? currencyInAddress(request.uri) : null
}

/** So many ids are asked for at once: a statement of SQLite takes 32 thousand at most. */
const atOnce = 1000

function nameOf(intent: Intent): string {
  const { operation, serviceId, environment, clientId } = intent
  return JSON.stringify([writeNamed(operation)?.about, serviceId, environment, clientId, idAtService(intent)])
}

function isBare({ amountMinor, currency }: Intent): boolean {
  return amountMinor !== null && currency === null
}

/** The same intents for people: sums without a currency have that of their order, where this journal created it. */
export async function withCurrency(journal: Journal, intents: readonly Intent[]): Promise<readonly Intent[]> {
  const ids = [...new Set(intents.filter(isBare).map(idAtService))]
  const currencies = new Map<string, string | null>()
  for (let at = 0; at < ids.length; at += atOnce) {
    const uniqueIds = ids.slice(at, at + atOnce)
    const created = await journal.list({ operations: [createOrder, createWalletOrder], uniqueIds })
    // The newest comes first, and is the one that counts.
    for (const each of created.toReversed()) currencies.set(nameOf(each), currencyOfCreated(each))
  }
  return intents.map((intent) =>
    isBare(intent) ? { ...intent, currency: currencies.get(nameOf(intent)) ?? null } : intent,
  )
}
