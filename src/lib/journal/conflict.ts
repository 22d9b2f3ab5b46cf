/**
 * What the journal knows of the sum that was executed under an id, and the reason. A conflict outlasts every read, lost
 * attempt and refusal: only the operator's word or a reconciliation ends it.
 */
import { writeNamed } from '../contract/operations.ts'
import type { IntentRow } from '../store/journal/schema.ts'
import { isExecuted, isOpen, type PastAttempt, type State, unmoved, type Verdict } from './verdict.ts'

/**
 * `taken`: the id is another's, perhaps. `answered`, `other`: an answer, or a read, told of another sum. `disputed`:
 * told as paid, and as ended unpaid since.
 */
type Conflict = 'taken' | 'answered' | 'other' | 'disputed'
/** `yes`: this very sum was executed. `no`: nothing has shown the sum. */
export type KnownSum = 'yes' | 'no' | Conflict

type Row = Pick<IntentRow, 'state' | 'sum_confirmed'>

const conflicts: ReadonlySet<string | null> = new Set<Conflict>(['taken', 'answered', 'other', 'disputed'])

/** The reason beside it says what. */
export function hasConflict({ sum_confirmed }: Pick<Row, 'sum_confirmed'>): boolean {
  return conflicts.has(sum_confirmed)
}

export function isTaken({ sum_confirmed }: Pick<Row, 'sum_confirmed'>): boolean {
  return sum_confirmed === 'taken'
}

function conflictBy(state: State, verdict: Verdict): Conflict | null {
  if (verdict.kind === 'unknown' && verdict.otherSum) return 'answered'
  return verdict.kind === 'duplicate' && (verdict.shown || state !== 'exists') ? 'taken' : null
}

/** True if an earlier conflict stands after one more attempt. An acceptance ends one of a taken id. */
export function keepsConflict(before: Row, state: State, verdict: Verdict): boolean {
  const isEnded = state === 'accepted' && isTaken(before)
  return hasConflict(before) && conflictBy(state, verdict) === null && !isEnded
}

/** After one more attempt. That the service has the id says nothing of the sum. */
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
 * After a read of what was executed; null for a read that changes nothing. Of a write that was not executed from here,
 * another request was.
 */
function sumAfterRead({ state, sum_confirmed: before }: Row, differs: string | null): KnownSum | null {
  if (unmoved.has(state as State)) return before === null ? 'taken' : null
  if (before === 'taken' || before === 'answered' || before === 'disputed') return null
  if (differs !== null) return 'other'
  return isExecuted({ state }) && (before === 'no' || before === 'other') ? 'yes' : null
}

/** Nothing was executed from here, and a read has shown it all the same. */
export function markTaken(before: IntentRow, state: string): Partial<IntentRow> {
  const end = endInWords[state as keyof typeof endInWords] ?? state
  const words = hasConflict(before) ? before.because : `${end}, but a read shows that the service has this id`
  return { sum_confirmed: 'taken', ...reasonColumns(words) }
}

/** `differs`: null where the sum is the one that was asked for. Null where it changes nothing. */
export function applySumRead(before: IntentRow, differs: string | null): Partial<IntentRow> | null {
  const known = sumAfterRead(before, differs)
  if (known === null) return null
  if (known === 'taken') return markTaken(before, before.state)
  if (known === 'other') return { sum_confirmed: known, ...reasonColumns(differs) }
  return { sum_confirmed: known, ...(before.sum_confirmed === 'other' ? reasonColumns(null) : {}) }
}

export const endInWords = {
  refused: 'the service refused it',
  unsent: 'not a byte of it left',
  'turned-away': 'it was turned away before the service looked at it',
  held: 'it was never sent from here',
} as const

/** The reason for an end without a payout of this journal. */
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

/** `told`: the names of members and their values, as the contract tells them. */
function describeOtherSum(told: string): string {
  const isOfSum = told.split('; ').every((each) => /^(?:amount|currency|initialCurrency) is /.test(each))
  return `the answer tells of another sum${isOfSum ? '' : ' or beneficiary'}: ${told}`
}

export function reasonColumns(words: string | null, byOperator = false): Pick<IntentRow, 'because' | 'operator_word'> {
  return byOperator ? { because: null, operator_word: words } : { because: words, operator_word: null }
}

/**
 * True if an attempt was refused by a status that depends on the body alone, such as WRONG_AMOUNT: lost attempts before
 * it had the same body, and executed nothing.
 */
export function isRefusedByBody(operation: string, { outcome, statusCode = null, message }: PastAttempt): boolean {
  const refused = writeNamed(operation)?.proof.refused ?? {}
  // The text beside a code is no status, whatever it says.
  return outcome === 'refused' && statusCode === null && refused[message ?? '']?.bodyOnly === true
}

/** The attempts without the lost ones that such a refusal has closed. */
export function dropClosedAttempts<Past extends PastAttempt & { readonly bodyDigest: string }>(
  { operation, bodyDigest }: { readonly operation: string; readonly bodyDigest: string },
  past: readonly Past[],
): readonly Past[] {
  return past.filter((attempt, at) => {
    const isOfAnother = attempt.bodyDigest !== bodyDigest
    const closes = (later: Past) =>
      isRefusedByBody(operation, later) && (isOfAnother || later.bodyDigest === attempt.bodyDigest)
    return !isOpen(attempt) || !past.slice(at + 1).some(closes)
  })
}
