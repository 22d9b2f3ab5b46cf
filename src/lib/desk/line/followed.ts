/** The step after an attempt whose verdict is known, before anything is asked of the service (money-safety.md#what-may-be-repeated). */
import type { Repeats } from '../../contract/repeats.ts'
import type { Intent } from '../../journal/intent.ts'
import { unmoved, type Verdict } from '../../journal/verdict.ts'
import type { Desk } from '../desk.ts'

/** `isRefused`: an attempt of it was refused. `hasRenewed`: the token was renewed in this command already. */
export function followedBy(
  verdict: Verdict,
  repeats: Repeats,
  isRefused: boolean,
  hasRenewed: boolean,
): 'nothing' | 'at-once' | 'a-pause' {
  if (verdict.kind === 'unknown' && verdict.otherSum) return 'nothing'
  // A refusal is definite for its own attempt: asking again would get it again, whatever the first one came to.
  if (isRefused || verdict.kind === 'refused' || verdict.kind === 'duplicate') return 'nothing'
  if (verdict.kind !== 'turned-away') return 'a-pause'
  if (verdict.by === 'redirect') return 'nothing'
  if (verdict.by === 'token') return repeats.renewsToken && !hasRenewed ? 'at-once' : 'nothing'
  return repeats.busy === 'stop' ? 'nothing' : 'a-pause'
}

/** Tells the line, and a person who waits, that it is sent once more in so many milliseconds, behind an attempt with this verdict. */
export function tellOfRepeat(
  { tell, place }: Desk,
  { businessKey: key, uniqueId: id, state }: Intent,
  verdict: Verdict,
  wait: number,
): void {
  if (!unmoved.has(state)) place?.sentAgain(verdict.kind === 'unknown')
  const why = 'why' in verdict ? verdict.why : 'the service is busy'
  tell.say(`${why}; once more in ${(wait / 1000).toFixed(1)} s, with the same id`, { key, id })
}
