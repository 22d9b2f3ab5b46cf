/** An intent to move money and the attempts to carry it out, as the rest of the program sees them. */
import type { WriteOperation } from '../contract/operation.ts'
import { writeNamed } from '../contract/operations.ts'
import type { ServicePlace } from '../contract/service.ts'
import { Failure, type FailureFacts, type FailureName, type MoneyMoved } from '../failure.ts'
import type { IntentFilter } from '../store/journal/intents.ts'
import type { AttemptRow, IntentRow } from '../store/journal/schema.ts'
import { isTaken } from './conflict.ts'
import { findOwnContradiction, requestIn } from './payment-end.ts'
import { type AttemptOutcome, type State, unmoved } from './verdict.ts'

/** What is to be sent, before the journal knows it. */
export interface Draft extends ServicePlace {
  readonly operation: string
  readonly profile: string
  readonly uniqueId: string
  readonly businessKey: string | null
  /** JSON text of the request. */
  readonly body: string
  readonly bodyDigest: string
  readonly payee: string
  /** Null where the write moves no sum of its own. */
  readonly amountMinor: string | null
  /** Null where the request names none. */
  readonly currency: string | null
}

export interface Intent extends Draft {
  readonly journalId: string
  readonly state: State
  readonly transactionId: string | null
  readonly status: string | null
  readonly statusDescription: string | null
  readonly createdAt: string | null
  /** JSON text of what the service answered, where it is not a payout. */
  readonly answer: string | null
  /** The reason for its end, in words. */
  readonly because: string | null
  /** The operator's source for its end (`resume --settle`); null where it was resolved in another way. */
  readonly operatorWord: string | null
  /** Times of this machine, ISO, UTC. */
  readonly openedAt: string
  readonly changedAt: string
  /** The process that has it in flight, or had when it ended. */
  readonly holder: string | null
  readonly heldUntil: string | null
  /** The same moment, told by a time that no setting of the clock moves. */
  readonly heldUntilSteady: string | null
  /** True if the service is known to have executed this very sum; null where nothing was executed. */
  readonly sumConfirmed: boolean | null
  /** A read has shown that the service executed another sum under this id, or another beneficiary; null where none has. */
  readonly otherSum: string | null
  /**
   * The service says that its id is taken, or a read shows what a refusal denied: another request did it, or this very one,
   * which something on the way sent twice.
   */
  readonly isTaken: boolean
  /**
   * It was told as paid, and a read says that it ended unpaid since; in words with both statuses, until a read says again that it is
   * paid. Null where nothing contradicts.
   */
  readonly disputed: string | null
  /** An answer to the write itself told of another sum, which left it unknown; in words, null where none has. */
  readonly answeredSum: string | null
  /** When its personal data was removed (ISO, UTC): what it holds of its request is less than was sent. Null while it has all. */
  readonly removedAt: string | null
}

export interface Attempt {
  readonly number: number
  /** Of the body that it sent. */
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
  /** The status in which its thing was read before it left; null where it was not read. */
  readonly known: string | null
}

/** The intents to list. */
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
    businessKey: row.business_key,
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
    heldUntil: row.held_until,
    heldUntilSteady: row.held_until_steady,
    sumConfirmed: row.sum_confirmed === null || isTaken(row) ? null : row.sum_confirmed === 'yes',
    isTaken: isTaken(row),
    otherSum: row.sum_confirmed === 'other' ? (row.because ?? '') : null,
    disputed: findDispute(row),
    answeredSum: row.sum_confirmed === 'answered' ? (row.because ?? '') : null,
    removedAt: row.removed_at,
  }
}

/** The operator's word that it was refused decides between the two; that it was executed stands until a read denies it anew. */
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

/** True if an intent is one of this operation. */
export function isOf({ operation }: Pick<Draft, 'operation'>, { name }: Pick<WriteOperation, 'name'>): boolean {
  return operation === name
}

/** The id that the service knows: a refund has none of its own, so the order's. */
export function idAtService({ body, uniqueId }: Pick<Intent, 'body' | 'uniqueId'>): string {
  const { integratorOrderId } = requestIn(body)
  return typeof integratorOrderId === 'string' ? integratorOrderId.toLowerCase() : uniqueId
}

/** True if something stands against what the journal has of it. */
export function isInConflict({ isTaken, otherSum, answeredSum, disputed }: Intent): boolean {
  return isTaken || otherSum !== null || answeredSum !== null || disputed !== null
}

/** True for a payment that was sent, and for a conflict: the service has its id, and perhaps its money. */
export function mayHaveRun({ state, isTaken }: Pick<Intent, 'state' | 'isTaken'>): boolean {
  return ['accepted', 'exists', 'turned-away', 'unknown'].includes(state) || isTaken
}

/** The words by which one payment looks like another: its sum (`units` in minor units) and its payee. */
export function likenessOf(payee: string, units: string | null, currency: string | null): string {
  return JSON.stringify([payee, units, currency])
}

/** The movement of a payment's money, as far as the journal knows. */
export function moneyMovedBy(intent: Intent): MoneyMoved {
  const { operation, state, status, body } = intent
  if (unmoved.has(state)) return isInConflict(intent) ? 'unknown' : 'no'
  if (state === 'unknown' || status === null || intent.disputed !== null) return 'unknown'
  return writeNamed(operation)?.payment?.(status, requestIn(body))?.money ?? 'unknown'
}

/** The facts of a failure about an intent, its money among them, whatever this run has done. */
export function factsOf(intent: Intent): FailureFacts {
  const { operation, transactionId, status, journalId } = intent
  const moneyMoved = moneyMovedBy(intent)
  return { operation, uniqueId: idAtService(intent), transactionId, status, journalId, moneyMoved }
}

/** A failure about an intent: with its facts, unless `facts` tells others. */
export function intentFailure(kind: FailureName, message: string, intent: Intent, facts: FailureFacts = {}): Failure {
  return new Failure(kind, message, { ...factsOf(intent), ...facts })
}
