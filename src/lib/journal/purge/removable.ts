/** The personal data of a payout may go once its payment has ended for good, and nothing looks back at it any more. */
import type { PurgeCandidate } from '../../store/journal/purge.ts'
import type { AttemptRow } from '../../store/journal/schema.ts'
import { isHeld, type Present } from '../hold/in-flight.ts'
import { intentOf } from '../intent.ts'
import { certainlyPassed, isOfThisStart } from '../moment.ts'
import { paymentEnd } from '../payment-end.ts'

/** Days for which everything stays: more than the duplicate guard, limits and rules of four eyes look back. */
export const shortestStay = 30

/** The reason for which it stays whole. */
export type Staying = 'open' | 'notEnded' | 'approved' | 'young'

/** States of a payout that never ran. */
const neverRan: ReadonlySet<string> = new Set(['refused', 'unsent'])

/** A clock that was set forward within this start of the machine makes nothing old. */
function isYoung({ started_at: iso, started_steady: steady }: AttemptRow, present: Present): boolean {
  const since = { iso, steady }
  return isOfThisStart(since, present) && certainlyPassed(since, present) < shortestStay * 24 * 60 * 60 * 1000
}

/** Null where it may go. */
export function stayingOf({ row, attempts, isApproved }: PurgeCandidate, present: Present): Staying | null {
  const intent = intentOf(row)
  const { isTaken, otherSum, answeredSum, disputed, status, operatorWord, state } = intent
  const doubts = [otherSum, answeredSum, disputed]
  if (isTaken || doubts.some((doubt) => doubt !== null) || isHeld(row, present)) return 'open'
  const isExecuted = state === 'accepted' || state === 'exists'
  if (!isExecuted && !neverRan.has(state)) return 'open'
  const isEnded = operatorWord !== null || (status !== null && paymentEnd(intent, status) !== null)
  if (isExecuted && !isEnded) return 'notEnded'
  if (attempts.some((attempt) => isYoung(attempt, present))) return 'young'
  // A request that others have signed names its account, and is worth nothing without it.
  return isApproved ? 'approved' : null
}
