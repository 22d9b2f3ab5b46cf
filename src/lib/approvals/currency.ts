/** The currency of a sum that is to be sent; that of a refund is its order's, where this journal knows the order. */

import { madeBy } from '../contract/operation.ts'
import { currencyOfCreated } from '../contract/wallet/wallet.ts'
import { isRecord, readJson } from '../json.ts'
import { findIntent } from '../store/journal/intents.ts'
import type { JournalReader } from '../store/journal/schema.ts'
import type { Payment } from './subject.ts'

/** Null where it is not known. */
export async function currencyAsked(db: JournalReader, draft: Payment): Promise<string | null> {
  if (draft.currency !== null) return draft.currency
  const request = readJson(draft.body)
  const order = isRecord(request) ? request.integratorOrderId : undefined
  const operation = madeBy[draft.operation]
  if (typeof order !== 'string' || operation === undefined) return null
  const row = await findIntent(db, { ...draft, operation, uniqueId: order.toLowerCase() })
  return currencyOfCreated(row)
}
