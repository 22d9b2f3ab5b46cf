/**
 * Evidence of a read about a write whose answer was lost (money-safety.md#evidence). A read can prove that a write was
 * executed, or that it never will be. A service that does not know the write *yet* proves nothing: the request may still be
 * on its way.
 */
import { differenceIn } from '../../contract/asked-sum.ts'
import { minorUnits, plainDecimal } from '../../contract/core/decimal.ts'
import { fieldsOf } from '../../contract/core/field.ts'
import type { Members } from '../../contract/core/members.ts'
import type { Shown } from '../../contract/evidence.ts'
import type { EvidenceRead, ReadOperation } from '../../contract/operation.ts'
import { writeNamed, writesAbout } from '../../contract/operations.ts'
import { Failure } from '../../failure.ts'
import { type Attempt, type Intent, idAtService } from '../../journal/intent.ts'
import { withCurrency } from '../../journal/order-currency.ts'
import { contradictionTo, isTrace, paymentEnd } from '../../journal/payment-end.ts'
import { isOpen } from '../../journal/verdict.ts'
import { isRecord, readJson } from '../../json.ts'
import { otherId } from '../answer/acceptance.ts'
import type { Desk } from '../desk.ts'
import { readThing } from '../line/read-thing.ts'
import { isUnknownObject } from '../receipt/refusal.ts'
import { movedBesides, paidInSpite, writesTo } from './at-stake.ts'

export type Evidence =
  /** Executed. `sumConfirmed`: the sum is shown, and it is the one that was sent. */
  | { readonly kind: 'executed'; readonly status: string; readonly because: string; readonly sumConfirmed: boolean }
  /** Not executed, and the status of the thing leaves no way for it. */
  | { readonly kind: 'over'; readonly status: string; readonly because: string }
  /** Executed with another sum: this write, or one of another machine. The meaning of the shown sum is not known. */
  | { readonly kind: 'differs'; readonly status: string; readonly because: string }
  /** No trace: the thing is as it was before, so far. */
  | { readonly kind: 'no-trace'; readonly status: string; readonly because: string }
  /** The service does not know what it is about, at least so far. */
  | { readonly kind: 'absent'; readonly because: string }
  /** Ambiguous: this write or another one may have led to the status. */
  | { readonly kind: 'unclear'; readonly status?: string; readonly because: string }
  /** Not read: `failure` says why, where asking failed. */
  | { readonly kind: 'unreadable'; readonly because: string; readonly failure?: Failure }
  /** Nothing that could be read. */
  | { readonly kind: 'none' }

/** True if an amount is shown: details may show none, or 0 for none (service.md#wallet). */
export function showsAmount({ amount }: Members): boolean {
  return Boolean(minorUnits(plainDecimal(String(amount)) ?? ''))
}

/** The fields of a write that a read asks with. */
export function questionTo(by: ReadOperation, request: Members): Members {
  return Object.fromEntries(fieldsOf(by.request).map(({ name }) => [name, request[name]]))
}

/** True if the service says that it does not know the thing; there are other codes for what it does not find (no card, no plan). */
export function isAbsent(by: ReadOperation, { facts: { service } }: Failure): boolean {
  return service ? isUnknownObject(by, service) : false
}

/** A status of the thing that the write is about, as evidence of the write. */
function evidenceIn(
  { by, shows, showsSum, sum }: EvidenceRead,
  status: string,
  request: Members,
  answer: Members,
): Evidence {
  const kind: Shown = shows(status)
  const because = `${by.name} reads ${status}`
  if (kind !== 'executed') return { kind, status, because }
  const differs = differenceIn(answer, sum(request))
  if (differs !== null) return { kind: 'differs', status, because: `${because}, and ${differs}` }
  return { kind, status, because, sumConfirmed: showsSum && showsAmount(answer) }
}

/** Reads what the service shows of an open write. Throws only when it was interrupted. */
export async function evidenceOf(desk: Desk, intent: Intent, deadline: number): Promise<Evidence> {
  const evidence = await shown(desk, intent, deadline)
  if (!('because' in evidence) || evidence.kind === 'unreadable') return evidence
  const before = await toldBefore(desk, intent, evidence)
  if (before === null) return evidence
  return { ...evidence, kind: 'unclear', because: `${evidence.because}, and ${before}` }
}

/**
 * Facts from answers, which no read to the contrary outweighs: another sum, that it had been done before, or that what is to be
 * cancelled was paid.
 */
async function toldBefore(desk: Desk, intent: Intent, evidence: Evidence): Promise<string | null> {
  if (intent.answeredSum !== null) return intent.answeredSum
  const attempts = await desk.journal.attempts(intent)
  const besides = deniedBy(intent, attempts, evidence)
  if (besides !== null) return `it was answered ${besides}`
  if (evidence.kind === 'executed') {
    const denied = contradictionTo(intent, evidence.status) ?? deniedByCode(intent, attempts)
    return denied ?? (await paidInSpite(desk, intent))
  }
  const seen = intent.state === 'unknown' ? await seenBefore(desk, intent, evidence) : null
  if (seen !== null) return seen
  const { proof, evidence: by } = writeNamed(intent.operation) ?? {}
  const told = attempts.map(({ statusCode, message }) => (statusCode === null ? (message ?? '') : null))
  const status = told.find((message) => message !== null && proof?.doneBefore.includes(message))
  if (status !== undefined) return `it was answered ${status}`
  const notAnyMore = attempts.find((attempt) => isContradictedBy(by, attempt, evidence))
  return notAnyMore ? `it was answered ${notAnyMore.statusCode}` : null
}

/** "Not any more", of which no read could tell why, and later a read that shows no trace: the request may have come twice. */
function isContradictedBy(
  read: EvidenceRead | null | undefined,
  { outcome, statusCode, ...words }: Attempt,
  { kind }: Evidence,
): boolean {
  const refusals = read?.refusals
  if (!read || !refusals || refusals.means === 'done' || outcome !== 'unknown' || statusCode === null) return false
  const isAgreed = kind === 'absent' && isUnknownObject(read.by, { ...words, statusCode })
  return refusals.codes.includes(statusCode) && (kind === 'no-trace' || kind === 'absent') && !isAgreed
}

/**
 * The status that an answer without a definite meaning told, where a read denies it: it shows no trace, or an end without a payment.
 * Null where nothing was told, or the read agrees.
 */
function deniedBy(intent: Intent, attempts: readonly Attempt[], evidence: Evidence): string | null {
  const told = attempts.find((attempt) => attempt.told !== null)?.told ?? null
  if (told === null || evidence.kind !== 'executed') return told
  const isDenied = paymentEnd(intent, told) === 'paid' && paymentEnd(intent, evidence.status) === 'not-paid'
  return isDenied ? told : null
}

/**
 * "Not any more" of a write that is a conflict where another one did it, in words: each of its attempts was answered so, and none was
 * lost, so that what a read shows is not known to be its own. Null where that is not so.
 */
function deniedByCode({ operation }: Intent, attempts: readonly Attempt[]): string | null {
  const refusals = writeNamed(operation)?.evidence?.refusals
  const open = attempts.filter(isOpen)
  const isDenial = ({ statusCode }: Attempt) => statusCode !== null && refusals?.codes.includes(statusCode) === true
  if (refusals?.means !== 'conflict' || open.length === 0 || !open.every(isDenial)) return null
  return `it was answered ${open.at(-1)?.statusCode}`
}

/**
 * Earlier reads, and other writes of this journal about the same thing: a copy that lags behind shows no trace of what was shown
 * before, and what was there once is not unknown to the service.
 */
async function seenBefore(desk: Desk, intent: Intent, read: Evidence): Promise<string | null> {
  const { kind } = read
  const contradiction = 'status' in read && read.status !== undefined ? contradictionTo(intent, read.status) : null
  if (contradiction !== null) return contradiction
  const { evidence, about } = writeNamed(intent.operation) ?? {}
  if (!evidence || !about) return null
  const { status } = intent
  const isDenied = kind === 'no-trace' || kind === 'absent'
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
  if (kind === 'no-trace' && traced) return `its ${traced.operation} (${traced.journalId}) read ${traced.status} before`
  if (kind === 'no-trace' && alike) return `this journal has its ${alike.operation} (${alike.journalId})`
  if (kind === 'absent' && there) return `this journal has its ${there.operation} (${there.journalId})`
  const isCreation = writesAbout(about)[0]?.name === intent.operation
  const moved = kind === 'over' && isCreation ? movedBesides(writes, intent) : null
  return moved && `its ${moved.operation} (${moved.journalId}) may have moved money`
}

async function shown(desk: Desk, intent: Intent, deadline: number): Promise<Evidence> {
  const read = writeNamed(intent.operation)?.evidence
  const request = readJson(intent.body)
  if (!read || !isRecord(request)) return { kind: 'none' }
  const asked = questionTo(read.by, request)
  const [{ currency } = intent] = await withCurrency(desk.journal, [intent])
  try {
    const { answer } = await readThing(desk, read.by, asked, { deadline })
    const other = isRecord(answer) ? otherId(asked, answer) : null
    if (other !== null) return { kind: 'unreadable', because: other }
    if (!isRecord(answer) || typeof answer.status !== 'string') {
      return { kind: 'unreadable', because: `${read.by.name} shows no status` }
    }
    return evidenceIn(read, answer.status, { ...(currency === null ? {} : { currency }), ...request }, answer)
  } catch (error) {
    if (desk.signal.aborted || !(error instanceof Failure)) throw error
    if (!isAbsent(read.by, error)) return { kind: 'unreadable', because: error.message, failure: error }
    // Even what the write is about may still be on its way: its create may have been late, too.
    return { kind: 'absent', because: `${read.by.name} does not know it` }
  }
}
