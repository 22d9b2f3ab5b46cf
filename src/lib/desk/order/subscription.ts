/** The payments of a subscription. */
import type { AnswerOf } from '../../contract/operation.ts'
import { subscriptionHistory } from '../../contract/subscription/subscription.ts'
import { about } from '../../failure.ts'
import { call } from '../call.ts'
import type { Desk } from '../desk.ts'
import { atStake, writesTo } from '../recover/at-stake.ts'

/** As the service shows them, in its order. */
export type SubscriptionPayments = AnswerOf<typeof subscriptionHistory>

export async function readHistory(desk: Desk, subscriptionId: string): Promise<SubscriptionPayments> {
  const writes = await writesTo(desk, 'subscription', subscriptionId)
  return atStake(desk, writes, about(subscriptionHistory), () => call(desk, subscriptionHistory, { subscriptionId }))
}
