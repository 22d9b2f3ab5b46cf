/** One handler per operation of the contract, and which operation a request means. */
import { getCard } from '../contract/card/card.ts'
import type { Operation } from '../contract/operation.ts'
import { operations } from '../contract/operations.ts'
import { cancelOrder, completeOrder, createOrder, orderStatus } from '../contract/order/order.ts'
import { refundOrder } from '../contract/order/refund.ts'
import { createPayout, payoutBalance, payoutDetails } from '../contract/payout/payout.ts'
import { signIn } from '../contract/sign-in.ts'
import { revokeSubscription, subscriptionHistory } from '../contract/subscription/subscription.ts'
import { registerUser } from '../contract/user/user.ts'
import {
  cancelWalletOrder,
  createWalletOrder,
  finalizeWalletOrder,
  walletOrderDetails,
} from '../contract/wallet/wallet.ts'
import { writeError } from '../wire/answer.ts'
import type { HttpAnswer, HttpRequest } from '../wire/message.ts'
import type { Answerer } from './access/entry.ts'
import { answerSignIn } from './access/sign-in.ts'
import { answerCard } from './cards/read.ts'
import type { Handler, Surroundings } from './handler.ts'
import { answerCancelOrder, answerCompleteOrder } from './orders/change.ts'
import { answerCreateOrder } from './orders/create.ts'
import { answerOrderStatus } from './orders/look.ts'
import { answerRefund } from './orders/refund.ts'
import { answerCreate } from './payouts/create.ts'
import { answerBalance, answerDetails } from './payouts/read.ts'
import { writeGeneralFailure, writeOutcome } from './shape.ts'
import { answerHistory, answerRevoke } from './subscriptions/look.ts'
import { answerRegister } from './users/register.ts'
import { answerCancelWallet, answerWalletDetails } from './wallet/change.ts'
import { answerCreateWallet } from './wallet/create.ts'
import { answerFinalize } from './wallet/finalize.ts'

/** Area A answers in the clear, in the shape that was asked for. */
function plain(operation: Operation, handler: Handler): Answerer {
  return async (http, around) => {
    const outcome = await handler(http, around)
    around.note({ outcome })
    return writeOutcome(operation, outcome, around.shape)
  }
}

/** Keyed by the operation's name. */
export const handlers: Readonly<Record<string, Answerer>> = {
  [signIn.name]: plain(signIn, answerSignIn),
  [createPayout.name]: plain(createPayout, answerCreate),
  [payoutDetails.name]: plain(payoutDetails, answerDetails),
  [payoutBalance.name]: plain(payoutBalance, answerBalance),
  [createOrder.name]: answerCreateOrder,
  [orderStatus.name]: answerOrderStatus,
  [cancelOrder.name]: answerCancelOrder,
  [refundOrder.name]: answerRefund,
  [completeOrder.name]: answerCompleteOrder,
  [subscriptionHistory.name]: answerHistory,
  [revokeSubscription.name]: answerRevoke,
  [registerUser.name]: answerRegister,
  [createWalletOrder.name]: answerCreateWallet,
  [finalizeWalletOrder.name]: answerFinalize,
  [cancelWalletOrder.name]: answerCancelWallet,
  [walletOrderDetails.name]: answerWalletDetails,
  [getCard.name]: answerCard,
}

/** What a request gets whose path nobody has (404), or not with this method (405). Not a coded error: no code is known. */
export function nowhere(method: string, path: string): HttpAnswer {
  const methods = operations.filter((operation) => operation.path === path).map((operation) => operation.method)
  if (methods.length === 0) return writeError(404, { message: 'There is no such path' })
  const answer = writeError(405, { message: `The path does not take ${method}` })
  return { ...answer, headers: { ...answer.headers, allow: methods.join(', ') } }
}

/** The service: one request in, one answer out. */
export async function answerAny(http: HttpRequest, around: Surroundings): Promise<HttpAnswer> {
  const operation = operations.find(({ method, path }) => method === http.method && path === http.path)
  if (!operation) return nowhere(http.method, http.path)
  const answer = handlers[operation.name]
  return answer ? await answer(http, around) : writeGeneralFailure(around.shape, operation.area)
}
