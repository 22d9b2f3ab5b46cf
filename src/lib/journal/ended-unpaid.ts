/** Writes that the service took and whose payment has ended unpaid since: the id is used up, and no sum was executed. */
import { writeNamed } from '../contract/operations.ts'
import type { StatusFacts } from '../contract/status.ts'
import { type Intent, requestIn } from './intent.ts'

/**
 * The facts of the status in which the payment ended unpaid; null where it did not, as far as the journal knows. Without
 * `now`, milliseconds since 1970, what may still be paid until some time has not ended.
 */
export function unpaidEnd(
  { operation, state, status, body }: Pick<Intent, 'operation' | 'state' | 'status' | 'body'>,
  now?: number,
): StatusFacts | null {
  if (status === null || (state !== 'accepted' && state !== 'exists')) return null
  const facts = writeNamed(operation)?.payment?.(status, requestIn(body), now) ?? null
  return facts?.end === 'not-paid' ? facts : null
}
