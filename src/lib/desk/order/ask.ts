/** Asking the service how far an order is: the one read behind status, wait and diff, and what a refusal of it means. */
import type { AnswerOf } from '../../contract/operation.ts'
import { createOrder, orderStatus } from '../../contract/order/order.ts'
import { about, Failure } from '../../failure.ts'
import { hint } from '../../hint.ts'
import { isOf } from '../../journal/intent.ts'
import type { Desk } from '../desk.ts'
import { contradiction } from '../echo.ts'
import { type ReadThing, readThing } from '../line/read-thing.ts'
import { atStake } from '../recover/at-stake.ts'
import type { FoundOrder } from './find.ts'

export interface AskedOrder {
  readonly answer: AnswerOf<typeof orderStatus>
  readonly now: FoundOrder
}

/**
 * Throws a Failure as `call`, with the ids; unknown (9) where the service does not know an order of which a write is open, or
 * speaks of another one.
 */
export async function askOrder(desk: Desk, found: FoundOrder, deadline?: number): Promise<AskedOrder> {
  const { integratorOrderId } = found
  const facts = factsOfOrder(found)
  const request = { integratorId: desk.profile.clientId, integratorOrderId }
  const read = await atStake(desk, found.writes, facts, () => readThing(desk, orderStatus, request, { deadline }))
  const { answer } = read
  const other = contradiction(orderStatus, request, answer)
  if (other === null) return { answer, now: knownBy(read, found) }
  throw new Failure('unknown', `the answer speaks of another order: ${other.told}`, {
    ...facts,
    hints: [hint`Ask the service which of the two it is.`],
  })
}

/** The order as the journal has it behind a read: another process may have changed it meanwhile, too. */
function knownBy({ writes }: ReadThing<typeof orderStatus>, found: FoundOrder): FoundOrder {
  if (writes.length === 0) return found
  const created = writes.find((write) => isOf(write, createOrder)) ?? found.created
  return { ...found, writes, created }
}

export function factsOfOrder({ integratorOrderId, created }: FoundOrder) {
  return about(orderStatus, { uniqueId: integratorOrderId, journalId: created?.journalId ?? null })
}
