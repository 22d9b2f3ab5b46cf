/**
 * Stores the answers that a team's store could not take before, each with its own attempt: an acceptance always stands, and whatever
 * was recorded of the payment since decides as it does with every answer that comes late.
 */
import type { Store } from '../../store/engine/store.ts'
import { intentsFound, wholeIntent } from '../../store/journal/many.ts'
import type { JournalTables, JournalWriter } from '../../store/journal/schema.ts'
import { intentOf } from '../intent.ts'
import type { Moment } from '../moment.ts'
import { finishTogether } from '../together/finish.ts'
import type { KeptAnswer, Spool } from './spool.ts'

/** The present moment by the clock of the store, and this process. */
interface Keeping {
  readonly moment: Moment
  readonly self: string
}

/** Gives how many are stored now. One whose payment the store does not know, after a restore perhaps, is kept. */
export async function storeKept(spool: Spool, store: Store<JournalTables>, present: () => Keeping): Promise<number> {
  let stored = 0
  for (const answer of spool.kept()) {
    const end = await store.write((db) => recorded(db, answer, present()))
    if (end !== 'elsewhere') spool.forget(answer)
    if (end === 'stored') stored += 1
  }
  return stored
}

async function recorded(
  db: JournalWriter,
  { journalId, attempt: number, verdict }: KeptAnswer,
  { moment, self }: Keeping,
): Promise<'stored' | 'known' | 'elsewhere'> {
  const found = (await intentsFound(db, [journalId])).get(journalId)
  if (!found) return 'elsewhere'
  const { row, attempts } = wholeIntent(found)
  const attempt = attempts.find((each) => each.number === number)
  if (!attempt) return 'elsewhere'
  // Its commit may have stood, though nobody could be asked about it any more.
  if (attempt.ended_at !== null) return 'known'
  const [end] = await finishTogether(db, [{ intent: intentOf(row), number, verdict }], moment, self)
  if (end && 'failure' in end) throw end.failure
  return 'stored'
}
