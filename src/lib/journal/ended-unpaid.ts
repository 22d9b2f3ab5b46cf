/** What was taken by the service and has ended without a payment since: its id is used up, and no sum was executed. */
import { writeNamed } from '../contract/operations.ts'
import type { StatusFacts } from '../contract/status.ts'
import type { Intent } from './intent.ts'

/** What is known of the status in which its payment ended unpaid; null where it did not, as far as the journal knows. */
export function unpaidEnd({
  operation,
  state,
  status,
}: Pick<Intent, 'operation' | 'state' | 'status'>): StatusFacts | null {
  if (status === null || (state !== 'accepted' && state !== 'exists')) return null
  const facts = writeNamed(operation)?.payment?.(status) ?? null
  return facts?.end === 'not-paid' ? facts : null
}
