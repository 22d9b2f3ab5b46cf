/**
 * A write that the service took, and whose payment has ended unpaid: declined, rejected, expired. The journal keeps it as taken,
 * because its id is used up; the command is refused (5).
 */
import type { Subject, WriteOperation } from '../../contract/operation.ts'
import { writeNamed } from '../../contract/operations.ts'
import type { StatusFacts } from '../../contract/status.ts'
import { Failure } from '../../failure.ts'
import { hint, hintInWords, paste } from '../../hint.ts'
import { otherSum } from '../../journal/duplicates.ts'
import { factsOf, type Intent, idAtService, isInConflict } from '../../journal/intent.ts'
import { isCreation, unpaidEnd } from '../../journal/payment-end.ts'
import type { Desk } from '../desk.ts'
import { anotherId } from '../new-id.ts'
import { readAnew } from '../read-anew.ts'
import { certainClock } from '../recover/age.ts'
import { movedBesides, writesTo } from '../recover/at-stake.ts'

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
export async function notEndedUnpaid<As extends Taken>(desk: Desk, operation: WriteOperation, taken: As): Promise<As> {
  const known =
    taken.replayed && (await mayHaveLapsed(desk, taken.intent)) ? await asRead(desk, operation, taken) : taken
  return judged(desk, operation, known, known !== taken)
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
export async function judged<As extends Taken>(
  desk: Pick<Desk, 'journal' | 'profile'>,
  operation: WriteOperation,
  taken: As,
  isRead = false,
): Promise<As> {
  const { intent, replayed, warnings } = taken
  // Another process may have read another sum, while this one was told that it was taken.
  if (intent.otherSum !== null) throw otherSum(intent, intent.otherSum)
  const doubt = intent.disputed ?? intent.answeredSum
  if (doubt !== null) throw contradicted(intent, operation.about, doubt, warnings)
  const facts = await endOf(desk, intent)
  if (facts === null) {
    // Its receipt ends in a head: another process may have recorded it since this one looked.
    if (replayed) await desk.journal.headNow().catch(() => null)
    return taken
  }
  const { status, statusDescription, journalId } = intent
  const writes = await writesTo(desk, operation.about, idAtService(intent))
  const moved = movedBesides(writes, intent)
  if (moved) throw contradicted(moved, operation.about, endedAndMoved(`${status}`, facts.means, moved), warnings)
  const isNews = statusDescription && !facts.means.toLowerCase().includes(statusDescription.toLowerCase())
  const words = isNews ? `: ${statusDescription}` : ''
  const source = isRead ? 'sent before' : 'told from the journal'
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
export function endedAndMoved(status: string, means: string, { operation, journalId }: Intent): string {
  return `it ended in ${status} (${means}), and its ${operation} (${journalId}) may have moved money`
}

/** The warning of a read about a payment of which two ends were told, that was answered with another sum, or met a conflict; none where nothing contradicts. */
export function doubts(
  intent: Pick<Intent, 'disputed' | 'answeredSum' | 'isTaken' | 'because' | 'journalId'>,
): string[] {
  const { disputed, answeredSum, isTaken, because, journalId } = intent
  const doubt =
    disputed ?? answeredSum ?? (isTaken ? `the journal holds it as a conflict (${because ?? 'its id is taken'})` : null)
  if (doubt === null) return []
  const show = hintInWords(hint`\`${paste('journal show', journalId)}\``)
  return [`${doubt}; never pay it anew before the service has said which holds (${show})`]
}

/** It was taken as paid, and a read says otherwise: which of the two holds only the service can say. */
export function contradicted(intent: Intent, about: Subject, words: string, warnings: readonly string[] = []): Failure {
  return new Failure('unknown', `the ${about} is in doubt: ${words}`, {
    ...factsOf(intent),
    moneyMoved: 'unknown',
    retry: 'same-id',
    warnings,
    hints: [
      hint`Never pay it anew before the service has said which holds. See both: \`${paste('journal show', intent.journalId)}\`.`,
    ],
  })
}
