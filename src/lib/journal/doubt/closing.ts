/** An intent that is closed by evidence from outside: by what a read shows, or by the operator's word. */
import type { IntentRow } from '../../store/journal/schema.ts'
import { paidBefore, paymentEnd } from '../payment-end.ts'
import { type AcceptedFacts, acceptance, type IntentChange, type SumAndReason } from '../row.ts'
import type { ClosedState } from '../verdict.ts'
import { isDoubted, sumFlag } from './known-sum.ts'
import { reason } from './reason.ts'

/** Further facts at the closing of an intent. */
export interface ClosingFacts {
  readonly seen?: AcceptedFacts | null
  /** In flight by this very run. */
  readonly held?: boolean
  /** The status by which it is closed without an execution; null where the thing was not there. */
  readonly decidedBy?: string | null
  /** A read has shown the sum that was executed, and it is the one of the request. */
  readonly sumConfirmed?: boolean
  /** The reason is the operator's word: no answer and no read stands behind it. */
  readonly byOperator?: boolean
}

/** The status by which an intent is told as not executed, null for none; undefined where it is not denied by what was read. */
export function denialBy(
  state: ClosedState,
  { byOperator, decidedBy = null }: ClosingFacts,
): string | null | undefined {
  return state === 'refused' && !byOperator ? decidedBy : undefined
}

/**
 * An intent that is closed by evidence from outside, as columns. A read ends no doubt: that takes the operator, or a transaction
 * that was named and compared (`accepted`). Of two ends that contradict each other, that takes the one that was told first.
 */
export function closing(
  before: IntentRow,
  state: ClosedState,
  words: string,
  { seen = null, sumConfirmed = false, byOperator = false }: ClosingFacts,
): IntentChange {
  const isPaid = seen !== null && seen.status !== null && paymentEnd(before, seen.status) === 'paid'
  const isEnded = before.sum_confirmed === 'disputed' ? isPaid : state === 'accepted'
  const isKept = isDoubted(before) && !isEnded && !byOperator
  const known: SumAndReason = isKept
    ? { because: before.because ?? words }
    : { ...reason(words, byOperator), sum_confirmed: state === 'refused' ? null : sumFlag(sumConfirmed) }
  // The operator decides between two ends: of one that was executed the end without a payment is not kept.
  const paid = byOperator && state !== 'refused' ? paidBefore(before) : null
  const end = paid === null ? {} : { status: paid, status_description: null }
  return { state, ...known, ...end, ...(seen ? acceptance(before, known, seen) : {}) }
}
