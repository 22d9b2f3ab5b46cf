/** Attempts of which the answer is still to come. */
import { attemptsOf, recordedIntent } from '../../store/journal/journal.ts'
import type { Intent } from '../intent.ts'
import type { Journal } from '../journal.ts'
import { isHeld } from './in-flight.ts'

/** True while a process that may still be at work has an attempt of the intent under way. */
export function isOnItsWay(journal: Pick<Journal, 'ask'>, { journalId }: Intent): Promise<boolean> {
  return journal.ask(async (db, present) => {
    if (!isHeld(await recordedIntent(db, journalId), present)) return false
    return (await attemptsOf(db, journalId)).some(({ ended_at }) => ended_at === null)
  })
}
