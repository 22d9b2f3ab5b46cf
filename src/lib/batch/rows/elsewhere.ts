/**
 * Payments that stand in the way of rows though they are not theirs: the same key or id, sent by the same profile as the same
 * client to another address, or the same key under another id. `journal.begin` refuses such a row (7); here the papers learn why.
 */

import { createPayout } from '../../contract/payout/payout.ts'
import { isSameService } from '../../contract/service.ts'
import { scopeOf } from '../../desk/draft.ts'
import type { Intent } from '../../journal/intent.ts'
import type { Journal } from '../../journal/journal.ts'
import type { PlanRowRow } from '../../store/plans.ts'
import type { RowOwner } from './owner.ts'

const mayHaveRun: ReadonlySet<string> = new Set(['accepted', 'exists', 'unknown'])

/** `byId`: the rows' own intents. Gives the payment in the way of each row that has one. */
export async function sentElsewhereOf(
  { journal, profile }: { readonly journal: Pick<Journal, 'list'>; readonly profile: RowOwner['profile'] },
  rows: readonly PlanRowRow[],
  byId: ReadonlyMap<string, Intent>,
): Promise<ReadonlyMap<PlanRowRow, Intent>> {
  const unsent = rows.filter(({ unique_id }) => {
    const own = byId.get(unique_id)
    return !own || !mayHaveRun.has(own.state)
  })
  // The sandbox begins anew with every world.
  if (unsent.length === 0 || profile.environment === 'sandbox') return new Map()
  const about = { scope: scopeOf(profile), orOfProfile: profile.name, operations: [createPayout] }
  const keys = unsent.flatMap(({ business_key }) => (business_key === null ? [] : [business_key]))
  const ids = unsent.flatMap(({ business_key, unique_id }) => (business_key === null ? [unique_id] : []))
  const byKey = keys.length === 0 ? [] : await journal.list({ ...about, businessKeys: keys })
  const byItsId = ids.length === 0 ? [] : await journal.list({ ...about, uniqueIds: ids })
  const inTheWay = (intent: Intent) => mayHaveRun.has(intent.state) || intent.isTaken
  const keyed = new Map(byKey.filter(inTheWay).map((intent) => [intent.businessKey, intent]))
  const named = new Map(byItsId.filter(inTheWay).map((intent) => [intent.uniqueId, intent]))
  // A worker may have opened the row's own intent since `byId` was read.
  const isOwn = (intent: Intent, { unique_id }: PlanRowRow) =>
    intent.uniqueId === unique_id && isSameService(intent, profile)
  const found = unsent.flatMap((row) => {
    const other = row.business_key === null ? named.get(row.unique_id) : keyed.get(row.business_key)
    return other && !isOwn(other, row) ? [[row, other] as const] : []
  })
  return new Map(found)
}
