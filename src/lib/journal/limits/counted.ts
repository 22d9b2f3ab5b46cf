/**
 * Intents that count against the limits of a profile: once for each id, by its first attempt, in the transaction that opens it.
 * One that was refused, did not leave this machine or is held gives its sum back; one that is unknown, or that was accepted and
 * failed later, does not.
 */

import { countInDay } from '../../approvals/day.ts'
import { limitedOperations } from '../../contract/payout/limited.ts'
import { addIntent, changeIntent } from '../../store/journal/journal.ts'
import type { IntentRow, JournalWriter } from '../../store/journal/schema.ts'
import { countAllSpent, countSpent } from '../../store/journal/spent.ts'
import { isTaken } from '../doubt/known-sum.ts'
import type { IntentChange } from '../row.ts'
import type { State } from '../verdict.ts'

/** The states in which nothing counts, unless another request may have executed it under the same id. */
export const uncountedStates = ['refused', 'unsent', 'held'] as const satisfies readonly State[]

/** True if an intent counts: then one more attempt of it is a repeat, which no limit holds. */
export function isCounted(row: Pick<IntentRow, 'state' | 'sum_confirmed'>): boolean {
  return isTaken(row) || !uncountedStates.some((state) => state === row.state)
}

function counts(row: IntentRow): boolean {
  return limitedOperations.includes(row.operation) && row.amount_minor !== '' && isCounted(row)
}

export async function addCounted(db: JournalWriter, row: Omit<IntentRow, 'digest'>): Promise<IntentRow> {
  const intent = await addIntent(db, row)
  if (counts(intent)) await countSpent(db, intent, 1)
  if (isCounted(intent)) await countInDay(db, [[intent, 1]])
  return intent
}

/** The same of many. */
export async function addAllCounted(
  db: JournalWriter,
  all: readonly Omit<IntentRow, 'digest'>[],
): Promise<IntentRow[]> {
  const intents: IntentRow[] = []
  for (const row of all) intents.push(await addIntent(db, row))
  await countAllSpent(db, intents.filter(counts))
  await countInDay(
    db,
    intents.filter(isCounted).map((intent) => [intent, 1]),
  )
  return intents
}

export async function changeCounted(db: JournalWriter, row: IntentRow, changes: IntentChange): Promise<IntentRow> {
  const changed = await changeIntent(db, row, changes)
  await countInDay(db, [
    ...(isCounted(row) ? [[row, -1] as const] : []),
    ...(isCounted(changed) ? [[changed, 1] as const] : []),
  ])
  const [before, after] = [counts(row), counts(changed)]
  if (before && after && isSameCount(row, changed)) return changed
  if (before) await countSpent(db, row, -1)
  if (after) await countSpent(db, changed, 1)
  return changed
}

function isSameCount(one: IntentRow, other: IntentRow): boolean {
  return (['opened_at', 'amount_minor', 'currency'] as const).every((column) => one[column] === other[column])
}
