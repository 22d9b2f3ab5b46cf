/**
 * Evidence: what a read shows of a write whose answer was lost, or that was refused for the state of its object
 * (money-safety.md#evidence). That the service does not know the write yet proves nothing: the request may be on its way.
 */
import { isUnknownObject } from '../client/refusal.ts'
import { differenceIn } from '../contract/answer.ts'
import { minorUnits, plainDecimal } from '../contract/core/decimal.ts'
import { fieldsOf } from '../contract/core/field.ts'
import type { Members } from '../contract/core/members.ts'
import {
  alreadyPaid,
  type EvidenceRead,
  type ReadOperation,
  type StateRefusals,
  type TooMuch,
} from '../contract/operation.ts'
import { writeNamed } from '../contract/operations.ts'
import { isOlder } from '../contract/status.ts'
import { Failure } from '../failure.ts'
import { requestWithCurrency } from '../journal/entry.ts'
import { type Attempt, type Intent, idAtService } from '../journal/intent.ts'
import { findContradiction, isCreation, isTrace, requestIn } from '../journal/payment-end.ts'
import { isExecuted, isOpen, type Verdict } from '../journal/verdict.ts'
import { isRecord } from '../json.ts'
import type { Desk } from './desk.ts'
import { readObject, timeForRead } from './read.ts'
import { isTooMuch, refundableOf } from './refunds.ts'
import { describePayment, findOpen, findOtherMove, writesTo } from './writes.ts'

export type Evidence =
  /** Executed. `sumConfirmed`: the sum is shown, and it is the one that was sent. */
  | { readonly kind: 'executed'; readonly status: string; readonly because: string; readonly sumConfirmed: boolean }
  /** Not executed, and the status of the thing leaves no way for it. */
  | { readonly kind: 'over'; readonly status: string; readonly because: string }
  /** Over by time alone: the request may have arrived before. */
  | { readonly kind: 'lapsed'; readonly status: string; readonly because: string }
  /** Executed with another sum: this write, or one of another machine. */
  | { readonly kind: 'differs'; readonly status: string; readonly because: string }
  /** No trace: the thing is as it was before, so far. */
  | { readonly kind: 'no-trace'; readonly status: string; readonly because: string }
  /** The service does not know what it is about, at least so far. */
  | { readonly kind: 'absent'; readonly because: string }
  /** Ambiguous: this write or another one may have led to the status, or something that is known contradicts it. */
  | { readonly kind: 'unclear'; readonly status?: string; readonly because: string }
  /** Not read: `failure` says why, where asking failed. */
  | { readonly kind: 'unreadable'; readonly because: string; readonly failure?: Failure }
  /** Nothing that could be read. */
  | { readonly kind: 'none' }

export function showsAmount({ amount }: Members): boolean {
  return Boolean(minorUnits(plainDecimal(String(amount)) ?? ''))
}

/** True if the service does not know the thing itself; other codes speak of a part of it. */
export function isAbsent(by: ReadOperation, { facts: { service } }: Failure): boolean {
  return service ? isUnknownObject(by, service) : false
}

export interface StateRead {
  /** `absent`: the service knows no such thing. Null: it shows no status that is known. */
  readonly status: string | null
  /** It could not be asked, did not answer, or refused. */
  readonly failure?: Failure
  /** This journal knows of a newer status. */
  readonly isOlder?: boolean
  /** The journal could not note it, and knows nothing of it. */
  readonly isUnnoted?: true
  /** The answer, where it speaks of this thing. */
  readonly answer?: Members
}

const nothingSeen: StateRead = { status: null }

/** Reads the thing of a write within `time` milliseconds; `unsent` as of `readObject`. Never throws. */
export async function readState(
  desk: Desk,
  { by }: EvidenceRead,
  { body }: Intent,
  { time = timeForRead, ...asking }: { readonly time?: number; readonly unsent?: string } = {},
): Promise<StateRead> {
  // It asks with fields that the write has, too.
  const request = requestIn(body)
  const asked = Object.fromEntries(fieldsOf(by.request).map(({ name }) => [name, request[name]]))
  const deadline = desk.clock.now() + time
  try {
    const read = await readObject(desk, by, asked, { deadline, ...asking })
    const answer: unknown = read.answer
    if (!isRecord(answer)) return nothingSeen
    const { status } = answer
    const seen = { answer, ...(read.isUnnoted && { isUnnoted: read.isUnnoted }) }
    if (typeof status !== 'string' || !by.statuses?.(status)) return { ...nothingSeen, ...seen }
    const isLate = read.writes.some((write) => isOlderThan(by, status, write.status))
    return { ...seen, status, isOlder: isLate }
  } catch (error) {
    if (!(error instanceof Failure)) return nothingSeen
    return { status: isAbsent(by, error) ? 'absent' : null, failure: error }
  }
}

function isOlderThan(by: ReadOperation, status: string, known: string | null): boolean {
  return known !== null && isOlder(by.statuses?.(status) ?? null, by.statuses?.(known) ?? null)
}

/**
 * Reads what the service shows of an open write. `inFlight`: the attempt whose answer is being looked at. Throws only
 * when interrupted.
 */
export async function evidenceOf(desk: Desk, intent: Intent, deadline: number, inFlight?: number): Promise<Evidence> {
  const read = await readEvidence(desk, intent, deadline)
  if (!('because' in read) || read.kind === 'unreadable') return read
  const attempts = (await desk.journal.attempts(intent)).filter(({ number }) => number !== inFlight)
  const evidence = withAgreedEnd(intent, attempts, read)
  const contradiction = await contradictionOf(desk, intent, attempts, evidence)
  if (contradiction === null) return evidence
  return { ...evidence, kind: 'unclear', because: `${evidence.because}, and ${contradiction}` }
}

async function readEvidence(desk: Desk, intent: Intent, deadline: number): Promise<Evidence> {
  const read = writeNamed(intent.operation)?.evidence
  if (!read) return { kind: 'none' }
  const { status, answer, failure } = await readState(desk, read, intent, { time: deadline - desk.clock.now() })
  if (!answer && desk.signal.aborted) throw desk.signal.reason
  // Even what the write is about may still be on its way: its create may have been late, too.
  if (status === 'absent') return { kind: 'absent', because: `${read.by.name} does not know it` }
  if (failure) return { kind: 'unreadable', because: failure.message, failure }
  if (typeof answer?.status !== 'string') return { kind: 'unreadable', because: `${read.by.name} shows no status` }
  const request = await requestWithCurrency(desk.journal, intent)
  const kind = read.shows(answer.status)
  const because = `${read.by.name} reads ${answer.status}`
  if (kind !== 'executed') return { kind, status: answer.status, because }
  const differs = differenceIn(answer, read.sum(request))
  if (differs !== null) return { kind: 'differs', status: answer.status, because: `${because}, and ${differs}` }
  return { kind, status: answer.status, because, sumConfirmed: read.showsSum && showsAmount(answer) }
}

type Read = Exclude<Evidence, { readonly kind: 'none' }>

/** An end by time alone is believed where the service refused the write for it, behind all that was lost. */
function withAgreedEnd({ operation }: Intent, attempts: readonly Attempt[], read: Read): Read {
  if (read.kind !== 'lapsed') return read
  const refused = writeNamed(operation)?.proof.refused ?? {}
  const last = attempts.findLast((attempt) => isOpen(attempt) || attempt.outcome === 'refused')
  const isByStatus = last?.outcome === 'refused' && (last.statusCode ?? null) === null
  const isAgreed = isByStatus && refused[last.message ?? '']?.deniesAll === true
  return isAgreed ? { ...read, kind: 'over' } : read
}

/** What this journal knows that contradicts a read, in words; null for nothing. An answer outweighs a later read. */
async function contradictionOf(
  desk: Desk,
  intent: Intent,
  attempts: readonly Attempt[],
  read: Evidence,
): Promise<string | null> {
  const { evidence, about, proof } = writeNamed(intent.operation) ?? {}
  if (intent.answeredSum !== null || !evidence || !about) return intent.answeredSum
  const { refusals } = evidence
  const status = 'status' in read ? (read.status ?? null) : null
  const isPaid = status !== null && evidence.by.statuses?.(status)?.end === 'paid'
  const isDoneBefore = ({ statusCode, message }: Attempt) =>
    statusCode === null ? proof?.doneBefore.includes(message ?? '') : statusCode === alreadyPaid && !isPaid
  const isOfState = (attempt: Attempt) =>
    attempt.statusCode === null ? isDoneBefore(attempt) : refusals?.codes.includes(attempt.statusCode)
  const inWords = (attempt: Attempt | undefined) =>
    attempt ? `it was answered ${attempt.statusCode ?? attempt.message}` : null
  const open = attempts.filter(isOpen)
  if (read.kind === 'executed') {
    // Each attempt was refused for the state, and none was lost: the work that is shown may be that of another client.
    const isAnother = refusals?.means === 'conflict' && open.every(isOfState)
    const isDenied = (attempt: Attempt) => attempt.statusCode !== null && isDoneBefore(attempt) && !intent.isTaken
    const denied = isAnother ? open[0] : attempts.find(isDenied)
    return findContradiction(intent, read.status) ?? inWords(denied) ?? describePayment(desk, intent)
  }
  const writes = await writesTo(desk, about, idAtService(intent))
  const before =
    (read.kind === 'over' ? describeOpenPayment(intent, writes) : null) ??
    contradictionFromJournal(intent, attempts, writes, evidence, read)
  if (before !== null) return before
  const hasNoTrace = read.kind === 'no-trace' || read.kind === 'absent'
  const isDenied = (attempt: Attempt) =>
    hasNoTrace &&
    isOfState(attempt) &&
    attempt.statusCode !== null &&
    !(read.kind === 'absent' && isUnknownObject(evidence.by, attempt))
  // A write that the service recognises when it comes again is asked once more instead.
  const isRecognised = read.kind === 'no-trace' && Boolean(proof?.doneBefore.length)
  const denied = refusals?.means === 'done' || isRecognised ? undefined : open.find(isDenied)
  return inWords(attempts.find((attempt) => isDoneBefore(attempt) && !intent.isTaken) ?? denied)
}

/** What this journal knows, and a read without a trace denies, in words. */
function contradictionFromJournal(
  intent: Intent,
  attempts: readonly Attempt[],
  writes: readonly Intent[],
  { by, tried }: EvidenceRead,
  read: Evidence,
): string | null {
  const { kind } = read
  const status = 'status' in read ? read.status : undefined
  const hasNoTrace = kind === 'no-trace' || kind === 'lapsed'
  const isDenied = (known: string | null) =>
    known !== null &&
    (kind === 'absent' ||
      (status !== undefined && isOlderThan(by, status, known)) ||
      (hasNoTrace && (isTrace(intent.operation, known) || tried.includes(known))))
  const left = attempts.find(({ known }) => isDenied(known))
  if (left) return `it read ${left.known} before it left`
  if (intent.state !== 'unknown') return null
  const contradiction = status === undefined ? null : findContradiction(intent, status)
  if (contradiction !== null) return contradiction
  if (isDenied(intent.status)) return `it read ${intent.status} before`
  const others = writes.filter(({ journalId }) => journalId !== intent.journalId)
  const shown = others.find((other) => isDenied(other.status))
  if (shown) return `its ${shown.operation} (${shown.journalId}) read ${shown.status} before`
  const taken = others.find(
    (other) => isExecuted(other) && (kind === 'absent' || (hasNoTrace && other.operation === intent.operation)),
  )
  if (taken) return `this journal has its ${taken.operation} (${taken.journalId})`
  const moved = kind === 'over' && isCreation(intent.operation) ? findOtherMove(writes, intent) : null
  return moved && `its ${moved.operation} (${moved.journalId}) may have moved money`
}

/**
 * An unknown payment of a thing that is to be cancelled or deleted, in words: "cannot be cancelled" would read as
 * "nothing moved". `writes`: everything about the thing.
 */
export function describeOpenPayment(intent: Intent, writes: readonly Intent[]): string | null {
  if (writeNamed(intent.operation)?.evidence?.refusals?.means !== 'done') return null
  const open = findOpen(writes.filter((write) => write.journalId !== intent.journalId && write.amountMinor !== null))
  return open && `it is unknown whether its ${open.operation} (${open.journalId}) was executed`
}

/**
 * The verdict of "already done", answered behind an attempt whose answer was lost: that one's work if a read shows it,
 * with this sum.
 */
export async function confirmDuplicate(
  desk: Desk,
  intent: Intent,
  duplicate: Extract<Verdict, { kind: 'duplicate' }>,
  number: number,
): Promise<Verdict> {
  const { words } = duplicate
  try {
    const evidence = await evidenceOf(desk, intent, desk.clock.now() + timeForRead, number)
    if (evidence.kind === 'executed') return { ...duplicate, sumConfirmed: evidence.sumConfirmed }
    const shown = 'because' in evidence ? evidence.because : 'nothing shows who requested it'
    return { kind: 'unknown', why: `${words.message}, and ${shown}`, words }
  } catch (error) {
    if (!desk.signal.aborted) throw error
    return { kind: 'unknown', why: `${words.message}, and whose it was is not read yet`, words }
  }
}

type Refused = Extract<Verdict, { kind: 'refused' }>

/** What is known before a refusal. */
interface Before {
  /** An attempt before this one has no definite answer. */
  readonly isRepeat: boolean
  /** The status in which the thing was read before this attempt left; null where it was not. */
  readonly known: string | null
}

/**
 * A refusal that speaks of the object's state, with one read of the object: it may be the second answer to a request
 * that was sent twice and executed once (money-safety.md#the-one-rule-for-answers).
 */
export async function confirmRefusal(desk: Desk, intent: Intent, refused: Refused, before: Before): Promise<Verdict> {
  const { about, evidence, proof } = writeNamed(intent.operation) ?? {}
  const { words } = refused
  const { statusCode } = words
  const refusals = evidence?.refusals
  if (!about || !evidence || !refusals) return refused
  const unknown = (why: string): Verdict => ({
    kind: 'unknown',
    why: `the service refuses (${statusCode ?? `"${words.message}"`}), ${why}`,
    words,
  })
  // As they were before the read.
  const writes = await writesTo(desk, about, idAtService(intent))
  const isInWords = statusCode === null && proof?.refusedInWords != null && words.http !== null
  if (!isInWords && !(statusCode !== null && refusals.codes.includes(statusCode))) {
    // Any refusal of a refund may be the second answer: what the read shows is noted, and counts.
    if (refusals.means === 'open') await readState(desk, evidence, intent)
    const open = describeOpenPayment(intent, writes)
    return open === null ? refused : unknown(`and ${open}`)
  }
  const open = describeOpenPayment(intent, writes)
  const read = await readState(desk, evidence, intent)
  const { status } = read
  if (status === 'absent') {
    const isMade = (write: Intent) => write.status !== null || isExecuted(write)
    const made = writes.find((write) => write.journalId !== intent.journalId && isMade(write))
    const isAgreed = isUnknownObject(evidence.by, words)
    if (made && !isAgreed) {
      return unknown(`and does not know it, but this journal has its ${made.operation} (${made.journalId})`)
    }
    if (statusCode === alreadyPaid) return unknown('and does not know it')
    return open === null ? refused : unknown(`and ${open}`)
  }
  if (status === null) return unknown(`and ${evidence.by.name} cannot be read`)
  const because = `${evidence.by.name} reads ${status}`
  const isPaid = (each: string) => evidence.by.statuses?.(each)?.end === 'paid'
  // A write that was taken may show late: its status says nothing against this one.
  const late = writes.filter((write) => showsLate(write, status)).map((write) => write.status)
  const known = [before.known, ...writes.map((write) => write.status)].filter((each) => !late.includes(each))
  const newer = known.find(
    (each) => each !== null && (isOlderThan(evidence.by, status, each) || (isPaid(each) && !isPaid(status))),
  )
  if (newer) return unknown(`and ${because}, which is older than ${newer}, in which it was before`)
  if (refusals.shows(status))
    return await refusalBesideEffect(desk, intent, refused, refusals, before, { status, because, writes })
  if (statusCode === alreadyPaid && !isPaid(status)) return unknown(`but ${because}`)
  const isPossible = refusals.possibleIn.includes(status)
  const isOfSum = statusCode !== null && statusCode === refusals.ofSum?.code
  if (isOfSum && mayBeLeft(refusals.ofSum, status, intent, read, writes)) {
    return unknown(`but ${because}, in which all of that sum may be left`)
  }
  // A status that proves nothing of the write agrees with no refusal, either.
  const isContradicted =
    statusCode === refusals.ofStatus || evidence.shows(status) === 'unclear' || isUnknownObject(evidence.by, words)
  if (isPossible && isContradicted && !isOfSum && !isInWords) return unknown(`but ${because}, in which it is possible`)
  return open === null ? { ...refused, seen: isPossible ? null : status } : unknown(`and ${open}`)
}

async function refusalBesideEffect(
  desk: Desk,
  intent: Intent,
  refused: Refused,
  refusals: StateRefusals,
  { isRepeat, known }: Before,
  { status, because, writes }: Readonly<{ status: string; because: string; writes: readonly Intent[] }>,
): Promise<Verdict> {
  const { words } = refused
  switch (refusals.means) {
    case 'done': {
      const paid = await describePayment(desk, intent)
      if (paid !== null) return { kind: 'unknown', why: `${because}, and ${paid}`, words }
      return { kind: 'duplicate', words, shown: { status, because, isDone: true } }
    }
    case 'conflict':
      // The outcome of an earlier attempt is told by the evidence of its own read.
      return isRepeat ? refused : { kind: 'duplicate', words, shown: { status, because, isDone: false } }
    case 'open': {
      const isOfSum = words.statusCode !== null && words.statusCode === refusals.ofSum?.code
      const wasSo = known === status && refusals.possibleIn.includes(status)
      if (isOfSum && wasSo && (await isExplained(desk, intent, writes))) return { ...refused, seen: null }
      const how = words.statusCode ?? `"${words.message}"`
      return { kind: 'unknown', why: `the service refuses (${how}), but ${because}`, words }
    }
  }
}

/** True for a write that was taken, and after which its thing may still be read in this status for a while. */
const showsLate = (write: Intent, status: string): boolean =>
  isExecuted(write) && (writeNamed(write.operation)?.evidence?.late.includes(status) ?? false)

/** True if earlier refunds of this journal left less than this one asks for: then the status is their work. */
async function isExplained({ journal }: Desk, intent: Intent, writes: readonly Intent[]): Promise<boolean> {
  const others = writes.filter(({ journalId }) => journalId !== intent.journalId)
  const refundable = await refundableOf(journal, others)
  return refundable.refunded > 0n && (refundable.left === null || isTooMuch(refundable, requestIn(intent.body).amount))
}

/** True if all of the sum may be left, by the amount that a read shows or that the thing was made for. */
function mayBeLeft(
  { whole, all }: TooMuch,
  status: string,
  { body }: Intent,
  { answer }: StateRead,
  writes: readonly Intent[],
): boolean {
  if (!whole.includes(status)) return false
  const created = writes.find(({ operation }) => isCreation(operation))
  const sums = [requestIn(body).amount, answer?.amount, created && all(requestIn(created.body))]
  const [asked, shown, made] = sums.map((sum) => minorUnits(plainDecimal(String(sum)) ?? ''))
  // An amount of 0 shows none.
  const left = shown || made
  return asked != null && (left ? asked <= left : created !== undefined)
}
