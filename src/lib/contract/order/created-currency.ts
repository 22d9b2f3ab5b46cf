/** The currency that an order was created with. */

import { isRecord, readJson } from '../../json.ts'
import { currencyInAddress } from '../wallet/asked-sum.ts'
import { createWalletOrder } from '../wallet/wallet.ts'

/**
 * The states of a creation that the service may have taken. Under the id of any other creation it may hold an order of
 * another client, in any currency.
 */
const taken: ReadonlySet<string> = new Set(['accepted', 'exists', 'unknown'])

/** A creation as the journal has it. `body`: JSON text of the request; `currency` is empty or null where that names none. */
interface Creation {
  readonly operation: string
  readonly state: string
  readonly body: string
  readonly currency: string | null
}

/** The currency of an order by its creation; null where the journal does not know it. */
export function currencyOfCreated(created: Creation | null | undefined): string | null {
  if (!created || !taken.has(created.state)) return null
  if (created.operation !== createWalletOrder.name) return created.currency || null
  const request = readJson(created.body)
  return isRecord(request) ? currencyInAddress(request.uri) : null
}
