/** Rows that another machine has in flight: the journal alone calls them unknown, for their holder cannot be looked up. */
import type { ThisProcess } from '../../journal/lease.ts'
import { isForPerson, type PlannedRow } from './state.ts'

/** A row that another machine has on its way is not unknown yet while its lease stands. `now`: ISO text by the clock of the store. */
export function seenFrom(row: PlannedRow, holding: ThisProcess, now: string): PlannedRow {
  const { intent, state } = row
  if (state !== 'unknown' || intent?.state !== 'unknown' || isForPerson(row)) return row
  const { holder, heldUntil } = intent
  const isElsewhere = holder !== null && holding.standing(holder) === 'unknown'
  return isElsewhere && heldUntil !== null && heldUntil >= now ? { ...row, state: 'sending' } : row
}
