/** An intent to move money and its attempts, as the rest of the program sees them. */
import type { WriteOperation } from '../contract/operation.ts'
import { writeNamed } from '../contract/operations.ts'
import type { ServicePlace } from '../contract/service.ts'
import { Failure, type FailureFacts, type FailureName, type MoneyMoved } from '../failure.ts'
import type { IntentFilter } from '../store/journal/intents.ts'
import type { AttemptRow, IntentRow } from '../store/journal/schema.ts'
import { isTaken } from './conflict.ts'
import { findOwnContradiction, requestIn } from './payment-end.ts'
import { type AttemptOutcome, type State, unmoved } from './verdict.ts'

export interface NewIntent extends ServicePlace {
  readonly operation: string
  readonly profile: string
  readonly uniqueId: string
  readonly idempotencyKey: string | null
  /** JSON text of the request. */
  readonly body: string
  readonly bodyDigest: string
  readonly payee: string
  readonly amountMinor: string | null
  readonly currency: string | null
}

export interface Intent extends NewIntent {
  readonly journalId: string
  readonly state: State
  readonly transactionId: string | null
  readonly status: string | null
  readonly statusDescription: string | null
  readonly createdAt: string | null
  /** JSON text of the answer; null of a payout. */
  readonly answer: string | null
  readonly because: string | null
  /** The reason of `resume --settle`; null without it. */
  readonly operatorWord: string | null
  readonly openedAt: string
  readonly changedAt: string
  /** The process that has it in flight. */
  readonly holder: string | null
  readonly leaseUntil: string | null
  /** The same moment, told by a time that no setting of the clock moves. */
  readonly heldUntilSteady: string | null
  /** True if this very sum is known to be executed; null where nothing was. */
  readonly sumConfirmed: boolean | null
  /** Another sum or beneficiary that a read has shown under this id. */
  readonly otherSum: string | null
  /** Its id is taken, or a read shows what a refusal denied: another request did it, or this one, sent twice. */
  readonly isTaken: boolean
  /** It was told as paid, and a read says that it ended unpaid since; both statuses in words. */
  readonly disputed: string | null
  /** Another sum that an answer to the write itself told of. */
  readonly answeredSum: string | null
  /** When its personal data was removed (ISO, UTC); null while it has all. */
  readonly removedAt: string | null
}

export interface Attempt {
  readonly number: number
  readonly bodyDigest: string
  readonly startedAt: string
  /** The same moment, told by a time that no setting of the clock moves. */
  readonly startedSteady: string | null
  readonly endedAt: string | null
  readonly outcome: AttemptOutcome | null
  readonly http: number | null
  readonly statusCode: number | null
  readonly exceptionGroup: number | null
  readonly message: string | null
  readonly why: string | null
  /** The status in which its thing was read before it left. */
  readonly known: string | null
}

export type JournalFilter = Omit<IntentFilter, 'operations'> & {
  readonly operations?: readonly Pick<WriteOperation, 'name'>[]
}

export function intentOf(row: IntentRow): Intent {
  return {
    journalId: row.id,
    operation: row.operation,
    profile: row.profile,
    environment: row.environment,
    service: row.service,
    serviceId: row.service_id,
    clientId: row.client_id,
    uniqueId: row.unique_id,
    idempotencyKey: row.business_key,
    body: row.body,
    bodyDigest: row.body_digest,
    payee: row.payee,
    amountMinor: row.amount_minor || null,
    currency: row.currency || null,
    state: row.state as State,
    transactionId: row.transaction_id,
    status: row.status,
    statusDescription: row.status_description,
    createdAt: row.service_created_at,
    answer: row.answer,
    because: row.operator_word === null ? row.because : `the operator says: ${row.operator_word}`,
    operatorWord: row.operator_word,
    openedAt: row.opened_at,
    changedAt: row.changed_at,
    holder: row.holder,
    leaseUntil: row.held_until,
    heldUntilSteady: row.held_until_steady,
    sumConfirmed: row.sum_confirmed === null || isTaken(row) ? null : row.sum_confirmed === 'yes',
    isTaken: isTaken(row),
    otherSum: row.sum_confirmed === 'other' ? (row.because ?? '') : null,
    disputed: findDispute(row),
    answeredSum: row.sum_confirmed === 'answered' ? (row.because ?? '') : null,
    removedAt: row.removed_at,
  }
}

/** The operator's word "refused" decides between the two; "executed" stands until a read denies it anew. */
function findDispute(row: IntentRow): string | null {
  if (row.sum_confirmed === 'disputed') return row.because ?? ''
  const isDecided = row.operator_word !== null && row.state === 'refused'
  return isDecided ? null : findOwnContradiction(row)
}

export function attemptOf(row: AttemptRow): Attempt {
  return {
    number: row.number,
    bodyDigest: row.body_digest,
    startedAt: row.started_at,
    startedSteady: row.started_steady,
    endedAt: row.ended_at,
    outcome: row.outcome as AttemptOutcome | null,
    http: row.http,
    statusCode: row.status_code,
    exceptionGroup: row.exception_group,
    message: row.message,
    why: row.why,
    known: row.known,
  }
}

export function isOperation(
  { operation }: Pick<NewIntent, 'operation'>,
  { name }: Pick<WriteOperation, 'name'>,
): boolean {
  return operation === name
}

/** A refund has no id of its own: that of its order. */
export function idAtService({ body, uniqueId }: Pick<Intent, 'body' | 'uniqueId'>): string {
  const { integratorOrderId } = requestIn(body)
  return typeof integratorOrderId === 'string' ? integratorOrderId.toLowerCase() : uniqueId
}

/** True if something stands against what the journal has of it. */
export function isInConflict({ isTaken, otherSum, answeredSum, disputed }: Intent): boolean {
  return isTaken || otherSum !== null || answeredSum !== null || disputed !== null
}

/** True for what was sent, and for a conflict. */
export function mayHaveRun({ state, isTaken }: Pick<Intent, 'state' | 'isTaken'>): boolean {
  return ['accepted', 'exists', 'turned-away', 'unknown'].includes(state) || isTaken
}

/** What makes one payment look like another. `units`: minor units. */
export function likenessOf(payee: string, units: string | null, currency: string | null): string {
  return JSON.stringify([payee, units, currency])
}

export function moneyMovedBy(intent: Intent): MoneyMoved {
  const { operation, state, status, body } = intent
  if (unmoved.has(state)) return isInConflict(intent) ? 'unknown' : 'no'
  if (state === 'unknown' || status === null || intent.disputed !== null) return 'unknown'
  return writeNamed(operation)?.payment?.(status, requestIn(body))?.money ?? 'unknown'
}

/** Its money among them, whatever this run has done. */
export function factsOf(intent: Intent): FailureFacts {
  const { operation, transactionId, status, journalId } = intent
  const moneyMoved = moneyMovedBy(intent)
  return { operation, uniqueId: idAtService(intent), transactionId, status, journalId, moneyMoved }
}

/** A failure about an intent: with its facts, unless `facts` tells others. */
export function intentFailure(kind: FailureName, message: string, intent: Intent, facts: FailureFacts = {}): Failure {
  return new Failure(kind, message, { ...factsOf(intent), ...facts })
}
