/** The body of a write that is sent from the journal: one from which something was taken is another payment. */
import type { Members } from '../contract/core/members.ts'
import type { WriteOperation } from '../contract/operation.ts'
import { Failure } from '../failure.ts'
import { hint } from '../hint.ts'
import { type Draft, factsOf, type Intent } from '../journal/intent.ts'
import { isMasked } from './receipt/mask.ts'

/** Throws a Failure, usage (2), where a token stands masked in it. */
export function mustBeWhole(operation: WriteOperation, request: Members, { uniqueId, businessKey }: Draft): void {
  if (!isMasked(operation, request)) return
  throw new Failure('usage', `${operation.name} ${uniqueId} has a card token, which the journal does not keep`, {
    operation: operation.name,
    uniqueId,
    hints: [hint`Run its command again with the same ${businessKey === null ? 'id' : '--key'} and the token.`],
  })
}

/** Throws a Failure, usage (2), where its personal data was removed. */
export function mustHaveAll(intent: Intent): void {
  const { journalId, businessKey, removedAt } = intent
  if (removedAt === null) return
  throw new Failure('usage', `the personal data of ${journalId} was removed: it cannot be sent from the journal`, {
    ...factsOf(intent),
    hints: [hint`Run its command again with the same ${businessKey === null ? 'id' : '--key'} and all of its fields.`],
  })
}
