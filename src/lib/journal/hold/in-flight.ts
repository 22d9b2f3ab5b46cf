/**
 * Intents that a process has in flight. Its hold is a lease: on this machine it ends with the process, elsewhere by time.
 */
import { Failure } from '../../failure.ts'
import { hint, paste } from '../../hint.ts'
import type { IntentRow } from '../../store/journal/schema.ts'
import { factsOf, type Intent, intentOf } from '../intent.ts'
import { certainlyPassed, type Moment, mayHavePassed } from '../moment.ts'
import type { Hold } from '../row.ts'
import { type Holding, holderInWords } from './holder.ts'

/** The moment and the process in which a draft is considered. */
export interface Present extends Moment {
  readonly holding: Holding
}

/**
 * True if a process that may still be at work has the intent in flight. The end of the lease frees it only where the process
 * cannot be looked up: a sleeping one may wake, and setting the clock ends nothing.
 */
export function isHeld({ holder, held_until, held_until_steady }: Hold, present: Present): boolean {
  if (holder === null || held_until === null) return false
  const standing = present.holding.standing(holder)
  if (standing !== 'unknown') return standing === 'alive'
  return certainlyPassed({ iso: held_until, steady: held_until_steady }, present) < 0
}

/**
 * True if the lease of an intent is over by time alone: its holder, which nobody here can look up, may be asleep, with its request
 * on the way. Then only a service that recognises the id is sent it again.
 */
export function mayWake({ holder }: Pick<IntentRow, 'holder'>, { holding }: Pick<Present, 'holding'>): boolean {
  return holder !== null && holding.standing(holder) === 'unknown'
}

/** Milliseconds before the end of a lease from which on its holder sends no more: two machines read one clock a moment apart. */
export const holdReserve = 3_000

/**
 * True if the lease of an intent is over in so many milliseconds: its holder must send nothing that is answered later, for another
 * process may take it by then.
 */
export function isOverdue({ heldUntil, heldUntilSteady }: Intent, present: Moment, milliseconds = 0): boolean {
  const left = -holdReserve - milliseconds
  return heldUntil === null || mayHavePassed({ iso: heldUntil, steady: heldUntilSteady }, present) >= left
}

/** Throws a Failure, locked (12), while another process that may still be at work holds the intent. */
export function mustBeFree(row: IntentRow, present: Present): void {
  if (!isHeld(row, present)) return
  const intent = intentOf(row)
  throw new Failure('locked', `another run has this payment in flight (${holderInWords(row.holder ?? '')})`, {
    ...factsOf(intent),
    moneyMoved: 'unknown',
    hints: [hint`Wait for it to end, or end it; \`${paste('journal show', intent.journalId)}\` says how it stands.`],
  })
}
