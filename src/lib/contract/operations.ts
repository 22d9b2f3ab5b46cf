/** Every operation of the service, by its kind. A house rule demands that each has a route in the sandbox. */
import { cardOperations } from './card.ts'
import type { Operation, Subject, WriteOperation } from './operation.ts'
import { orderOperations } from './order/order.ts'
import { refundOperations, refundOrderFirst } from './order/refund.ts'
import { payoutOperations } from './payout/payout.ts'
import { signIn } from './sign-in.ts'
import { subscriptionOperations } from './subscription.ts'
import { userOperations } from './user.ts'
import { walletOperations } from './wallet/wallet.ts'

export const operations: readonly Operation[] = [
  signIn,
  ...payoutOperations,
  ...orderOperations,
  ...refundOperations,
  ...subscriptionOperations,
  ...userOperations,
  ...walletOperations,
  ...cardOperations,
]

/** First versions, which the sandbox still takes under the same name. The desk sends none. */
export const firstVersions: readonly Operation[] = [refundOrderFirst]

const writes = operations.filter((each) => each.effect === 'write')

export function writeNamed(name: string): WriteOperation | null {
  return writes.find((each) => each.name === name) ?? null
}

export function writesAbout(subject: Subject): readonly WriteOperation[] {
  return writes.filter(({ about }) => about === subject)
}
