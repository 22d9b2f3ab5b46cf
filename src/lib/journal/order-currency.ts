/**
 * The currency of a refund, a completion or a finalization. Its request names none; the creation of its order does, that of a
 * bank-wallet order in the address of its QR code. It is looked up where a sum is shown and never kept with the write: the
 * duplicate guard compares requests, and a sum must look the same to it before and after its currency was found.
 */
import { writeNamed } from '../contract/operations.ts'
import { createOrder } from '../contract/order/order.ts'
import { createWalletOrder } from '../contract/wallet/wallet.ts'
import { currencyOfCreated } from './created-currency.ts'
import { type Intent, idAtService } from './intent.ts'
import type { Journal } from './journal.ts'

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
