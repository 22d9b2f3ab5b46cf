/** The currency that an order was created with. */
import { currencyInAddress } from '../contract/wallet/asked-sum.ts'
import { createWalletOrder } from '../contract/wallet/wallet.ts'
import { isRecord, readJson } from '../json.ts'
import { type Intent, isOf } from './intent.ts'

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
