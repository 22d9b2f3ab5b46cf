/** Every operation of the service, by its kind. `test/both-sides.test.ts` demands a route in the sandbox for each. */
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

/** Version 1 of operations that have a version 2 under the same name. The sandbox still answers it, the desk never sends it. */
export const firstVersions: readonly Operation[] = [refundOrderFirst]

const writes = operations.filter((each) => each.effect === 'write')

export function writeNamed(name: string): WriteOperation | null {
  return writes.find((each) => each.name === name) ?? null
}

export function writesAbout(subject: Subject): readonly WriteOperation[] {
  return writes.filter(({ about }) => about === subject)
}
