/** The step after an attempt whose verdict is known, before anything is asked of the service (money-safety.md#what-may-be-repeated). */
import type { Repeats } from '../../contract/repeats.ts'
import type { Verdict } from '../../journal/verdict.ts'

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

/** The remark before an attempt is repeated in so many milliseconds. */
export function onceMoreInWords(verdict: Verdict, wait: number): string {
  const why = 'why' in verdict ? verdict.why : 'the service is busy'
  return `${why}; once more in ${(wait / 1000).toFixed(1)} s, with the same id`
}
