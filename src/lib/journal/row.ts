/**
 * Rows of the journal as they are written: a new intent, an attempt, what an answer, a read or the operator changes.
 */
import type { Members } from '../contract/core/members.ts'
import { originOf } from '../contract/service.ts'
import type { Random } from '../edge.ts'
import { writeJson } from '../json.ts'
import type { AttemptRow, IntentRow } from '../store/journal/schema.ts'
import {
  describeReason,
  hasConflict,
  keepsConflict,
  markTaken,
  reasonColumns,
  sumAfterAttempt,
  sumFlag,
} from './conflict.ts'
import { type Intent, intentOf, type NewIntent } from './intent.ts'
import { type Moment, type StoredMoment, storeMoment } from './moment.ts'
import { applyStatus, changesStatus, paidBefore, paymentEnd, requestIn } from './payment-end.ts'
import {
  type ClosedState,
  isExecuted,
  mayBeMended,
  outcomeOf,
  type PastAttempt,
  type State,
  unmoved,
  type Verdict,
} from './verdict.ts'

export type AcceptedFacts = Omit<Extract<Verdict, { kind: 'accepted' }>, 'kind'>

/** The process that has an intent in flight, and until when. */
export type Lease = Pick<IntentRow, 'holder' | 'held_until' | 'held_until_steady'>

export function leaseOf(holder: string, end: Moment): Lease {
  const { iso, steady } = storeMoment(end)
  return { holder, held_until: iso, held_until_steady: steady }
}

export type IntentChange = Partial<Omit<IntentRow, 'digest' | 'id'>>

/**
 * Until it is known what comes of the attempt, the intent is unknown. What was read of an earlier life, of which
 * nothing was executed, is no trace of this one. `now`: ISO text.
 */
export function markUnderWay(before: IntentRow, now: string): IntentChange {
  const isAnew = unmoved.has(before.state as State) && !hasConflict(before)
  return { state: 'unknown', changed_at: now, ...(isAnew ? { status: null, status_description: null } : {}) }
}

/** Begins a payment anew of which nothing was executed: guard, `resume` and limits count from `now` (ISO text). */
export function reopen({ state }: Pick<IntentRow, 'state'>, past: readonly PastAttempt[], now: string): IntentChange {
  return mayBeMended(past) ? { opened_at: now, ...(state === 'held' ? { because: null } : {}) } : {}
}

export const noLease: Lease = { holder: null, held_until: null, held_until_steady: null }

/** `now`: ISO text. */
export function newRow(newIntent: NewIntent, random: Random, now: string, lease: Lease): Omit<IntentRow, 'digest'> {
  const drawn = random.uuid().replaceAll('-', '')
  return {
    id: `j-${drawn.slice(0, 12)}`,
    salt: drawn.slice(12),
    operation: newIntent.operation,
    profile: newIntent.profile,
    environment: newIntent.environment,
    service: newIntent.service,
    service_id: newIntent.serviceId,
    origin: originOf(newIntent.service),
    client_id: newIntent.clientId,
    unique_id: newIntent.uniqueId,
    business_key: newIntent.idempotencyKey,
    ...bodyColumns(newIntent),
    state: 'unknown',
    transaction_id: null,
    status: null,
    status_description: null,
    service_created_at: null,
    answer: null,
    ...{ because: null, operator_word: null, sum_confirmed: null, maker: null, approvers: null },
    opened_at: now,
    changed_at: now,
    ...lease,
  }
}

export function bodyColumns(newIntent: NewIntent) {
  return {
    body: newIntent.body,
    body_digest: newIntent.bodyDigest,
    payee: newIntent.payee,
    amount_minor: newIntent.amountMinor ?? '',
    currency: newIntent.currency ?? '',
    // A body that is written is whole.
    removed_at: null,
  }
}

export type SumAndReason = Partial<Pick<IntentRow, 'sum_confirmed' | 'because' | 'operator_word'>>

/** The known sum after one more attempt, and its reason: a conflict that stays keeps its own. */
export function sumColumns(before: IntentRow, state: State, verdict: Verdict): SumAndReason {
  const sum = { sum_confirmed: sumAfterAttempt(before, state, verdict) }
  return keepsConflict(before, state, verdict) ? sum : { ...sum, ...reasonColumns(describeReason(state, verdict)) }
}

/** An acceptance. What was shown as paid is not taken back by an end without a payment: that is a conflict. */
export function acceptanceColumns(before: IntentRow, known: SumAndReason, facts: AcceptedFacts): IntentChange {
  return {
    transaction_id: facts.transactionId,
    service_created_at: facts.createdAt,
    answer: facts.answer,
    ...statusChange(before, known, facts.status, facts.statusDescription),
  }
}

function statusChange(
  before: IntentRow,
  known: SumAndReason,
  status: string | null,
  description: string | null,
): IntentChange {
  if (before.status === null || status === null)
    return { status: status ?? before.status, status_description: description }
  return applyStatus(intentOf(before), { ...before, ...known }, status, description) ?? {}
}

/** Columns that an answer changes, beside `known` of the sum. */
export function statusColumns(before: IntentRow, known: SumAndReason, verdict: Verdict): IntentChange {
  if (verdict.kind === 'accepted') return acceptanceColumns(before, known, verdict)
  if (verdict.kind !== 'duplicate' || !verdict.shown) return {}
  return statusChange(before, known, verdict.shown.status, before.status_description)
}

export function newAttempt(
  intent: IntentRow,
  number: number,
  { iso, steady }: StoredMoment,
): Omit<AttemptRow, 'digest'> {
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
    known: null,
    salt: intent.salt,
  }
}

/** In the light of the attempts before it. */
export function endAttempt(past: readonly PastAttempt[], verdict: Verdict) {
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

export interface ClosingFacts {
  readonly seen?: AcceptedFacts | null
  /** In flight by this very run. */
  readonly held?: boolean
  /** The status that denies an execution; null where the thing was not there. */
  readonly decidedBy?: string | null
  /** A read has shown that this sum was executed. */
  readonly sumConfirmed?: boolean
  /** The reason is the operator's word. */
  readonly byOperator?: boolean
}

/** The status that denies an execution, null for none; undefined where no read denies it. */
export function denialBy(
  state: ClosedState,
  { byOperator, decidedBy = null }: ClosingFacts,
): string | null | undefined {
  return state === 'refused' && !byOperator ? decidedBy : undefined
}

/**
 * Closes an intent by evidence from outside. A read ends no conflict: that takes the operator, or a transaction that
 * was named and compared (`accepted`); of two contradicting ends, the one that was told first.
 */
export function closeIntent(
  before: IntentRow,
  state: ClosedState,
  words: string,
  { seen = null, sumConfirmed = false, byOperator = false }: ClosingFacts,
): IntentChange {
  const isPaid = seen !== null && seen.status !== null && paymentEnd(before, seen.status) === 'paid'
  const isEnded = before.sum_confirmed === 'disputed' ? isPaid : state === 'accepted'
  const isKept = hasConflict(before) && !isEnded && !byOperator
  const known: SumAndReason = isKept
    ? { because: before.because ?? words }
    : { ...reasonColumns(words, byOperator), sum_confirmed: state === 'refused' ? null : sumFlag(sumConfirmed) }
  // The operator decides between two ends: of one that was executed the end without a payment is not kept.
  const paid = byOperator && state !== 'refused' ? paidBefore(before) : null
  const end = paid === null ? {} : { status: paid, status_description: null }
  return { state, ...known, ...end, ...(seen ? acceptanceColumns(before, known, seen) : {}) }
}

export interface ShownWrite {
  readonly intent: Intent
  readonly isThere: boolean
}

export function isNewStatus({ intent }: ShownWrite, status: string, description: string | null): boolean {
  const isKnown = intent.disputed === null && intent.status === status && !changesStatus(intent, status, description)
  return !isKnown || !isExecuted(intent)
}

/**
 * Null where nothing is new. `isThere`: it shows the execution of what the row may say was not executed: then it is a
 * conflict.
 */
export function applyStatusRead(
  row: IntentRow,
  status: string,
  description: string | null,
  isThere: boolean,
): Partial<IntentRow> | null {
  const seen = applyStatus(intentOf(row), row, status, description)
  if (!isThere || !unmoved.has(row.state as State) || row.sum_confirmed === 'taken') return seen
  return { ...seen, ...markTaken(row, row.state) }
}

/**
 * Shown in the place of personal data that was removed. In a body such a member is null: nothing of it is sent or
 * compared.
 */
export const removedWord = 'removed'

/** The members of a payout that tell of no person; all others go. */
const impersonal: ReadonlySet<string> = new Set(['uniqueId', 'amount', 'currency'])

function stripBody(body: string): string {
  const members = Object.entries(requestIn(body)).map(([name, value]) => [name, impersonal.has(name) ? value : null])
  return writeJson(Object.fromEntries(members))
}

function replaceWords(text: string | null): string | null {
  return text === null ? null : removedWord
}

/** `salt`: a new one, so that no digest in the chain lets the old values be guessed. */
export function stripIntent(row: IntentRow, salt: string, now: string): Partial<IntentRow> {
  return {
    body: stripBody(row.body),
    payee: removedWord,
    status_description: replaceWords(row.status_description),
    because: replaceWords(row.because),
    operator_word: replaceWords(row.operator_word),
    removed_at: now,
    salt,
  }
}

/** Words of the service, and ours about its answer, may name people. */
export function stripAttempt({ message, why }: AttemptRow, salt: string): Partial<AttemptRow> {
  return { message: replaceWords(message), why: replaceWords(why), salt }
}

/** The members that are there, and the names of those that were. */
export function splitRemoved(request: Members): { readonly kept: Members; readonly gone: readonly string[] } {
  const members = Object.entries(request)
  return {
    kept: Object.fromEntries(members.filter(([, value]) => value !== null)),
    gone: members.flatMap(([name, value]) => (value === null ? [name] : [])),
  }
}

export function keepRemoved(row: Pick<IntentRow, 'removed_at' | 'status_description'>, changes: Partial<IntentRow>) {
  if (row.removed_at === null || !('status_description' in changes)) return changes
  return { ...changes, status_description: row.status_description }
}
