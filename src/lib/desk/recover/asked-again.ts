/**
 * A change that the journal holds as done and that is asked for again. Its receipt is true of the moment in which it was
 * written; what the thing is now, a read tells. Nothing is sent again.
 */
import { writeNamed } from '../../contract/operations.ts'
import { Failure, type FailureFacts } from '../../failure.ts'
import { hint, paste } from '../../hint.ts'
import { factsOf, type Intent } from '../../journal/intent.ts'
import type { Desk } from '../desk.ts'
import { type Evidence, evidenceOf } from '../evidence.ts'
import type { Submitted } from '../submit.ts'

const unshown = 'this is the receipt of an earlier run: no read of the service shows whether it still holds'

/** The receipt, if it still holds. Throws a Failure for anything else: see `contradiction`. */
export async function askedAgain(desk: Desk, submitted: Submitted): Promise<Submitted> {
  const { intent } = submitted
  const how = writeNamed(intent.operation)?.proof.askedAgain
  if (!submitted.replayed || intent.state === 'refused' || how === undefined || how === 'receipt') return submitted
  const evidence = await evidenceOf(desk, intent, desk.clock.now() + desk.settings.timeout)
  if (evidence.kind === 'executed') return submitted
  if (evidence.kind === 'none') return { ...submitted, warnings: [...submitted.warnings, unshown] }
  throw contradiction(intent, evidence)
}

/**
 * Refused (5) where the thing has ended otherwise, not-found (6) where the service does not know it, unsent (11) and
 * credentials (4) where it could not be asked, else unknown (9).
 */
function contradiction(intent: Intent, evidence: Exclude<Evidence, { kind: 'executed' | 'none' }>): Failure {
  const { because } = evidence
  const facts = {
    ...factsOf(intent),
    ...nowOf(intent, evidence),
    hints: [hint`See \`${paste('journal show', intent.journalId)}\`.`],
  }
  const told = `the service had said that it did this (${intent.journalId}), but now ${because}`
  switch (evidence.kind) {
    case 'over':
      return new Failure('refused', told, { ...facts, retry: 'never' })
    case 'absent':
      return new Failure('not-found', told, { ...facts, retry: 'never' })
    case 'unreadable':
      return unread(intent, evidence.failure ?? null, because, facts)
    default:
      return new Failure('unknown', `${told}; nothing was sent now`, {
        ...facts,
        retry: 'never',
        hints: [hint`Ask the service which of the two it is.`, ...facts.hints],
      })
  }
}

/** The state of the thing now. An order that was paid in spite of its end has moved money. */
function nowOf({ operation }: Intent, evidence: Evidence): Pick<FailureFacts, 'status' | 'moneyMoved'> {
  const status = 'status' in evidence ? (evidence.status ?? null) : null
  if (evidence.kind !== 'over' || status === null) return { status, moneyMoved: 'unknown' }
  const read = writeNamed(operation)?.evidence?.by.statuses
  return { status, moneyMoved: read?.(status)?.money === 'no' ? 'no' : 'yes' }
}

function unread({ journalId }: Intent, failure: Failure | null, because: string, facts: FailureFacts): Failure {
  const kind = failure?.kind === 'unsent' || failure?.kind === 'credentials' ? failure.kind : 'unknown'
  const told = `the journal holds it as done (${journalId}), and whether it still is could not be read: ${because}`
  return new Failure(kind, told, { ...failure?.facts, ...facts, retry: 'same-id' })
}
