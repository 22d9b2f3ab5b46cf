/** Writes that the service took and whose payment has ended unpaid since: the id is used up, and no sum was executed. */
import { writeNamed } from '../contract/operations.ts'
import type { StatusFacts } from '../contract/status.ts'
import type { Intent } from './intent.ts'

/** The facts of the status in which the payment ended unpaid; null where it did not, as far as the journal knows. */
export function unpaidEnd({
  operation,
  state,
  status,
}: Pick<Intent, 'operation' | 'state' | 'status'>): StatusFacts | null {
  if (status === null || (state !== 'accepted' && state !== 'exists')) return null
  const facts = writeNamed(operation)?.payment?.(status) ?? null
  return facts?.end === 'not-paid' ? facts : null
}
