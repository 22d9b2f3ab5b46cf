/** The payments of a subscription. */
import type { AnswerOf } from '../../contract/operation.ts'
import { subscriptionHistory } from '../../contract/subscription/subscription.ts'
import { call } from '../call.ts'
import type { Desk } from '../desk.ts'

/** As the service shows them, in its order. */
export type SubscriptionPayments = AnswerOf<typeof subscriptionHistory>

export function readHistory(desk: Desk, subscriptionId: string): Promise<SubscriptionPayments> {
  return call(desk, subscriptionHistory, { subscriptionId })
}
