/** The rows whose personal data may be removed, piece by piece, with their attempts and what was asked of approvers. */
import { changeAttempt, changeIntent, wholeRow } from './intents.ts'
import type { AttemptRow, IntentRow, JournalReader, JournalWriter } from './schema.ts'

export interface PurgeOptions {
  readonly operation: { readonly name: string }
  /** Null for those of every profile. */
  readonly profile: string | null
  /** Last changed before this moment (ISO, UTC). */
  readonly before: string
}

export interface PurgeCandidate {
  readonly row: IntentRow
  readonly attempts: readonly AttemptRow[]
  readonly isApproved: boolean
}

/** Those behind the id `after`, at most `most` of them, in the order of their ids. Throws bug (1) for a row that was changed outside. */
export async function purgeCandidates(
  db: JournalReader,
  { operation, profile, before }: PurgeOptions,
  after: string,
  most: number,
): Promise<readonly PurgeCandidate[]> {
  let query = db
    .selectFrom('intents')
    .selectAll()
    .where('operation', '=', operation.name)
    .where('removed_at', 'is', null)
  query = query.where('changed_at', '<', before).where('id', '>', after)
  if (profile !== null) query = query.where('profile', '=', profile)
  const rows = (await query.orderBy('id').limit(most).execute()).map(wholeRow)
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return []
  const tries = await db.selectFrom('attempts').selectAll().where('intent_id', 'in', ids).orderBy('number').execute()
  const asked = await db.selectFrom('approvals').select('subject_id').where('subject_id', 'in', ids).execute()
  const approved = new Set(asked.map(({ subject_id }) => subject_id))
  const attempts = new Map<string, AttemptRow[]>()
  for (const each of tries.map(wholeRow)) {
    attempts.set(each.intent_id, [...(attempts.get(each.intent_id) ?? []), each])
  }
  return rows.map((row) => ({ row, attempts: attempts.get(row.id) ?? [], isApproved: approved.has(row.id) }))
}

/** Writes an intent and its attempts with what is left of them. */
export async function leaveOnly(
  db: JournalWriter,
  { row, attempts }: PurgeCandidate,
  intent: Partial<IntentRow>,
  attempt: (row: AttemptRow) => Partial<AttemptRow>,
): Promise<void> {
  await changeIntent(db, row, intent)
  for (const each of attempts) await changeAttempt(db, each, attempt(each))
}
