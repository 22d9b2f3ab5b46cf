/**
 * Resolves a write whose answer was lost by evidence, without sending anything. A read that shows no trace counts only
 * once the request is certainly on its way no more: by its age.
 */
import { absentAfter, walletDeadlineMargin, walletLifetime } from '../contract/assumed.ts'
import type { WriteOperation } from '../contract/operation.ts'
import type { Failure } from '../failure.ts'
import { blank, hint, paste } from '../hint.ts'
import { conflict, otherSum } from '../journal/duplicates.ts'
import { type Attempt, type Intent, idAtService, intentFailure } from '../journal/intent.ts'
import type { Journal } from '../journal/journal.ts'
import {
  isOfThisMachine,
  isOfThisStart,
  type Moment,
  maxElapsed,
  minElapsed,
  type StoredMoment,
} from '../journal/moment.ts'
import { requestIn } from '../journal/payment-end.ts'
import { isOpen } from '../journal/verdict.ts'
import type { Desk } from './desk.ts'
import { describeOpenPayment, type Evidence, evidenceOf } from './evidence.ts'
import { writesTo } from './writes.ts'

// --- The age of a write

interface Age {
  /** Since its last attempt was sent, by the clock of the journal. */
  readonly sent: number
  /** Since this machine has known of it, by a time that no setting of a clock moves; null where nothing tells that. */
  readonly known: number | null
}

export const startOf = ({ startedAt, startedSteady }: Attempt): StoredMoment => ({
  iso: startedAt,
  steady: startedSteady,
})

/** Milliseconds from the start of an attempt to its end: it may have been sent as late as that. */
function lasted({ startedAt, endedAt }: Attempt): number {
  return endedAt === null ? 0 : Math.max(0, Date.parse(endedAt) - Date.parse(startedAt))
}

/** `asked`: the moment of the question to the service. */
async function ageOf(journal: Journal, intent: Intent, asked: Moment): Promise<Age> {
  const attempts = await journal.attempts(intent)
  const { knownFor } = await journal.ask(async (_, { leaseHolder }) => leaseHolder)
  const sent = Math.min(...attempts.map((each) => minElapsed(startOf(each), asked) - lasted(each)))
  const last = attempts.at(-1)
  if (!knownFor) {
    const isFromHere = attempts.filter(isOpen).every((each) => isOfThisMachine(startOf(each), asked))
    return { sent, known: isFromHere ? sent : null }
  }
  if (!last || isOfThisStart(startOf(last), asked)) return { sent, known: sent }
  return { sent, known: (await knownFor({ journalId: intent.journalId, number: last.number })) ?? sent }
}

/** The time that it certainly is: within one start of the machine a clock that was set ahead gains none. */
function certainTime(starts: readonly StoredMoment[], present: Moment): number {
  const here = starts.filter((start) => isOfThisStart(start, present))
  return Math.min(present.now, ...here.map((start) => Date.parse(start.iso) + minElapsed(start, present)))
}

/** A clock for what ends by itself some time after it was sent; setting the clock ahead does not move it. */
export async function certainClock(journal: Journal, intent: Intent): Promise<() => number> {
  const starts = (await journal.attempts(intent)).map(startOf)
  return () => certainTime(starts, journal.moment)
}

// --- Resolving

/**
 * Closes an intent by evidence: the closed intent if it ran, null if that decides nothing. Throws refused (5) if it did
 * not run, duplicate (7) where an attempt met a conflict. `held`: this run has it in flight.
 */
export async function closeBy(desk: Desk, intent: Intent, evidence: Evidence, held: boolean): Promise<Intent | null> {
  if (evidence.kind !== 'executed' && evidence.kind !== 'over') return null
  const { status, because } = evidence
  if (evidence.kind === 'executed' && !intent.isTaken) {
    const seen = { transactionId: null, status, statusDescription: null, createdAt: null, answer: null }
    return desk.journal.close(intent, 'exists', because, { seen, held, sumConfirmed: evidence.sumConfirmed })
  }
  const closed = await desk.journal.close(intent, 'refused', because, { held, decidedBy: status })
  throw intent.isTaken ? conflict(closed) : notExecuted(closed, because)
}

function notExecuted(intent: Intent, because: string): Failure {
  const hints = [hint`See \`${paste('journal show', intent.journalId)}\`.`]
  const facts = { moneyMoved: 'no', retry: 'after-fix', hints } as const
  return intentFailure('refused', `it was not executed: ${because}`, intent, facts)
}

function stillUnknown(intent: Intent, why: string): Failure {
  return intentFailure('unknown', `its outcome is still unknown: ${why}`, intent, {
    hints: [
      hint`Try again later: \`${paste('resume', intent.journalId)}\`. If you know how it ended: \`${paste('resume', intent.journalId, '--settle', blank('executed|refused'), '--because', blank('"…"'))}\`.`,
    ],
  })
}

/** True if it may be sent once more where the service shows no trace of it. */
async function mayBeSent(desk: Desk, operation: WriteOperation, intent: Intent): Promise<boolean> {
  if (desk.journal.mayWake(intent)) return false
  const { unanswered } = operation.retryPolicy(requestIn(intent.body))
  if (unanswered !== 'once') return unanswered === 'look-first'
  // The time of the order counts from its creation, where this journal knows of it. A clock that was set back lengthens it not.
  const writes = await writesTo(desk, operation.about, idAtService(intent))
  const passed = await Promise.all([intent, ...writes].map((each) => openFor(desk, each)))
  return Math.max(...passed) < (walletLifetime - walletDeadlineMargin) * 1000
}

/** Milliseconds that may have passed since an intent was opened. */
async function openFor({ journal }: Desk, intent: Intent): Promise<number> {
  const attempts = await journal.attempts(intent)
  const since = attempts.filter(({ startedAt }) => startedAt >= intent.openedAt)
  const { moment } = journal
  const passed = since.map((attempt) => maxElapsed(startOf(attempt), moment))
  return Math.max(moment.now - Date.parse(intent.openedAt), ...passed)
}

/**
 * Resolves an open intent without sending: the intent if it was executed, null if it may be sent once more under its
 * id. Throws refused (5) if it was not executed, unknown (9) if that cannot be told.
 */
export async function resolveOpen(
  desk: Desk,
  operation: WriteOperation,
  intent: Intent,
  deadline: number,
): Promise<Intent | null> {
  if (intent.otherSum !== null) throw otherSum(intent, intent.otherSum)
  if (operation.retryPolicy(requestIn(intent.body)).unanswered === 'repeat') {
    // A known id would not say which of the two sums was executed.
    if (intent.answeredSum === null) return null
    throw stillUnknown(intent, intent.answeredSum)
  }
  const asked = desk.journal.moment
  const evidence = await evidenceOf(desk, intent, deadline)
  const closed = await closeBy(desk, intent, evidence, false)
  if (closed) return closed
  const { kind } = evidence
  const maySend = await mayBeSent(desk, operation, intent)
  if (maySend && (kind === 'none' || kind === 'no-trace')) return null
  if (kind === 'none') throw stillUnknown(intent, 'the service cannot be asked for it')
  if (kind === 'no-trace' || kind === 'lapsed' || kind === 'absent')
    return expectNoMore(desk, intent, evidence, asked, operation)
  throw stillUnknown(intent, evidence.because)
}

/** A request that left no trace for so long is on its way no more (assumed). `asked`: the moment of the question. */
async function expectNoMore(
  desk: Desk,
  intent: Intent,
  { kind, because, ...shown }: Extract<Evidence, { kind: 'no-trace' | 'lapsed' | 'absent' }>,
  asked: Moment,
  { about }: WriteOperation,
): Promise<never> {
  const { sent, known } = await ageOf(desk.journal, intent, asked)
  const minutes = Math.round(absentAfter / 60)
  if (sent < absentAfter * 1000) {
    const why =
      kind === 'lapsed'
        ? ', as a copy of the service does that has not heard of the request'
        : ' yet, and the request may be on its way'
    throw stillUnknown(intent, `${because}${why}; ${minutes} minutes after it was sent this counts as "not executed"`)
  }
  if (known === null) {
    throw stillUnknown(intent, `${because}, but another machine has sent it, and its clock tells nothing here`)
  }
  if (known < absentAfter * 1000) {
    throw stillUnknown(
      intent,
      `${because}, but another machine has sent it, and the clock of the store may have been set; ${minutes} minutes after the first question from here this counts as "not executed"`,
    )
  }
  const open = describeOpenPayment(intent, await writesTo(desk, about, idAtService(intent)))
  if (open !== null) throw stillUnknown(intent, `${because}, and ${open}`)
  const why = `${because}, ${minutes} minutes after it was sent`
  const decidedBy = 'status' in shown ? shown.status : null
  const closed = await desk.journal.close(intent, 'refused', why, { decidedBy })
  throw closed.isTaken ? conflict(closed) : notExecuted(closed, why)
}
