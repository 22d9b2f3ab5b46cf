/** An answer that the journal could not record. */
import { Failure, type MoneyMoved } from '../../failure.ts'
import { FailureBeforeSending } from '../../failure-before-sending.ts'
import { type Hint, hint, paste } from '../../hint.ts'
import { factsOf, type Intent } from '../../journal/intent.ts'
import { unpaidEnd } from '../../journal/payment-end.ts'
import { AnswerKept } from '../../journal/spool/answer-kept.ts'
import type { Verdict } from '../../journal/verdict.ts'

function gotOf(verdict: Verdict | null): string {
  if (verdict?.kind !== 'accepted') return 'it may have been executed'
  const { transactionId } = verdict
  return transactionId ? `the service accepted it as transaction ${transactionId}` : 'the service accepted it'
}

/** True for the end of an intent that evidence has closed: the journal holds it so. */
export function isToldByEvidence(error: unknown): boolean {
  return error instanceof Failure && (error.kind === 'refused' || error.kind === 'duplicate')
}

/** The movement of its money: none so far where it ended unpaid, or would have if its time were over. */
function movedBy(intent: Intent): MoneyMoved {
  if (unpaidEnd(intent)) return 'no'
  return unpaidEnd(intent, Number.POSITIVE_INFINITY) ? 'unknown' : 'yes'
}

export function notRecorded(error: unknown, intent: Intent, verdict: Verdict | null): Failure {
  const accepted = verdict?.kind === 'accepted' ? verdict : null
  const why = error instanceof FailureBeforeSending ? error.why : error instanceof Error ? error.message : String(error)
  return new Failure('unknown', `${gotOf(verdict)}, but the journal could not record that: ${why}`, {
    ...factsOf(intent),
    transactionId: accepted?.transactionId ?? null,
    ...(accepted ? { moneyMoved: movedBy({ ...intent, ...accepted, state: 'accepted' }) } : {}),
    hints: [nextAfter(error, intent)],
  })
}

function nextAfter(error: unknown, { journalId }: Intent): Hint {
  if (!(error instanceof AnswerKept)) return hint`Mend the disk, then \`${paste('resume', journalId)}\`.`
  return hint`The answer is kept in ${error.path}; the next command here that reaches the team’s store puts it there: \`${paste('resume', journalId)}\`.`
}
