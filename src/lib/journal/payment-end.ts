/**
 * The end of a write's payment, as its statuses tell it. What is read later may be older: from a copy that lags behind.
 */
import type { Members } from '../contract/core/members.ts'
import { writeNamed, writesAbout } from '../contract/operations.ts'
import { type End, isOlder, type StatusFacts } from '../contract/status.ts'
import { isRecord, readJson } from '../json.ts'
import type { IntentRow } from '../store/journal/schema.ts'
import { hasConflict } from './conflict.ts'
import { isExecuted } from './verdict.ts'

interface Standing {
  readonly operation: string
  readonly body: string
  readonly state: string
  readonly status: string | null
  readonly statusDescription: string | null
  /** JSON text; null of payouts. */
  readonly answer: string | null
  readonly removedAt: string | null
}

interface Sum {
  readonly amountMinor: string | null
}

/** The members of a JSON object; none where it is no object. */
export function requestIn(body: string): Members {
  const request = readJson(body)
  return isRecord(request) ? request : {}
}

function statusFacts(
  { operation, body }: Pick<Standing, 'operation' | 'body'>,
  status: string,
  now?: number,
): StatusFacts | null {
  return writeNamed(operation)?.payment?.(status, requestIn(body), now) ?? null
}

/** Null while it has none. `now` as of `unpaidEnd`. */
export function paymentEnd(standing: Pick<Standing, 'operation' | 'body'>, status: string, now?: number): End {
  const operation = writeNamed(standing.operation)
  if (operation?.payment || !operation?.evidence) return statusFacts(standing, status, now)?.end ?? null
  const { by, shows } = operation.evidence
  if (isCreation(operation.name)) return by.statuses?.(status)?.end ?? null
  // One that makes no payment of its own: it was done, or may have been.
  return ['over', 'lapsed'].includes(shows(status)) ? 'not-paid' : isTrace(operation.name, status) ? 'paid' : null
}

// Later than all that may still be paid: after a payment a failed try is no try any more.
const atLast = Number.POSITIVE_INFINITY

/**
 * The status in which the payment ended unpaid; null where it did not. Without `now` (milliseconds since 1970) what may
 * still be paid has not ended.
 */
export function unpaidEnd(
  standing: Pick<Standing, 'operation' | 'state' | 'status' | 'body'>,
  now?: number,
): StatusFacts | null {
  const { status } = standing
  if (status === null || !isExecuted(standing)) return null
  const facts = statusFacts(standing, status, now)
  return facts?.end === 'not-paid' ? facts : null
}

/** The status with which the service took the write, where that was paid and a later read says that it ended unpaid. */
export function paidBefore(standing: Pick<Standing, 'operation' | 'body' | 'status' | 'answer'>): string | null {
  const { status, answer } = standing
  const { status: first } = requestIn(answer ?? '{}')
  if (typeof first !== 'string' || status === null || paymentEnd(standing, first) !== 'paid') return null
  return paymentEnd(standing, status, atLast) === 'not-paid' ? first : null
}

/** The status in which it was known to be paid, where a read says now that it ended unpaid. */
function paidUntilNow(standing: Pick<Standing, 'operation' | 'body' | 'status'>, status: string): string | null {
  const wasPaid = standing.status !== null && paymentEnd(standing, standing.status) === 'paid'
  return wasPaid && paymentEnd(standing, status, atLast) === 'not-paid' ? standing.status : null
}

/**
 * True if a status is to be remembered. An end is not taken back by what came before it, unless it came by time; a
 * payment not by an end without one, unless the answer that told of it is kept.
 */
export function changesStatus(
  standing: Pick<Standing, 'operation' | 'body' | 'status' | 'statusDescription' | 'answer' | 'removedAt'>,
  status: string,
  statusDescription: string | null,
): boolean {
  // The service's words were removed with what they may name.
  if (standing.status === status) return standing.removedAt === null && standing.statusDescription !== statusDescription
  const read = writeNamed(standing.operation)?.evidence?.by.statuses ?? (() => null)
  if (isOlder(read(status), read(standing.status ?? ''))) return false
  if (paidUntilNow(standing, status) !== null) return paidBefore({ ...standing, status }) !== null
  if (standing.status === null || paymentEnd(standing, status) !== null) return true
  // A copy that lags behind shows an end by time where the thing goes on.
  return paymentEnd(standing, standing.status) === null || read(standing.status)?.isByTime === true
}

/** True for a write that makes the thing that it is about. */
export function isCreation(operation: string): boolean {
  const about = writeNamed(operation)?.about
  return about !== undefined && writesAbout(about)[0]?.name === operation
}

/** True for a status in which a read shows what a write makes, or the sum that it moves, perhaps by a request that looks the same. */
export function isExecutedIn({ operation, amountMinor }: Pick<Standing, 'operation'> & Sum, status: string): boolean {
  const { evidence, payment } = writeNamed(operation) ?? {}
  if (!payment && amountMinor === null && !isCreation(operation)) return false
  return evidence ? evidence.shows(status) === 'executed' : true
}

/**
 * True for a status that shows the execution of a write, or of one that looks the same; one that nobody knows may. Details of a
 * payout show it whatever its status is.
 */
export function isTrace(operation: string, status: string): boolean {
  const { evidence } = writeNamed(operation) ?? {}
  if (!evidence?.by.statuses?.(status)) return true
  return evidence.shows(status) === 'executed' || (evidence.refusals?.shows(status) ?? false)
}

/** True if a read has shown a trace of a write that moves money. */
export function wasShown({
  operation,
  body,
  status,
  amountMinor,
}: Pick<Standing, 'operation' | 'body' | 'status'> & Sum): boolean {
  const moves = writeNamed(operation)?.payment || amountMinor !== null || isCreation(operation)
  if (status === null || !moves) return false
  return isTrace(operation, status) && paymentEnd({ operation, body }, status) !== 'not-paid'
}

function disputeColumns(paid: string, status: string): Partial<IntentRow> {
  return { sum_confirmed: 'disputed', because: describeBoth(paid, status), operator_word: null }
}

/** Paid again; the sum was not compared. */
const agreedAgain: Partial<IntentRow> = { sum_confirmed: 'no', because: null }

/** By a status that it was told, or because it moved a sum and makes no payment of its own. */
export function isPaidHere(standing: Standing & { readonly amountMinor: string | null }): boolean {
  const { status, operation, amountMinor } = standing
  if (!isExecuted(standing)) return false
  if (!writeNamed(operation)?.payment) return amountMinor !== null
  return paidBefore(standing) !== null || (status !== null && paymentEnd(standing, status) === 'paid')
}

/** What was told of a payment and what is read now, in words; null where they agree. */
export function findContradiction(
  standing: Standing & { readonly disputed: string | null },
  status: string,
): string | null {
  const paid = paidUntilNow(standing, status)
  if (paid !== null) return describeBoth(paid, status)
  return paymentEnd(standing, status) === 'paid' ? null : standing.disputed
}

export function findOwnContradiction(
  standing: Pick<Standing, 'operation' | 'body' | 'status' | 'answer'>,
): string | null {
  const paid = paidBefore(standing)
  return paid === null ? null : describeBoth(paid, `${standing.status}`)
}

function describeBoth(paid: string, status: string): string {
  return `the service answered ${paid}, and shows ${status} since: one of the two is wrong`
}

/** Null where nothing is new. A status takes no other conflict back. */
export function applyStatus(
  intent: Standing,
  known: Pick<IntentRow, 'sum_confirmed'>,
  status: string,
  statusDescription: string | null,
): Partial<IntentRow> | null {
  if (known.sum_confirmed === 'disputed') return paymentEnd(intent, status) === 'paid' ? agreedAgain : null
  const before = paidUntilNow(intent, status)
  const isContradicted = before !== null && paidBefore({ ...intent, status }) === null
  // Another sum may agree at the next read; two ends do not.
  if (isContradicted && (!hasConflict(known) || known.sum_confirmed === 'other')) return disputeColumns(before, status)
  return changesStatus(intent, status, statusDescription) ? { status, status_description: statusDescription } : null
}
