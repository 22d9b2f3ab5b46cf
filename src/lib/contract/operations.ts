/** Every operation of the service. A house rule demands that each has a route in the sandbox. */
import { getCard } from './card/card.ts'
import type { Operation, Subject, WriteOperation } from './operation.ts'
import { cancelOrder, completeOrder, createOrder, orderStatus } from './order/order.ts'
import { refundOrder } from './order/refund.ts'
import { createPayout, payoutBalance, payoutDetails } from './payout/payout.ts'
import { signIn } from './sign-in.ts'
import { revokeSubscription, subscriptionHistory } from './subscription/subscription.ts'
import { registerUser } from './user/user.ts'
import { cancelWalletOrder, createWalletOrder, finalizeWalletOrder, walletOrderDetails } from './wallet/wallet.ts'

export const operations: readonly Operation[] = [
  signIn,
  createPayout,
  payoutDetails,
  payoutBalance,
  createOrder,
  orderStatus,
  cancelOrder,
  refundOrder,
  completeOrder,
  subscriptionHistory,
  revokeSubscription,
  registerUser,
  createWalletOrder,
  finalizeWalletOrder,
  cancelWalletOrder,
  walletOrderDetails,
  getCard,
]

const writes = operations.filter((each) => each.effect === 'write')

/** The write of this name; null where there is none. */
export function writeNamed(name: string): WriteOperation | null {
  return writes.find((each) => each.name === name) ?? null
}

/** Every write about a kind of thing. */
export function writesAbout(subject: Subject): readonly WriteOperation[] {
  return writes.filter(({ about }) => about === subject)
}
