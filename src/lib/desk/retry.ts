/** The retry policy: the row of the contract's table for a write (contract/retry-policy.ts) × the verdict of its attempt → what follows. */
import { nextAttempt } from '../backoff.ts'
import type { RetryPolicy } from '../contract/retry-policy.ts'
import { remedyFor } from '../http/explain.ts'
import type { Intent } from '../journal/intent.ts'
import { unmoved, type Verdict } from '../journal/verdict.ts'
import type { Desk } from './desk.ts'

interface SoFar {
  readonly intent: Pick<Intent, 'state' | 'isTaken'>
  /** The token was renewed in this command already. */
  readonly hasRenewed: boolean
  /** The number of attempts of this command without a definite answer. */
  readonly unanswered: number
}

/** `read-first`: it is sent once more if a read shows no trace of it. */
type NextStep = 'stop' | 'renew-token' | 'pause' | 'read-first'

/** The step after an attempt with this verdict (money-safety.md#what-may-be-repeated). */
export function nextStep(
  verdict: Verdict,
  retryPolicy: RetryPolicy,
  { intent, hasRenewed, unanswered }: SoFar,
): NextStep {
  // A refusal is definite for its own attempt: asking again would get it again, whatever the first one came to.
  if (intent.state === 'refused' || isUnrecognised(intent, retryPolicy)) return 'stop'
  switch (verdict.kind) {
    case 'accepted':
    case 'duplicate':
    case 'refused':
      return 'stop'
    case 'turned-away':
      if (verdict.by === 'redirect') return 'stop'
      if (verdict.by === 'token') return retryPolicy.renewsToken && !hasRenewed ? 'renew-token' : 'stop'
      if (retryPolicy.busy === 'stop') return 'stop'
      break
    case 'unsent':
      if (remedyFor(verdict.why)) return 'stop'
      break
    case 'unknown':
      if (verdict.otherSum) return 'stop'
  }
  if (intent.state !== 'unknown') return 'pause'
  switch (retryPolicy.unanswered) {
    case 'repeat':
      return 'pause'
    case 'once':
      return unanswered <= 1 ? 'pause' : 'stop'
    case 'look-first':
      return verdict.kind === 'unknown' ? 'read-first' : 'pause'
    case 'stop':
      return 'stop'
  }
}

/** True for a conflict of a write that nothing recognises when it comes again: it may have been executed. */
export function isUnrecognised({ isTaken }: Pick<Intent, 'isTaken'>, { unanswered }: RetryPolicy): boolean {
  return isTaken && unanswered === 'stop'
}

/** Tells the line, and a person who waits, that it is sent once more in so many milliseconds, behind an attempt with this verdict. */
export function tellOfRepeat(
  { tell, place }: Desk,
  { idempotencyKey: key, uniqueId: id, state }: Intent,
  verdict: Verdict,
  wait: number,
): void {
  if (!unmoved.has(state)) place?.sentAgain(verdict.kind === 'unknown')
  const why = 'why' in verdict ? verdict.why : 'the service is busy'
  tell.say(`${why}; ${nextAttempt(wait)}, under the same id`, { key, id })
}
