/**
 * A write that the service took, and whose thing has ended unpaid: declined, rejected, expired. The journal keeps it as
 * taken, its id is used up; the command is refused (5). An end is read once more before it is told.
 */
import { differenceIn } from '../contract/answer.ts'
import type { Members } from '../contract/core/members.ts'
import type { Subject, WriteOperation } from '../contract/operation.ts'
import { writeNamed } from '../contract/operations.ts'
import type { StatusFacts } from '../contract/status.ts'
import type { Failure } from '../failure.ts'
import { hint, hintInWords, paste } from '../hint.ts'
import { otherSum } from '../journal/duplicates.ts'
import { requestWithCurrency } from '../journal/entry.ts'
import { type Intent, idAtService, intentFailure, isInConflict } from '../journal/intent.ts'
import { isCreation, unpaidEnd } from '../journal/payment-end.ts'
import { isExecuted } from '../journal/verdict.ts'
import type { Desk } from './desk.ts'
import { readState, showsAmount } from './evidence.ts'
import { anotherId } from './new-intent.ts'
import { certainClock } from './resolve.ts'
import { findNow, findOtherMove, resolveIt, writesTo } from './writes.ts'

interface Taken {
  readonly intent: Intent
  readonly replayed: boolean
  readonly warnings: readonly string[]
}

/**
 * The same, unless its payment has ended unpaid. Throws refused (5) if it has ended, unknown (9) if that cannot be read
 * or noted, duplicate (7) where another sum is shown.
 */
export async function refuseIfEnded<As extends Taken>(desk: Desk, operation: WriteOperation, taken: As): Promise<As> {
  const known =
    taken.replayed && (await mayHaveLapsed(desk, taken.intent)) ? await asRead(desk, operation, taken) : taken
  return judge(desk, operation, known, known !== taken)
}

/** True if the payment, or what is to be paid later, may have ended unpaid by time alone. */
export async function mayHaveLapsed(desk: Pick<Desk, 'journal'>, intent: Intent): Promise<boolean> {
  if (isInConflict(intent)) return false
  const facts = await endOf(desk, intent)
  if (facts !== null) return facts.isByTime === true || unpaidEnd(intent) === null
  // A creation that makes no payment of its own.
  const { operation, status } = intent
  const { evidence, payment } = writeNamed(operation) ?? {}
  if (payment || status === null || !isCreation(operation)) return false
  return evidence?.by.statuses?.(status)?.isByTime === true
}

async function endOf({ journal }: Pick<Desk, 'journal'>, intent: Intent): Promise<StatusFacts | null> {
  if (unpaidEnd(intent, Number.POSITIVE_INFINITY) === null) return null
  return unpaidEnd(intent, (await certainClock(journal, intent))())
}

async function asRead<As extends Taken>(desk: Desk, operation: WriteOperation, taken: As): Promise<As> {
  const { intent, unread } = await readAnew(desk, operation, taken.intent)
  if (unread === null) return { ...taken, intent }
  // The service itself says of this one that its time is over.
  if (unpaidEnd(intent) !== null) return taken
  throw unread
}

/** Throws refused (5) if its payment has ended unpaid as the journal has it. */
export async function judge<As extends Taken>(
  desk: Pick<Desk, 'journal' | 'profile'>,
  operation: WriteOperation,
  taken: As,
  isRead = false,
): Promise<As> {
  const { intent, replayed, warnings } = taken
  // Another process may have read another sum, while this one was told that it was taken.
  if (intent.otherSum !== null) throw otherSum(intent, intent.otherSum)
  const doubt = intent.disputed ?? intent.answeredSum
  if (doubt !== null) throw contradictionFailure(intent, operation.about, doubt, warnings)
  const facts = await endOf(desk, intent)
  if (facts === null) {
    // Its receipt ends in a head: another process may have recorded it since this one looked.
    if (replayed) await desk.journal.headNow().catch(() => null)
    return taken
  }
  const { status, statusDescription, journalId } = intent
  const writes = await writesTo(desk, operation.about, idAtService(intent))
  const moved = findOtherMove(writes, intent)
  if (moved)
    throw contradictionFailure(moved, operation.about, describeEndAndMove(`${status}`, facts.means, moved), warnings)
  const isNews = statusDescription && !facts.means.toLowerCase().includes(statusDescription.toLowerCase())
  const words = isNews ? `: ${statusDescription}` : ''
  const source = isRead ? 'sent before' : 'from the journal'
  const again = replayed ? `; ${source} (${journalId}), nothing was sent now` : ''
  const message = `the ${operation.about} ended in ${status} (${facts.means})${words}${again}`
  throw intentFailure(facts.exit ?? 'refused', message, intent, {
    moneyMoved: facts.money,
    retry: 'after-fix',
    warnings,
    hints: [hint`The service has this id. A new ${operation.about} needs ${anotherId(intent, operation)}.`],
  })
}

export function describeEndAndMove(status: string, means: string, { operation, journalId }: Intent): string {
  return `it ended in ${status} (${means}), and its ${operation} (${journalId}) may have moved money`
}

/** The warning about a payment whose ends or sums contradict each other, or that met a conflict. */
export function contradictionWarnings(
  intent: Pick<Intent, 'disputed' | 'answeredSum' | 'isTaken' | 'because' | 'journalId'>,
): string[] {
  const { disputed, answeredSum, isTaken, because, journalId } = intent
  const doubt =
    disputed ??
    answeredSum ??
    (isTaken ? `the journal holds it as a conflict (${because ?? 'its id is already used'})` : null)
  if (doubt === null) return []
  const show = hintInWords(hint`\`${paste('journal show', journalId)}\``)
  return [`${doubt}; do not pay it again before the service has said which is true (${show})`]
}

/** Taken as paid, and a read says otherwise: only the service can say which holds. */
export function contradictionFailure(
  intent: Intent,
  about: Subject,
  words: string,
  warnings: readonly string[] = [],
): Failure {
  const show = paste('journal show', intent.journalId)
  const hints = [hint`Do not pay it again before the service has said which is true. See both: \`${show}\`.`]
  return intentFailure('unknown', `the answers about the ${about} contradict each other: ${words}`, intent, {
    ...undecided,
    warnings,
    hints,
  })
}

/** Nothing of the journal may be told of it as it stands there. */
const undecided = { moneyMoved: 'unknown', retry: 'same-id' } as const

// --- Read anew

/** `unread`: the failure (9) to tell where nothing could be read. */
interface ReadAnew {
  readonly intent: Intent
  readonly unread: Failure | null
}

/**
 * Any status counts, also an unknown one. Throws duplicate (7) where another sum is shown, unknown (9) where the
 * journal could not note the status, interrupted.
 */
export async function readAnew(desk: Desk, { about, evidence }: WriteOperation, intent: Intent): Promise<ReadAnew> {
  const { answer, isUnnoted, failure } = evidence ? await readState(desk, evidence, intent) : {}
  if (answer && typeof answer.status === 'string') {
    const now = isUnnoted ? null : await findNow(desk, about, intent).catch(() => null)
    const compared = await compareSum(desk, now ?? intent, answer)
    if (now === null) throw statusNotStored(about, intent, answer.status)
    return { intent: compared ?? now, unread: null }
  }
  const { status } = intent
  if (desk.signal.aborted) {
    const stopped = `stopped while the ${about} was read again; it was ${status} when it was last read`
    throw intentFailure('interrupted', stopped, intent, undecided)
  }
  const why = failure?.message ?? 'it shows no status of it'
  const message = `the ${about} was ${status} when it was last read, and cannot be read now: ${why}`
  const hints = [hint`It may have been paid since: read it before you create it again.`]
  return { intent, unread: intentFailure('unknown', message, intent, { ...undecided, hints }) }
}

export function statusNotStored(about: Subject, intent: Intent, status: string): Failure {
  const before = intent.status === null ? '' : `was ${intent.status} when it was last read, and `
  const told = `the ${about} ${before}is ${status} now, but the journal could not store that`
  const hints = [
    hint`Free the disk, or wait until no other program uses the journal, then run it again. Do not create it again.`,
  ]
  return intentFailure('unknown', told, intent, { ...undecided, status, hints })
}

// --- The sum that a read shows, held against the write that it is about

/**
 * Compares the sum that a read shows; gives the write as the journal has it then. Throws duplicate (7) for an accepted
 * write with another sum, unknown (9) for one whose answer was lost.
 */
export async function compareSum(desk: Desk, intent: Intent | null, answer: Members): Promise<Intent | null> {
  const evidence = intent && writeNamed(intent.operation)?.evidence
  if (!intent || !evidence) return intent
  const asked = evidence.sum(await requestWithCurrency(desk.journal, intent))
  const differs = differenceIn(answer, asked)
  if (intent.state === 'unknown' && differs !== null) {
    const told = `the service shows another amount: ${differs}; it is unknown whether the ${intent.operation} was executed`
    throw intentFailure('unknown', told, intent, { hints: [resolveIt(intent)] })
  }
  if (!isExecuted(intent)) return intent
  const isThis =
    Object.hasOwn(asked, 'amount') && showsAmount(answer) && (evidence.showsSum || intent.otherSum !== null)
  if (differs === null && !isThis) return intent
  const noting = desk.journal.noteSum(intent, differs)
  const noted = await noting.catch(() => desk.tell.say('the journal could not store the amount that was read'))
  if (differs !== null) throw otherSum(intent, differs)
  return noted ?? intent
}
