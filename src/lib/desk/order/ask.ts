/** Asking the service how far an order is: the one read behind status, wait and diff, and what a refusal of it means. */
import type { AnswerOf } from '../../contract/operation.ts'
import { orderStatus } from '../../contract/order/order.ts'
import { about, Failure } from '../../failure.ts'
import { hint } from '../../hint.ts'
import { call } from '../call.ts'
import type { Desk } from '../desk.ts'
import { contradiction } from '../echo.ts'
import { noteOpen } from '../line/noted.ts'
import { atStake } from '../recover/at-stake.ts'
import type { FoundOrder } from './find.ts'

/**
 * Every open write about the order remembers its status. Throws a Failure as `call`, with the ids; unknown (9) where the service does not know an order of which a write is open, or
 * speaks of another one.
 */
export async function askOrder(
  desk: Desk,
  found: FoundOrder,
  deadline?: number,
): Promise<AnswerOf<typeof orderStatus>> {
  const { integratorOrderId } = found
  const facts = factsOfOrder(found)
  const request = { integratorId: desk.profile.clientId, integratorOrderId }
  const answer = await atStake(desk, found.writes, facts, () => call(desk, orderStatus, request, deadline))
  const other = contradiction(orderStatus, request, answer)
  if (other === null) {
    if (answer.status !== null) await noteOpen(desk, found.writes, answer.status)
    return answer
  }
  throw new Failure('unknown', `the answer speaks of another order: ${other.told}`, {
    ...facts,
    hints: [hint`Ask the service which of the two it is.`],
  })
}

export function factsOfOrder({ integratorOrderId, created }: FoundOrder) {
  return about(orderStatus, { uniqueId: integratorOrderId, journalId: created?.journalId ?? null })
}
