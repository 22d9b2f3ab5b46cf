/** The payments of a subscription. */
import { subscriptionHistory } from '../../contract/subscription.ts'
import { about } from '../../failure.ts'
import type { ResultOf } from '../../result.ts'
import { call } from '../call.ts'
import type { Desk } from '../desk.ts'
import { atStake, writesTo } from '../recover/at-stake.ts'
import type { subscriptionHistoryResult } from './result.ts'

/** As the service shows them, in its order. */
export type SubscriptionPayments = ResultOf<typeof subscriptionHistoryResult>

export async function readHistory(desk: Desk, subscriptionId: string): Promise<SubscriptionPayments> {
  const writes = await writesTo(desk, 'subscription', subscriptionId)
  return atStake(desk, writes, about(subscriptionHistory), () => call(desk, subscriptionHistory, { subscriptionId }))
}
