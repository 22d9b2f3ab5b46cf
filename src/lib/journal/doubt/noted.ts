/** Rows that change by what was read, or told, of their writes since. */
import { recordedIntent } from '../../store/journal/journal.ts'
import type { IntentRow, JournalWriter } from '../../store/journal/schema.ts'
import { type Intent, intentOf } from '../intent.ts'
import { changeCounted } from '../limits/counted.ts'
import { stillRemoved } from '../purge/removed.ts'
import type { IntentChange } from '../row.ts'

/** `at`: ISO time, UTC. Null changes nothing. */
export async function changed(
  db: JournalWriter,
  row: IntentRow,
  changes: IntentChange | null,
  at: string,
): Promise<Intent> {
  if (changes === null) return intentOf(row)
  return intentOf(await changeCounted(db, row, { ...stillRemoved(row, changes), changed_at: at }))
}

/** Each on what the transaction reads: another read may have told of something else meanwhile. */
export async function noteEach<Seen extends { readonly intent: Intent }>(
  db: JournalWriter,
  all: readonly Seen[],
  changesIn: (row: IntentRow, seen: Seen) => IntentChange | null,
  at: string,
): Promise<Intent[]> {
  const known: Intent[] = []
  for (const seen of all) {
    const row = await recordedIntent(db, seen.intent.journalId)
    known.push(await changed(db, row, changesIn(row, seen), at))
  }
  return known
}
