/**
 * What the journal knows of the sum that was executed under an id, and the reason beside it. A conflict means that the id may
 * stand for another request. It outlasts every read, lost attempt and refusal, and so does an answer that told of another sum:
 * only the operator's word or a reconciliation ends them.
 */

import { writeNamed } from '../contract/operations.ts'
import type { IntentRow } from '../store/journal/schema.ts'
import { isOpen, type PastAttempt, type State, unmoved, type Verdict } from './verdict.ts'

/** `taken`: a conflict. `answered`: an answer to the write itself told of another sum. `other`: a read did. `disputed`: it was told as paid, and as ended unpaid since. */
type Conflict = 'taken' | 'answered' | 'other' | 'disputed'
/** `yes`: this very sum was executed. `no`: nothing has shown the sum. */
export type KnownSum = 'yes' | 'no' | Conflict

type Row = Pick<IntentRow, 'state' | 'sum_confirmed'>

const conflicts: ReadonlySet<string | null> = new Set<Conflict>(['taken', 'answered', 'other', 'disputed'])

/** True if something stands against what the journal has of it; the reason beside it says what. */
export function hasConflict({ sum_confirmed }: Pick<Row, 'sum_confirmed'>): boolean {
  return conflicts.has(sum_confirmed)
}

/** True if an attempt met a conflict (7) that nothing has resolved. */
export function isTaken({ sum_confirmed }: Pick<Row, 'sum_confirmed'>): boolean {
  return sum_confirmed === 'taken'
}

/** The conflict that a verdict brings; null for none. */
function conflictBy(state: State, verdict: Verdict): Conflict | null {
  if (verdict.kind === 'unknown' && verdict.otherSum) return 'answered'
  return verdict.kind === 'duplicate' && (verdict.shown || state !== 'exists') ? 'taken' : null
}

/** True if an earlier conflict stands after one more attempt, with its reason. An acceptance answers this very request: it ends one of a taken id. */
export function keepsConflict(before: Row, state: State, verdict: Verdict): boolean {
  const isEnded = state === 'accepted' && isTaken(before)
  return hasConflict(before) && conflictBy(state, verdict) === null && !isEnded
}

/** After one more attempt, which brought the intent into this state. That the service has the id says nothing of the sum. */
export function sumAfterAttempt(before: Row, state: State, verdict: Verdict): Row['sum_confirmed'] {
  if (keepsConflict(before, state, verdict)) return before.sum_confirmed
  if (state === 'accepted') return sumFlag(true)
  if (state === 'exists' && conflictBy(state, verdict) === null)
    return sumFlag(verdict.kind === 'duplicate' && verdict.sumConfirmed === true)
  return conflictBy(state, verdict)
}

export function sumFlag(isThisSum: boolean): KnownSum {
  return isThisSum ? 'yes' : 'no'
}

/**
 * After a read that shows what was executed under the id, and how that differs from what was asked for; null where it does not,
 * and null for a read that changes nothing. Of a write that was not executed from here, another request was.
 */
function sumAfterRead({ state, sum_confirmed: before }: Row, differs: string | null): KnownSum | null {
  if (unmoved.has(state as State)) return before === null ? 'taken' : null
  if (before === 'taken' || before === 'answered' || before === 'disputed') return null
  if (differs !== null) return 'other'
  const isExecuted = state === 'accepted' || state === 'exists'
  return isExecuted && (before === 'no' || before === 'other') ? 'yes' : null
}

/** The columns of a conflict: in this state nothing was executed from here, and a read has shown it all the same. An earlier conflict keeps its own words. */
export function markTaken(before: IntentRow, state: string): Partial<IntentRow> {
  const end = endInWords[state as keyof typeof endInWords] ?? state
  const words = hasConflict(before) ? before.because : `${end}, but a read shows that the service has this id`
  return { sum_confirmed: 'taken', ...reasonColumns(words) }
}

/**
 * The columns that a read of the executed sum changes: `differs` is null where it is the one that was asked for, else the difference in words.
 * Null where it changes nothing.
 */
export function applySumRead(before: IntentRow, differs: string | null): Partial<IntentRow> | null {
  const known = sumAfterRead(before, differs)
  if (known === null) return null
  if (known === 'taken') return markTaken(before, before.state)
  if (known === 'other') return { sum_confirmed: known, ...reasonColumns(differs) }
  return { sum_confirmed: known, ...(before.sum_confirmed === 'other' ? reasonColumns(null) : {}) }
}

/** States in which nothing was executed from here, in words. */
export const endInWords = {
  refused: 'the service refused it',
  unsent: 'not a byte of it left',
  'turned-away': 'it was turned away before the service looked at it',
  held: 'it was never sent from here',
} as const

/** The reason why an intent was closed without a payout of this journal, in words that stand alone. */
export function describeReason(state: State, verdict: Verdict): string | null {
  if (verdict.kind === 'duplicate' && state !== 'exists') {
    return verdict.shown
      ? `the service refused it, but ${verdict.shown.because}: done by this request, sent twice on its way, or by another one`
      : 'the service has this id already: from another machine, or from this very request, sent twice on its way'
  }
  if (verdict.kind === 'duplicate' && verdict.shown) return `it refuses, but ${verdict.shown.because}`
  if (verdict.kind === 'unknown' && verdict.otherSum) return describeOtherSum(verdict.otherSum)
  if (verdict.kind === 'refused' && state === 'refused') return endInWords.refused
  return state === 'turned-away' || state === 'unsent' ? endInWords[state] : null
}

/** `told`: what differs, as the contract tells it: the name of each member and its values. */
function describeOtherSum(told: string): string {
  const isOfSum = told.split('; ').every((each) => /^(?:amount|currency|initialCurrency) is /.test(each))
  return `the answer tells of another sum${isOfSum ? '' : ' or beneficiary'}: ${told}`
}

/** A reason, or the operator's word in its place, as columns. */
export function reasonColumns(words: string | null, byOperator = false): Pick<IntentRow, 'because' | 'operator_word'> {
  return byOperator ? { because: null, operator_word: words } : { because: words, operator_word: null }
}

/**
 * True if an attempt was refused by a status that depends on the body alone, such as WRONG_AMOUNT. The attempts before, whose answers were
 * lost, had the same body, and the service knows the write again: they executed nothing, and tell nothing of an edited one.
 */
export function isRefusedByBody(operation: string, { outcome, statusCode = null, message }: PastAttempt): boolean {
  const refused = writeNamed(operation)?.proof.refused ?? {}
  // The text beside a code is no status, whatever it says.
  return outcome === 'refused' && statusCode === null && refused[message ?? '']?.bodyOnly === true
}

/** The attempts without the lost ones that such a refusal has closed: those of its body, and of any body but the present one. */
export function dropClosedAttempts<Past extends PastAttempt & { readonly bodyDigest: string }>(
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
