/**
 * A body that a status of its service has refused, such as WRONG_AMOUNT. The attempts before, whose answers were lost, had the same
 * body, and the service knows the write again: they executed nothing, and tell nothing of a mended one.
 */
import { writeNamed } from '../../contract/operations.ts'
import type { Attempt, Intent } from '../intent.ts'
import { isOpen, type PastAttempt } from '../verdict.ts'

/** True if such a status answered an attempt. */
export function isRefusedByBody(operation: string, { outcome, statusCode = null, message }: PastAttempt): boolean {
  const refused = writeNamed(operation)?.proof.refused ?? {}
  // The text beside a code is no status, whatever it says.
  return outcome === 'refused' && statusCode === null && refused[message ?? '']?.bodyOnly === true
}

/** The attempts without the lost ones that such a refusal has closed: those of its body, and of any body but the present one. */
export function withoutClosed(
  { operation, bodyDigest }: Pick<Intent, 'operation' | 'bodyDigest'>,
  past: readonly Attempt[],
): readonly Attempt[] {
  const isClosed = (attempt: Attempt, at: number) =>
    past
      .slice(at + 1)
      .some(
        (later) =>
          isRefusedByBody(operation, later) &&
          (later.bodyDigest === attempt.bodyDigest || attempt.bodyDigest !== bodyDigest),
      )
  return past.filter((attempt, at) => !isOpen(attempt) || !isClosed(attempt, at))
}
