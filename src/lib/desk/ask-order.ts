/** Asking the service how far an order is: the one read behind status, wait and diff, and what a refusal of it means. */
import type { AnswerOf } from '../contract/operation.ts'
import { orderStatus } from '../contract/order.ts'
import { Failure } from '../failure.ts'
import type { Intent } from '../journal/intent.ts'
import { call } from './call.ts'
import type { Desk } from './desk.ts'
import { sameId } from './draft.ts'
import type { FoundOrder } from './find-order.ts'

/**
 * Throws a Failure as `call`, with the ids; unknown (9) where the service does not know an order whose creation is open, or
 * speaks of another one.
 */
export async function askOrder(
  desk: Desk,
  found: FoundOrder,
  deadline?: number,
): Promise<AnswerOf<typeof orderStatus>> {
  const { integratorOrderId } = found
  const asked = call(desk, orderStatus, { integratorId: desk.profile.clientId, integratorOrderId }, deadline)
  const answer = await asked.catch((error: unknown) => {
    throw error instanceof Failure ? unread(error, found) : error
  })
  if (sameId(answer.integratorOrderId) === integratorOrderId) return answer
  throw new Failure('unknown', `the answer speaks of another order: ${answer.integratorOrderId}`, {
    ...factsOfOrder(found),
    hints: ['Ask the service which of the two it is.'],
  })
}

export function factsOfOrder({ integratorOrderId, created }: FoundOrder) {
  return { operation: orderStatus.name, uniqueId: integratorOrderId, journalId: created?.journalId ?? null }
}

/** That the service does not know it proves nothing while its creation is open: the request may still be on its way. */
function unread(error: Failure, found: FoundOrder): Failure {
  if (error.kind !== 'not-found' || found.created?.state !== 'unknown') return error.with(factsOfOrder(found))
  return new Failure('unknown', 'the service does not know the order yet, and whether it was created is unknown', {
    ...factsOfOrder(found),
    service: error.facts.service ?? null,
    hints: [settleIt(found.created)],
  })
}

export function settleIt({ journalId }: Intent): string {
  return `Never create it anew. Settle it: \`paydesk resume ${journalId}\`.`
}
