/**
 * What the journal knows of the sum that was executed under an id, and the reason beside it. A conflict means that the id may
 * stand for another request. It outlasts every read, lost attempt and refusal, and so does an answer that told of another sum:
 * only the operator's word or a reconciliation ends them.
 */

import { writeNamed } from '../contract/operations.ts'
import type { IntentRow } from '../store/journal/schema.ts'
import { isOpen, type PastAttempt, type State, unmoved, type Verdict } from './verdict.ts'

/** `taken`: a conflict. `answered`: an answer to the write itself told of another sum. `other`: a read did. `disputed`: it was told as paid, and as ended unpaid since. */
type Doubt = 'taken' | 'answered' | 'other' | 'disputed'
/** `yes`: this very sum was executed. `no`: nothing has shown the sum. */
export type KnownSum = 'yes' | 'no' | Doubt

type Row = Pick<IntentRow, 'state' | 'sum_confirmed'>

const doubts: ReadonlySet<string | null> = new Set<Doubt>(['taken', 'answered', 'other', 'disputed'])

/** True if something stands against what the journal has of it; the reason beside it says what. */
export function isDoubted({ sum_confirmed }: Pick<Row, 'sum_confirmed'>): boolean {
  return doubts.has(sum_confirmed)
}

/** True if an attempt met a conflict (7) that nothing has resolved. */
export function isTaken({ sum_confirmed }: Pick<Row, 'sum_confirmed'>): boolean {
  return sum_confirmed === 'taken'
}

/** The doubt that a verdict brings; null for none. */
function doubtBy(state: State, verdict: Verdict): Doubt | null {
  if (verdict.kind === 'unknown' && verdict.otherSum) return 'answered'
  return verdict.kind === 'duplicate' && (verdict.shown || state !== 'exists') ? 'taken' : null
}

/** True if an earlier doubt stands after one more attempt, with its reason. An acceptance answers this very request: it ends a conflict. */
export function staysDoubted(before: Row, state: State, verdict: Verdict): boolean {
  const isEnded = state === 'accepted' && isTaken(before)
  return isDoubted(before) && doubtBy(state, verdict) === null && !isEnded
}

/** After one more attempt, which brought the intent into this state. That the service has the id says nothing of the sum. */
export function sumAfter(before: Row, state: State, verdict: Verdict): Row['sum_confirmed'] {
  if (staysDoubted(before, state, verdict)) return before.sum_confirmed
  if (state === 'accepted') return sumFlag(true)
  if (state === 'exists' && doubtBy(state, verdict) === null)
    return sumFlag(verdict.kind === 'duplicate' && verdict.sumConfirmed === true)
  return doubtBy(state, verdict)
}

export function sumFlag(isThisSum: boolean): KnownSum {
  return isThisSum ? 'yes' : 'no'
}

/**
 * After a read that shows what was executed under the id, and how that differs from what was asked for; null where it does not,
 * and null for a read that changes nothing. Of a write that was not executed from here, another request was.
 */
function sumSeen({ state, sum_confirmed: before }: Row, differs: string | null): KnownSum | null {
  if (unmoved.has(state as State)) return before === null ? 'taken' : null
  if (before === 'taken' || before === 'answered' || before === 'disputed') return null
  if (differs !== null) return 'other'
  const isExecuted = state === 'accepted' || state === 'exists'
  return isExecuted && (before === 'no' || before === 'other') ? 'yes' : null
}

/** The columns of a conflict: in this state nothing was executed from here, and a read has shown it all the same. A doubt keeps its own words. */
export function asTaken(before: IntentRow, state: string): Partial<IntentRow> {
  const end = endInWords[state as keyof typeof endInWords] ?? state
  const words = isDoubted(before) ? before.because : `${end}, but a read shows that the service has this id`
  return { sum_confirmed: 'taken', ...reason(words) }
}

/**
 * The columns that a read of the executed sum changes: `differs` is null where it is the one that was asked for, else the difference in words.
 * Null where it changes nothing.
 */
export function readOfSum(before: IntentRow, differs: string | null): Partial<IntentRow> | null {
  const known = sumSeen(before, differs)
  if (known === null) return null
  if (known === 'taken') return asTaken(before, before.state)
  if (known === 'other') return { sum_confirmed: known, ...reason(differs) }
  return { sum_confirmed: known, ...(before.sum_confirmed === 'other' ? reason(null) : {}) }
}

/** States in which nothing was executed from here, in words. */
export const endInWords = {
  refused: 'the service refused it',
  unsent: 'not a byte of it left',
  'turned-away': 'it was turned away before the service looked at it',
  held: 'it was never sent from here',
} as const

/** The reason why an intent was closed without a payout of this journal, in words that stand alone. */
export function reasonInWords(state: State, verdict: Verdict): string | null {
  if (verdict.kind === 'duplicate' && state !== 'exists') {
    return verdict.shown
      ? `the service refused it, but ${verdict.shown.because}: done by this request, sent twice on its way, or by another one`
      : 'the service has this id already: from another machine, or from this very request, sent twice on its way'
  }
  if (verdict.kind === 'duplicate' && verdict.shown) return `it refuses, but ${verdict.shown.because}`
  if (verdict.kind === 'unknown' && verdict.otherSum) return otherInWords(verdict.otherSum)
  if (verdict.kind === 'refused' && state === 'refused') return endInWords.refused
  return state === 'turned-away' || state === 'unsent' ? endInWords[state] : null
}

/** `told`: what differs, as the contract tells it: the name of each member and its values. */
function otherInWords(told: string): string {
  const isOfSum = told.split('; ').every((each) => /^(?:amount|currency|initialCurrency) is /.test(each))
  return `the answer tells of another sum${isOfSum ? '' : ' or beneficiary'}: ${told}`
}

/** A reason, or the operator's word in its place, as columns. */
export function reason(words: string | null, byOperator = false): Pick<IntentRow, 'because' | 'operator_word'> {
  return byOperator ? { because: null, operator_word: words } : { because: words, operator_word: null }
}

/** True if such a status answered an attempt. */
export function isRefusedByBody(operation: string, { outcome, statusCode = null, message }: PastAttempt): boolean {
  const refused = writeNamed(operation)?.proof.refused ?? {}
  // The text beside a code is no status, whatever it says.
  return outcome === 'refused' && statusCode === null && refused[message ?? '']?.bodyOnly === true
}

/** The attempts without the lost ones that such a refusal has closed: those of its body, and of any body but the present one. */
export function withoutClosed<Past extends PastAttempt & { readonly bodyDigest: string }>(
  { operation, bodyDigest }: { readonly operation: string; readonly bodyDigest: string },
  past: readonly Past[],
): readonly Past[] {
  const isClosed = (attempt: Past, at: number) =>
    past
      .slice(at + 1)
      .some(
        (later) =>
          isRefusedByBody(operation, later) &&
          (later.bodyDigest === attempt.bodyDigest || attempt.bodyDigest !== bodyDigest),
      )
  return past.filter((attempt, at) => !isOpen(attempt) || !isClosed(attempt, at))
}
