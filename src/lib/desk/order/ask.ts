/** Asking the service how far an order is: the one read behind status, wait and diff, and what a refusal of it means. */
import type { AnswerOf } from '../../contract/operation.ts'
import { orderStatus } from '../../contract/order/order.ts'
import { about, Failure, type FailureFacts } from '../../failure.ts'
import type { Intent } from '../../journal/intent.ts'
import { call } from '../call.ts'
import type { Desk } from '../desk.ts'
import { normalId } from '../draft.ts'
import { inPlay, moneyMovedBy } from '../recover/in-play.ts'
import type { FoundOrder } from './find.ts'

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
  const asking = async () => {
    const asked = call(desk, orderStatus, { integratorId: desk.profile.clientId, integratorOrderId }, deadline)
    return await asked.catch((error: unknown) => {
      throw error instanceof Failure ? unread(error, found) : error
    })
  }
  const answer = await (found.created ? inPlay(desk, found.created, asking) : asking())
  if (normalId(answer.integratorOrderId) === integratorOrderId) return answer
  throw new Failure('unknown', `the answer speaks of another order: ${answer.integratorOrderId}`, {
    ...factsOfOrder(found),
    hints: ['Ask the service which of the two it is.'],
  })
}

export function factsOfOrder({ integratorOrderId, created }: FoundOrder) {
  return about(orderStatus, { uniqueId: integratorOrderId, journalId: created?.journalId ?? null })
}

function unread(error: Failure, found: FoundOrder): Failure {
  const { created } = found
  if (created?.state === 'unknown') return unreadWhileOpen(error, created, factsOfOrder(found))
  const moneyMoved = created ? { moneyMoved: moneyMovedBy(created) } : {}
  return new Failure(error.kind, error.message, { ...error.facts, ...factsOfOrder(found), ...moneyMoved })
}

/**
 * While a write is open, no failure to read proves anything of it: that the service does not know what it is about may change
 * as soon as the request arrives.
 */
export function unreadWhileOpen(error: Failure, open: Intent, facts: FailureFacts): Failure {
  const isAbout = error.kind === 'not-found' ? 'the service does not know the order' : error.message
  const about = { ...error.facts, ...facts, moneyMoved: 'unknown', hints: [resolveIt(open)] } as const
  if (error.kind === 'credentials') return new Failure('credentials', error.message, { ...about, retry: 'after-fix' })
  return new Failure('unknown', `${isAbout}; whether its ${open.operation} was executed is unknown`, {
    ...about,
    retry: 'same-id',
  })
}

export function resolveIt({ journalId }: Intent): string {
  return `Never create it anew. Settle it: \`paydesk resume ${journalId}\`.`
}
