/**
 * The times of a callback's tries, by the sandbox's clock: at once, then after longer and longer waits, then not any more.
 */
import { callbackRetries } from '../../contract/assumed.ts'

/** The moment of the next attempt after so many that failed; null where it is given up. */
export function nextAttempt(failed: number, now: number): number | null {
  const seconds = callbackRetries[failed - 1]
  return seconds === undefined ? null : now + seconds * 1000
}

/** The words of an attempt until its end is known. They stay where the sandbox stopped before the end. */
export const noEndSeen = 'no end was seen: it is under way, or the sandbox stopped meanwhile'
