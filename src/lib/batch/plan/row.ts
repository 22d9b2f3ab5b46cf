/** The rows of a plan as they are stored, each with what the journal knows of it by then. */
import { createPayout } from '../../contract/payout/payout.ts'
import type { Desk } from '../../desk/desk.ts'
import { draftOf, scopeOf } from '../../desk/draft.ts'
import type { Intent } from '../../journal/intent.ts'
import { writeJson } from '../../json.ts'
import type { PlanRowRow } from '../../store/plans.ts'
import type { BatchRow } from '../read/row.ts'
import type { NamedRow } from './ids.ts'

export async function rowsToPlan(desk: Desk, named: readonly NamedRow<BatchRow>[]): Promise<readonly PlanRowRow[]> {
  const known = await knownOf(desk, named)
  return named.map((each) => rowToPlan(desk, each, known.get(each.uniqueId)))
}

/** The journal's intents under the ids of rows. */
async function knownOf({ journal, profile }: Desk, rows: readonly NamedRow<BatchRow>[]): Promise<Map<string, Intent>> {
  const uniqueIds = rows.map(({ uniqueId }) => uniqueId)
  const known = await journal.list({ scope: scopeOf(profile), uniqueIds, operations: [createPayout] })
  return new Map(known.toReversed().map((intent) => [intent.uniqueId, intent]))
}

function rowToPlan(
  { profile }: Desk,
  { row, content, uniqueId }: NamedRow<BatchRow>,
  known: Intent | undefined,
): PlanRowRow {
  const { key } = row
  const draft = draftOf(profile, createPayout, { ...row.request, uniqueId }, { businessKey: key, ownId: uniqueId })
  return {
    number: row.number,
    unique_id: uniqueId,
    business_key: key,
    content,
    request: writeJson(row.request),
    payee: draft.payee,
    amount_minor: draft.amountMinor ?? '0',
    currency: draft.currency ?? '',
    source: JSON.stringify(row.source),
    payment: row.payment === null ? null : JSON.stringify(row.payment),
    known_opened_at: known?.openedAt ?? null,
    known_changed_at: known?.changedAt ?? null,
  }
}
