/** Rows of the journal as they are written: a new intent, an attempt, and what an answer changes in both. */
import { originOf } from '../contract/service.ts'
import type { Random } from '../edge.ts'
import type { AttemptRow, IntentRow } from '../store/journal/schema.ts'
import { isDoubted, staysDoubted, sumAfter, sumFlag } from './doubt/known-sum.ts'
import { reason, reasonInWords } from './doubt/reason.ts'
import type { Draft } from './intent.ts'
import { type KeptMoment, kept, type Moment } from './moment.ts'
import { type ClosedState, mayBeMended, outcomeOf, type PastAttempt, type State, type Verdict } from './verdict.ts'

/** The facts of a payout in an acceptance or in A2. */
export type AcceptedFacts = Omit<Extract<Verdict, { kind: 'accepted' }>, 'kind'>

/** Further facts at the closing of an intent. */
export interface ClosingFacts {
  readonly seen?: AcceptedFacts | null
  /** In flight by this very run. */
  readonly held?: boolean
  /** A read has shown the sum that was executed, and it is the one of the request. */
  readonly sumConfirmed?: boolean
  /** The reason is the operator's word: no answer and no read stands behind it. */
  readonly byOperator?: boolean
}

/** A process that has an intent in flight, and the end of that, as columns. */
export type Hold = Pick<IntentRow, 'holder' | 'held_until' | 'held_until_steady'>

/** A process that holds an intent until `end`. */
export function holdOf(holder: string, end: Moment): Hold {
  const { iso, steady } = kept(end)
  return { holder, held_until: iso, held_until_steady: steady }
}

/** Columns of an intent that change. */
export type IntentChange = Partial<Omit<IntentRow, 'digest' | 'id'>>

/** An attempt is about to be made: until it is known what came of it, the intent is unknown. `now` is ISO text. */
export function underWay(now: string): IntentChange {
  return { state: 'unknown', changed_at: now }
}

/**
 * Begins a payment anew of which nothing was executed: the guard, `resume` and limits count from `now` (ISO text). The reason for
 * which it was held is over.
 */
export function reopened({ state }: Pick<IntentRow, 'state'>, past: readonly PastAttempt[], now: string): IntentChange {
  return mayBeMended(past) ? { opened_at: now, ...(state === 'held' ? { because: null } : {}) } : {}
}

/** No process has it in flight. */
export const noHold: Hold = { holder: null, held_until: null, held_until_steady: null }

/** The row of an intent that the journal did not know. `now` is ISO text. */
export function newRow(draft: Draft, random: Random, now: string, hold: Hold): Omit<IntentRow, 'digest'> {
  const drawn = random.uuid().replaceAll('-', '')
  return {
    id: `j-${drawn.slice(0, 12)}`,
    salt: drawn.slice(12),
    operation: draft.operation,
    profile: draft.profile,
    environment: draft.environment,
    service: draft.service,
    service_id: draft.serviceId,
    origin: originOf(draft.service),
    client_id: draft.clientId,
    unique_id: draft.uniqueId,
    business_key: draft.businessKey,
    ...bodyOf(draft),
    state: 'unknown',
    transaction_id: null,
    status: null,
    status_description: null,
    service_created_at: null,
    answer: null,
    ...{ because: null, operator_word: null, sum_confirmed: null, maker: null, approvers: null },
    opened_at: now,
    changed_at: now,
    ...hold,
  }
}

export function bodyOf(draft: Draft) {
  return {
    body: draft.body,
    body_digest: draft.bodyDigest,
    payee: draft.payee,
    amount_minor: draft.amountMinor ?? '',
    currency: draft.currency ?? '',
    // A body that is written is whole.
    removed_at: null,
  }
}

/** The known sum after one more attempt, and the reason beside it: a doubt that stays keeps its own. */
export function sumAndReason(before: IntentRow, state: State, verdict: Verdict): IntentChange {
  const sum = { sum_confirmed: sumAfter(before, state, verdict) }
  return staysDoubted(before, state, verdict) ? sum : { ...sum, ...reason(reasonInWords(state, verdict)) }
}

function acceptance(verdict: AcceptedFacts): Partial<IntentRow> {
  return {
    transaction_id: verdict.transactionId,
    status: verdict.status,
    status_description: verdict.statusDescription,
    service_created_at: verdict.createdAt,
    answer: verdict.answer,
  }
}

/** Columns that an answer changes; beside a refusal a read shows the status. */
export function statusBy(verdict: Verdict): Partial<IntentRow> {
  if (verdict.kind === 'accepted') return acceptance(verdict)
  return verdict.kind === 'duplicate' && verdict.shown ? { status: verdict.shown.status } : {}
}

/** The row of an attempt before it is made. */
export function newAttempt(intent: IntentRow, number: number, { iso, steady }: KeptMoment): Omit<AttemptRow, 'digest'> {
  return {
    intent_id: intent.id,
    number,
    started_at: iso,
    started_steady: steady,
    ended_at: null,
    body_digest: intent.body_digest,
    outcome: null,
    http: null,
    status_code: null,
    exception_group: null,
    message: null,
    why: null,
    salt: intent.salt,
  }
}

/** The outcome of an attempt, in the light of those before it. */
export function attemptEnd(past: readonly PastAttempt[], verdict: Verdict) {
  const words = 'words' in verdict ? verdict.words : null
  return {
    outcome: outcomeOf(past, verdict),
    http: words?.http ?? null,
    status_code: words?.statusCode ?? null,
    exception_group: words?.exceptionGroup ?? null,
    message: words?.message ?? null,
    why: 'why' in verdict ? verdict.why : null,
  }
}

/**
 * An intent that is closed by evidence from outside, as columns. A read ends no doubt: that takes the operator, or a transaction
 * that was named and compared (`accepted`).
 */
export function closing(
  before: IntentRow,
  state: ClosedState,
  words: string,
  { seen = null, sumConfirmed = false, byOperator = false }: ClosingFacts,
): IntentChange {
  // A write that is shown as done agrees with the end that was told before.
  const isAgreed = before.sum_confirmed === 'disputed' && state === 'exists'
  const isKept = isDoubted(before) && !isAgreed && !byOperator && state !== 'accepted'
  const known = isKept
    ? { because: before.because ?? words }
    : { ...reason(words, byOperator), sum_confirmed: state === 'refused' ? null : sumFlag(sumConfirmed) }
  return { state, ...known, ...(seen ? acceptance(seen) : {}) }
}
