/**
 * Reads an answer in the shape of the contract as the outcome of a write: done, refused, done before, or nothing definite.
 * The contract tells what the statuses of an operation mean, and which members must repeat its request.
 */

import { errorIn } from '../../client/complaints.ts'
import { objectsBelow } from '../../client/told.ts'
import { differenceIn } from '../../contract/asked-sum.ts'
import type { Members } from '../../contract/core/members.ts'
import { normalId } from '../../contract/core/uuid.ts'
import type { WriteOperation } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import { identities, type Proof } from '../../contract/proof.ts'
import type { ServiceWords } from '../../failure.ts'
import type { Verdict } from '../../journal/verdict.ts'
import { writeJson } from '../../json.ts'
import { otherIdIn } from './foreign-error.ts'
import { successAmong } from './refused-and-done.ts'

/** A member of the answer itself, never one that it inherits. */
function own(answer: Members, name: string): unknown {
  return Object.hasOwn(answer, name) ? (answer[name] ?? null) : null
}

function text(answer: Members, name: string): string | null {
  const value = own(answer, name)
  return typeof value === 'string' ? value : null
}

/** A business status in the place of an error. */
function said(message: string): ServiceWords {
  return { http: 200, statusCode: null, exceptionGroup: null, message }
}

function accepted({ keeps }: Proof, answer: Members): Verdict {
  const status = text(answer, 'status')
  const isPayout = keeps === 'payout'
  return {
    kind: 'accepted',
    transactionId: isPayout ? text(answer, 'transactionId') : null,
    status,
    statusDescription: isPayout ? text(answer, 'statusDescription') : null,
    createdAt: isPayout ? text(answer, 'createdAt') : null,
    answer: isPayout ? null : writeJson(answer),
  }
}

/** The number of the transaction that an answer tells of: the operator reads it back by that. */
function underNumber(answer: Members): string {
  const number = text(answer, 'transactionId')
  return number === null ? '' : ` (transactionId ${number})`
}

/** The difference of a member from the request; null where it repeats it, or where the request has no such member. */
function otherThan(request: Members, answer: Members, name: string): string | null {
  if (request[name] === undefined) return null
  const [asked, told] = [String(request[name]), String(own(answer, name))]
  return normalId(told) === normalId(asked) ? null : `the answer speaks of another ${name}, ${told}`
}

/** An answer that speaks of another id is no answer to this request. */
export function otherId(request: Members, answer: Members): string | null {
  const told = identities.filter((name) => own(answer, name) !== null)
  return told.map((name) => otherThan(request, answer, name)).find((other) => other !== null) ?? null
}

/** Members of an answer that every reader knows, or that say nothing. */
const silent: ReadonlySet<string> = new Set([...identities, 'status', 'statusCode'])

/** The reason why an answer does not belong to this request, whatever its status; null where it does. */
function objection({ echoes, needs, nothingElse }: Proof, request: Members, answer: Members): string | null {
  const other = otherId(request, answer)
  if (other !== null) return other
  // No transaction has the number 0.
  const missing = [...echoes, ...needs].filter((name) => /^0*$/.test(text(answer, name)?.trim() ?? ''))
  if (missing.length > 0) return `the answer names no ${missing.join(' and no ')}`
  const more = Object.keys(answer).filter((name) => !silent.has(name) && own(answer, name) !== null)
  if (!nothingElse || own(answer, 'status') !== null || more.length === 0) return null
  return `nothing is known of what the answer says: ${more.slice(0, 5).join(', ')}`
}

/** Statuses by which some operation is refused. */
const refusing: ReadonlySet<string> = new Set(
  operations.flatMap((each) => (each.effect === 'write' ? Object.keys(each.proof.refused) : [])),
)

/**
 * A status, deeper in an answer than its own and another one, in which the thing ended unpaid or the operation was refused; null
 * for none.
 */
function refusalWithin(operation: WriteOperation, answer: Members): string | null {
  const { statuses, payment, evidence } = operation
  const readers = [statuses, payment, evidence?.by.statuses].filter((read) => read != null)
  const its = own(answer, 'status')
  const told = objectsBelow(answer).map((object) => own(object, 'status'))
  const isRefusing = (status: unknown): status is string =>
    typeof status === 'string' &&
    status !== its &&
    (refusing.has(status) || readers.some((read) => read(status)?.end === 'not-paid'))
  return told.find(isRefusing) ?? null
}

/** True for the status of a payment that ends unpaid, or may. */
function endsUnpaid({ payment }: WriteOperation, status: string, request: Members): boolean {
  return payment?.(status, request, Number.POSITIVE_INFINITY)?.end === 'not-paid'
}

/** The refusal that a success tells in words; null where it has none, or something in it says otherwise. */
function refusedInWords(
  operation: WriteOperation,
  request: Members,
  answer: Members,
  status: string,
  otherSum: string | null,
): Verdict | null {
  const { member, isBelieved } = operation.proof.refusedInWords ?? {}
  const message = member === undefined ? '' : (text(answer, member)?.trim() ?? '')
  if (member === undefined || message === '' || !isBelieved?.(status)) return null
  const isDoubtful =
    otherSum !== null ||
    otherIdIn(request, { value: answer }) !== null ||
    errorIn({ ...answer, [member]: null }) !== null ||
    successAmong(operation, [answer]) !== null
  return isDoubtful ? null : { kind: 'refused', words: said(message), bodyOnly: false, status: null }
}

/** `currency`: that of the order, where the request names none and the journal knows it. */
export function verdictOfSuccess(
  operation: WriteOperation,
  request: Members,
  answer: Members,
  currency: string | null,
): Verdict {
  const { name, proof } = operation
  const why = objection(proof, request, answer)
  if (why !== null) return { kind: 'unknown', why, words: null }
  const status = own(answer, 'status')
  if (status !== null && typeof status !== 'string') {
    return { kind: 'unknown', why: 'the answer has a status that is no text', words: null }
  }
  const otherSum = differenceIn(answer, proof.sum({ ...(currency === null ? {} : { currency }), ...request }))
  const isDone = proof.isDone(status)
  const hasFailed = status !== null && endsUnpaid(operation, status, request)
  const error = isDone || (status !== null && proof.doneBefore.includes(status)) ? errorIn(answer, hasFailed) : null
  if (error !== null) return { kind: 'unknown', why: `the answer speaks of an error, too: ${error}`, words: null }
  const foreign = isDone ? otherIdIn(request, { value: answer }) : null
  if (foreign !== null) return { kind: 'unknown', why: foreign, words: null }
  const within = isDone ? refusalWithin(operation, answer) : null
  if (within !== null) return { kind: 'unknown', why: `the answer tells of ${within}, too`, words: null }
  if (isDone) {
    if (otherSum === null) return accepted(proof, answer)
    const told = `${otherSum}${underNumber(answer)}`
    return { kind: 'unknown', why: `the answer tells of another sum: ${told}`, words: null, otherSum: told }
  }
  if (status !== null && proof.doneBefore.includes(status)) return { kind: 'duplicate', words: said(status), otherSum }
  const inWords = status === null ? null : refusedInWords(operation, request, answer, status, otherSum)
  if (inWords !== null) return inWords
  const refusal = status !== null && Object.hasOwn(proof.refused, status) ? proof.refused[status] : undefined
  if (status === null || !refusal) {
    const told = status === null ? 'no status' : `the status ${JSON.stringify(status)}`
    return { kind: 'unknown', why: `the answer has ${told}, which does not say that ${name} was done`, words: null }
  }
  const success = successAmong(operation, [answer])
  if (success !== null) {
    return { kind: 'unknown', why: `the answer refuses with ${status}, and has ${success} of a success`, words: null }
  }
  const reason = refusal.reason === undefined ? null : text(answer, refusal.reason)
  return { kind: 'refused', words: said(reason ?? status), bodyOnly: refusal.bodyOnly, status }
}
