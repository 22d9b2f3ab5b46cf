/** An answer that the journal could not record. */
import { writeNamed } from '../../contract/operations.ts'
import { Failure, type MoneyMoved } from '../../failure.ts'
import { FailureBeforeSending } from '../../failure-before-sending.ts'
import { type Hint, hint, paste } from '../../hint.ts'
import { factsOf, type Intent } from '../../journal/intent.ts'
import { AnswerInOutbox } from '../../journal/outbox.ts'
import { unpaidEnd } from '../../journal/payment-end.ts'
import type { Verdict } from '../../journal/verdict.ts'
import { refusalInWords } from '../receipt/refusal.ts'

function gotOf(intent: Intent, verdict: Verdict | null): string {
  if (verdict?.kind === 'accepted') {
    const { transactionId } = verdict
    return transactionId ? `the service accepted it as transaction ${transactionId}` : 'the service accepted it'
  }
  const operation = writeNamed(intent.operation)
  const words = verdict && 'words' in verdict ? verdict.words : null
  if (!words || !operation) return 'it may have been executed'
  return `the service answered ${refusalInWords(operation, words)}`
}

/** A failure in words that are true also after something was sent. */
export function whyOf(error: unknown): string {
  if (error instanceof FailureBeforeSending) return error.why
  return error instanceof Error ? error.message : String(error)
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
  return new Failure('unknown', `${gotOf(intent, verdict)}, but the journal could not record that: ${whyOf(error)}`, {
    ...factsOf(intent),
    service: verdict && 'words' in verdict ? verdict.words : null,
    transactionId: accepted?.transactionId ?? null,
    ...(accepted ? { moneyMoved: movedBy({ ...intent, ...accepted, state: 'accepted' }) } : {}),
    hints: [nextAfter(error, intent)],
  })
}

function nextAfter(error: unknown, { journalId }: Intent): Hint {
  if (!(error instanceof AnswerInOutbox)) return hint`Mend the disk, then \`${paste('resume', journalId)}\`.`
  return hint`The answer is kept in ${error.path}; the next command here that reaches the team’s store puts it there: \`${paste('resume', journalId)}\`.`
}
