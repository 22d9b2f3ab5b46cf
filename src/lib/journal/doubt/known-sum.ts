/**
 * The sum that was executed under an id, as far as it is known (the column `sum_confirmed`), and which later fact takes an earlier
 * one back. A doubt outlasts whatever is less than its opposite: a conflict outlasts every read, lost attempt and refusal, and so
 * does an answer that told of another sum. The operator's word and a reconciliation end all of them.
 */
import type { IntentRow } from '../../store/journal/schema.ts'
import { type State, unmoved, type Verdict } from '../verdict.ts'
import { endInWords, reason } from './reason.ts'

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
