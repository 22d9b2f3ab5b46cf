/** The queries of many writes at once: a run opens and closes its rows together. */
import { type IntentKey, scopeColumns, wholeRow } from './journal.ts'
import type { AttemptRow, IntentRow, JournalReader } from './schema.ts'
import * as statements from './statements.ts'

/** Those of several ids and keys that the journal knows, whatever became of them: of one client, and of a profile elsewhere. */
export async function namesKnown(
  db: JournalReader,
  { operation, orOfProfile: profile, ...place }: Omit<IntentKey, 'uniqueId'> & { readonly orOfProfile: string },
  ids: readonly string[],
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const of = { ...scopeColumns(place), operation, profile }
  const byId = ids.length === 0 ? [] : await statements.intentsOfIds(db, { ...of, ...statements.placed(ids) })
  const byKey = keys.length === 0 ? [] : await statements.intentsOfKeys(db, { ...of, ...statements.placed(keys) })
  return new Set([...byId, ...byKey].flatMap(({ unique_id, business_key }) => [unique_id, business_key ?? unique_id]))
}

/** Writes since a moment, and those in flight, that pay one of these sums to one of these payees: of one client, and of a profile elsewhere. */
export async function intentsLike(
  db: JournalReader,
  { operation, orOfProfile: profile, ...place }: Omit<IntentKey, 'uniqueId'> & { readonly orOfProfile: string },
  wanted: readonly { readonly payee: string; readonly amountMinor: string | null }[],
  since: string,
): Promise<readonly IntentRow[]> {
  const payees = [...new Set(wanted.map(({ payee }) => payee))]
  const sums = [...new Set(wanted.map(({ amountMinor }) => amountMinor ?? ''))]
  const of = { ...scopeColumns(place), operation, profile, since }
  const found = await statements.intentsLike(db, {
    ...of,
    ...statements.placed(payees),
    ...statements.placedSums(sums),
  })
  return found.map(wholeRow)
}

/** Intents by their ids, with their attempts in their order: as they are found, so that one that is damaged harms no other. */
export async function intentsFound(db: JournalReader, ids: readonly string[]): Promise<Map<string, FoundIntent>> {
  const among = statements.placed(ids)
  const intents = await statements.intentsAmong(db, among)
  const found = new Map<string, FoundIntent>(intents.map((row) => [row.id, { row, attempts: [] }]))
  for (const attempt of await statements.attemptsAmong(db, among)) found.get(attempt.intent_id)?.attempts.push(attempt)
  return found
}

export interface FoundIntent {
  readonly row: IntentRow
  readonly attempts: AttemptRow[]
}

/** The same if every row of it is as it was written. Throws bug (1). */
export function wholeIntent({ row, attempts }: FoundIntent): FoundIntent {
  return { row: wholeRow(row), attempts: attempts.map(wholeRow) }
}
