/**
 * A write that the service took, and whose payment has ended unpaid: declined, rejected, expired. The journal keeps it as taken,
 * because its id is used up; the command is refused (5).
 */
import type { Subject, WriteOperation } from '../../contract/operation.ts'
import { Failure } from '../../failure.ts'
import { hint, hintInWords, paste } from '../../hint.ts'
import { factsOf, type Intent, idAtService } from '../../journal/intent.ts'
import { otherSum } from '../../journal/objection.ts'
import { unpaidEnd } from '../../journal/payment-end.ts'
import type { Desk } from '../desk.ts'
import { anotherId } from '../new-id.ts'
import { certainClock } from '../recover/age.ts'
import { movedBesides, writesTo } from '../recover/at-stake.ts'

/** A write that a command has taken to its end. */
interface Taken {
  readonly intent: Intent
  readonly replayed: boolean
  readonly warnings: readonly string[]
}

/** The same, unless its payment has ended unpaid. Throws a Failure: refused (5) if it has. */
export async function notEndedUnpaid<As extends Taken>(
  desk: Pick<Desk, 'journal' | 'profile'>,
  operation: WriteOperation,
  taken: As,
): Promise<As> {
  const { intent, replayed, warnings } = taken
  // Another process may have read another sum, while this one was told that it was taken.
  if (intent.otherSum !== null) throw otherSum(intent, intent.otherSum)
  const doubt = intent.disputed ?? intent.answeredSum
  if (doubt !== null) throw contradicted(intent, operation.about, doubt, warnings)
  const mayHaveEnded = unpaidEnd(intent, Number.POSITIVE_INFINITY) !== null
  const facts = mayHaveEnded ? unpaidEnd(intent, (await certainClock(desk.journal, intent))()) : null
  if (facts === null) {
    // Its receipt ends in a head: another process may have recorded it since this one looked.
    if (replayed) await desk.journal.headNow().catch(() => null)
    return taken
  }
  const { status, statusDescription, journalId } = intent
  const moved = movedBesides(await writesTo(desk, operation.about, idAtService(intent)), intent)
  if (moved) throw contradicted(moved, operation.about, endedAndMoved(`${status}`, facts.means, moved), warnings)
  const isNews = statusDescription && !facts.means.toLowerCase().includes(statusDescription.toLowerCase())
  const words = isNews ? `: ${statusDescription}` : ''
  const again = replayed ? `; told from the journal (${journalId}), nothing was sent now` : ''
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
