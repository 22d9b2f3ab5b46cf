/** A write that the service took, and whose thing has ended unpaid: declined, rejected, expired. The journal keeps it as taken, because its id is used up; the command is refused (5). An end is read once more before it is told: a copy that lags behind may have shown it. */

import { differenceIn } from '../contract/answer.ts'
import type { Members } from '../contract/core/members.ts'
import type { Subject, WriteOperation } from '../contract/operation.ts'
import { writeNamed } from '../contract/operations.ts'
import type { StatusFacts } from '../contract/status.ts'
import { Failure } from '../failure.ts'
import { hint, hintInWords, paste } from '../hint.ts'
import { otherSum } from '../journal/duplicates.ts'
import { withCurrency } from '../journal/entry.ts'
import { factsOf, type Intent, idAtService, isInConflict } from '../journal/intent.ts'
import { isCreation, unpaidEnd } from '../journal/payment-end.ts'
import { isRecord, readJson } from '../json.ts'
import type { Desk } from './desk.ts'
import { anotherId } from './draft.ts'
import { look, showsAmount } from './evidence.ts'
import { certainClock } from './resolve.ts'
import { findNow, findOtherMove, resolveIt, writesTo } from './thing.ts'

/** A write that a command has taken to its end. */
interface Taken {
  readonly intent: Intent
  readonly replayed: boolean
  readonly warnings: readonly string[]
}

/**
 * The same, unless its payment has ended unpaid. An end that comes by time is not told from the journal alone: what was read of it
 * before may be older, and is read anew. Throws a Failure: refused (5) if it has ended, unknown (9) if that cannot be read or noted,
 * duplicate (7) where another sum is shown.
 */
export async function refuseIfEnded<As extends Taken>(desk: Desk, operation: WriteOperation, taken: As): Promise<As> {
  const known =
    taken.replayed && (await mayHaveLapsed(desk, taken.intent)) ? await asRead(desk, operation, taken) : taken
  return judge(desk, operation, known, known !== taken)
}

/** True if the payment, or the thing that is to be paid later, has ended unpaid by the last status that was read, and by the time that has passed since. */
export async function mayHaveLapsed(desk: Pick<Desk, 'journal'>, intent: Intent): Promise<boolean> {
  if (isInConflict(intent)) return false
  const facts = await endOf(desk, intent)
  return facts === null ? isLapsedCreation(intent) : facts.isByTime === true || unpaidEnd(intent) === null
}

/** The same of a creation that makes no payment of its own. */
function isLapsedCreation({ operation, status }: Intent): boolean {
  const { evidence, payment } = writeNamed(operation) ?? {}
  if (payment || status === null || !isCreation(operation)) return false
  return evidence?.by.statuses?.(status)?.isByTime === true
}

async function endOf({ journal }: Pick<Desk, 'journal'>, intent: Intent): Promise<StatusFacts | null> {
  if (unpaidEnd(intent, Number.POSITIVE_INFINITY) === null) return null
  return unpaidEnd(intent, (await certainClock(journal, intent))())
}

/** As the service shows it now. */
async function asRead<As extends Taken>(desk: Desk, operation: WriteOperation, taken: As): Promise<As> {
  const { intent, unread } = await readAnew(desk, operation, taken.intent)
  if (unread === null) return { ...taken, intent }
  // The service itself says of this one that its time is over.
  if (unpaidEnd(intent) !== null) return taken
  throw unread
}

/** Throws a Failure: refused (5) if its payment has ended unpaid as the journal has it. */
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
  if (doubt !== null) throw doubtFailure(intent, operation.about, doubt, warnings)
  const facts = await endOf(desk, intent)
  if (facts === null) {
    // Its receipt ends in a head: another process may have recorded it since this one looked.
    if (replayed) await desk.journal.headNow().catch(() => null)
    return taken
  }
  const { status, statusDescription, journalId } = intent
  const writes = await writesTo(desk, operation.about, idAtService(intent))
  const moved = findOtherMove(writes, intent)
  if (moved) throw doubtFailure(moved, operation.about, describeEndAndMove(`${status}`, facts.means, moved), warnings)
  const isNews = statusDescription && !facts.means.toLowerCase().includes(statusDescription.toLowerCase())
  const words = isNews ? `: ${statusDescription}` : ''
  const source = isRead ? 'sent before' : 'from the journal'
  const again = replayed ? `; ${source} (${journalId}), nothing was sent now` : ''
  throw new Failure(
    facts.exit ?? 'refused',
    `the ${operation.about} ended in ${status} (${facts.means})${words}${again}`,
    {
      ...factsOf(intent),
      moneyMoved: facts.money,
      retry: 'after-fix',
      warnings,
      hints: [hint`The service has this id. A new ${operation.about} needs ${anotherId(intent, operation)}.`],
    },
  )
}

/** The end of a thing, and a write about it that denies that no money moved, in words. */
export function describeEndAndMove(status: string, means: string, { operation, journalId }: Intent): string {
  return `it ended in ${status} (${means}), and its ${operation} (${journalId}) may have moved money`
}

/** The warning of a read about a payment of which two ends were told, that was answered with another sum, or met a conflict; none where nothing contradicts. */
export function doubts(
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

/** It was taken as paid, and a read says otherwise: which of the two holds only the service can say. */
export function doubtFailure(intent: Intent, about: Subject, words: string, warnings: readonly string[] = []): Failure {
  return new Failure('unknown', `the answers about the ${about} contradict each other: ${words}`, {
    ...factsOf(intent),
    moneyMoved: 'unknown',
    retry: 'same-id',
    warnings,
    hints: [
      hint`Do not pay it again before the service has said which is true. See both: \`${paste('journal show', intent.journalId)}\`.`,
    ],
  })
}

// --- Read anew

/** The write as it is known behind the read; `unread`: the failure (9) to tell where nothing could be read. */
interface ReadAnew {
  readonly intent: Intent
  readonly unread: Failure | null
}

/**
 * Any status that is shown counts, one that is not known among them. Throws a Failure: duplicate (7) where another sum is shown,
 * unknown (9) where the journal could not note the status, interrupted.
 */
export async function readAnew(desk: Desk, { about, evidence }: WriteOperation, intent: Intent): Promise<ReadAnew> {
  const { answer, isUnnoted, failure } = evidence ? await look(desk, evidence, intent) : {}
  if (answer && typeof answer.status === 'string') {
    const now = isUnnoted ? null : await findNow(desk, about, intent).catch(() => null)
    const compared = await compareSum(desk, now ?? intent, answer)
    if (now === null) throw notNoted(about, intent, answer.status)
    return { intent: compared ?? now, unread: null }
  }
  if (desk.signal.aborted) throw stopped(about, intent)
  return { intent, unread: cannotBeRead(about, intent, failure?.message ?? 'it shows no status of it') }
}

/** It was read, and nothing of the journal may be told of it. */
export function notNoted(about: Subject, intent: Intent, status: string): Failure {
  const before = intent.status === null ? '' : `was ${intent.status} when it was last read, and `
  const told = `the ${about} ${before}is ${status} now, but the journal could not store that`
  return new Failure('unknown', told, {
    ...factsOf(intent),
    status,
    moneyMoved: 'unknown',
    retry: 'same-id',
    hints: [
      hint`Free the disk, or wait until no other program uses the journal, then run it again. Do not create it again.`,
    ],
  })
}

function cannotBeRead(about: Subject, intent: Intent, why: string): Failure {
  return new Failure(
    'unknown',
    `the ${about} was ${intent.status} when it was last read, and cannot be read now: ${why}`,
    {
      ...factsOf(intent),
      moneyMoved: 'unknown',
      retry: 'same-id',
      hints: [hint`It may have been paid since: read it before you create it again.`],
    },
  )
}

function stopped(about: Subject, intent: Intent): Failure {
  const told = `stopped while the ${about} was read anew; it was ${intent.status} when it was last read`
  return new Failure('interrupted', told, { ...factsOf(intent), moneyMoved: 'unknown', retry: 'same-id' })
}

// --- The sum that a read shows, held against the write that it is about

/**
 * Gives the write as the journal has it then. Throws a Failure where the read shows another sum: duplicate (7) for a write that was
 * accepted, and the journal remembers it; unknown (9) for one whose answer was lost.
 */
export async function compareSum(desk: Desk, intent: Intent | null, answer: Members): Promise<Intent | null> {
  const evidence = intent && writeNamed(intent.operation)?.evidence
  const request = intent && readJson(intent.body)
  if (!intent || !evidence || !isRecord(request)) return intent
  const [{ currency } = intent] = await withCurrency(desk.journal, [intent])
  const asked = evidence.sum({ ...(currency === null ? {} : { currency }), ...request })
  const differs = differenceIn(answer, asked)
  if (intent.state === 'unknown' && differs !== null) throw openAndAnother(intent, differs)
  if (intent.state !== 'accepted' && intent.state !== 'exists') return intent
  const isThis =
    Object.hasOwn(asked, 'amount') && showsAmount(answer) && (evidence.showsSum || intent.otherSum !== null)
  if (differs === null && !isThis) return intent
  const noting = desk.journal.noteSum(intent, differs)
  const noted = await noting.catch(() => desk.tell.say('the journal could not store the amount that was read'))
  if (differs !== null) throw otherSum(intent, differs)
  return noted ?? intent
}

function openAndAnother(intent: Intent, differs: string): Failure {
  const told = `the service shows another amount: ${differs}; it is unknown whether the ${intent.operation} was executed`
  return new Failure('unknown', told, {
    ...factsOf(intent),
    hints: [resolveIt(intent)],
  })
}
