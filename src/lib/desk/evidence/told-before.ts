/**
 * Facts from before a read, which it does not outweigh: what attempts were answered, what was read before them, and what this journal
 * has of the same thing (money-safety.md#the-one-rule-for-answers).
 */
import type { EvidenceRead } from '../../contract/operation.ts'
import { writeNamed, writesAbout } from '../../contract/operations.ts'
import { isOlder } from '../../contract/status.ts'
import { type Attempt, type Intent, idAtService } from '../../journal/intent.ts'
import { findContradiction, isTrace, paymentEnd } from '../../journal/payment-end.ts'
import { isOpen } from '../../journal/verdict.ts'
import type { Desk } from '../desk.ts'
import { isUnknownObject } from '../receipt/refusal.ts'
import { movedBesides, paidInSpite, writesTo } from '../recover/at-stake.ts'
import type { Evidence } from './kinds.ts'
import { openBesides } from './open-besides.ts'

/**
 * Facts from answers, which no read to the contrary outweighs: another sum, that it had been done before, or that what is to be
 * cancelled was paid, or may have been.
 */
export async function toldBefore(
  desk: Desk,
  intent: Intent,
  attempts: readonly Attempt[],
  evidence: Evidence,
): Promise<string | null> {
  if (intent.answeredSum !== null) return intent.answeredSum
  const besides = deniedBy(intent, attempts, evidence)
  if (besides !== null) return `it was answered ${besides}`
  if (evidence.kind === 'executed') {
    const denied = findContradiction(intent, evidence.status) ?? deniedByCode(intent, attempts)
    return denied ?? (await paidInSpite(desk, intent))
  }
  const open = evidence.kind === 'over' ? await openBesides(desk, intent) : null
  if (open !== null) return open
  const left = readBefore(intent, attempts, evidence)
  if (left !== null) return `it read ${left} before it left`
  const seen = intent.state === 'unknown' ? await seenBefore(desk, intent, evidence) : null
  if (seen !== null) return seen
  const { proof, evidence: by } = writeNamed(intent.operation) ?? {}
  const told = attempts.map(({ statusCode, message }) => (statusCode === null ? (message ?? '') : null))
  const status = told.find((message) => message !== null && proof?.doneBefore.includes(message))
  if (status !== undefined) return `it was answered ${status}`
  const notAnyMore = attempts.find(
    (attempt) => isContradictedBy(by, attempt, evidence) || (!intent.isTaken && saysDone(by, attempt)),
  )
  return notAnyMore ? `it was answered ${notAnyMore.statusCode}` : null
}

/** True for a code that says by itself that it is done: behind an attempt that was lost, no read denies it. */
function saysDone(read: EvidenceRead | null | undefined, { statusCode }: Attempt): boolean {
  return statusCode !== null && (read?.refusals?.says.includes(statusCode) ?? false)
}

/** "Not any more", of which no read could tell why, and later a read that shows no trace: the request may have come twice. */
function isContradictedBy(
  read: EvidenceRead | null | undefined,
  { outcome, statusCode, ...words }: Attempt,
  { kind }: Evidence,
): boolean {
  const refusals = read?.refusals
  if (!read || !refusals || refusals.means === 'done' || outcome !== 'unknown' || statusCode === null) return false
  // The status may have changed between the refusal and its read: a conflict waits for as long as no trace takes to count.
  const isOfStatusOrSum = statusCode === refusals.ofStatus?.code || statusCode === refusals.ofSum?.code
  if (refusals.means === 'conflict' && isOfStatusOrSum && kind === 'no-trace') return false
  const isAgreed = kind === 'absent' && isUnknownObject(read.by, { ...words, statusCode })
  return refusals.codes.includes(statusCode) && (kind === 'no-trace' || kind === 'absent') && !isAgreed
}

/** The status in which its thing was read before an attempt left, where a read denies it: it is older, or does not know the thing. */
function readBefore({ operation }: Intent, attempts: readonly Attempt[], read: Evidence): string | null {
  const facts = writeNamed(operation)?.evidence?.by.statuses ?? (() => null)
  const status = 'status' in read ? read.status : undefined
  const isDenied = (known: string) =>
    read.kind === 'absent' || (status !== undefined && isOlder(facts(status), facts(known)))
  return attempts.find(({ known }) => known !== null && isDenied(known))?.known ?? null
}

/**
 * The status that an answer without a definite meaning told, where a read denies it: it shows no trace, or no payment where that told
 * one. Null where nothing was told, or the read agrees.
 */
function deniedBy(intent: Intent, attempts: readonly Attempt[], evidence: Evidence): string | null {
  const told = attempts.find((attempt) => attempt.told !== null)?.told ?? null
  if (told === null || evidence.kind !== 'executed') return told
  const isDenied = paymentEnd(intent, told) === 'paid' && paymentEnd(intent, evidence.status) !== 'paid'
  return isDenied ? told : null
}

/**
 * "Not any more" of a write that is a conflict where another one did it, in words: each of its attempts was answered so, and none was
 * lost, so that what a read shows is not known to be its own. Null where that is not so.
 */
function deniedByCode({ operation }: Intent, attempts: readonly Attempt[]): string | null {
  const { evidence, proof } = writeNamed(operation) ?? {}
  const refusals = evidence?.refusals
  const open = attempts.filter(isOpen)
  const denial = ({ statusCode, message }: Attempt) => {
    const isTold =
      statusCode === null ? proof?.doneBefore.includes(message ?? '') : refusals?.codes.includes(statusCode)
    return isTold ? (statusCode ?? message) : null
  }
  const first = open[0] ? denial(open[0]) : null
  const isDenied = refusals?.means === 'conflict' && open.every((attempt) => denial(attempt) !== null)
  return isDenied && first !== null ? `it was answered ${first}` : null
}

/**
 * Earlier reads, and other writes of this journal about the same thing: a copy that lags behind shows no trace of what was shown
 * before, and what was there once is not unknown to the service.
 */
async function seenBefore(desk: Desk, intent: Intent, read: Evidence): Promise<string | null> {
  const { kind } = read
  const contradiction = 'status' in read && read.status !== undefined ? findContradiction(intent, read.status) : null
  if (contradiction !== null) return contradiction
  const { evidence, about } = writeNamed(intent.operation) ?? {}
  if (!evidence || !about) return null
  const { status } = intent
  const hasNoTrace = kind === 'no-trace' || kind === 'lapsed'
  const isDenied = hasNoTrace || kind === 'absent'
  const shows = (read: string | null) =>
    read !== null && (isTrace(intent.operation, read) || evidence.tried.includes(read))
  const isShown = kind === 'absent' ? status !== null : shows(status)
  if (isDenied && isShown) return `it read ${status} before`
  const writes = await writesTo(desk, about, idAtService(intent))
  const others = writes.filter(({ journalId }) => journalId !== intent.journalId)
  const there = others.find(({ state, status: shown }) => shown !== null || state === 'accepted' || state === 'exists')
  const alike = others.find(
    ({ operation, state }) => operation === intent.operation && (state === 'accepted' || state === 'exists'),
  )
  const traced = others.find((other) => shows(other.status))
  if (hasNoTrace && traced) return `its ${traced.operation} (${traced.journalId}) read ${traced.status} before`
  if (hasNoTrace && alike) return `this journal has its ${alike.operation} (${alike.journalId})`
  if (kind === 'absent' && there) return `this journal has its ${there.operation} (${there.journalId})`
  const isCreation = writesAbout(about)[0]?.name === intent.operation
  const moved = kind === 'over' && isCreation ? movedBesides(writes, intent) : null
  return moved && `its ${moved.operation} (${moved.journalId}) may have moved money`
}
