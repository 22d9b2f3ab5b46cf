/**
 * The content of a callback (service.md#callbacks), of a payment and of a charge. Amounts are JSON numbers with two decimals.
 */
import { JsonNumber } from '../../contract/core/decimal.ts'
import { orderEnd } from '../../contract/order/status.ts'
import { cardOfOrder } from '../../store/sandbox/cards.ts'
import { sharesOf } from '../../store/sandbox/orders.ts'
import type { OrderRow, SandboxReader, SubscriptionRow } from '../../store/sandbox/schema.ts'
import { orderRequest } from '../ledger/accepted.ts'
import { money } from '../world/money.ts'
import { accountOf } from '../world/receiver.ts'

export type Payload = Readonly<Record<string, unknown>>

/** The card that the payment saved, its token under the specification's name and under the guide's. */
async function cardInfo(db: SandboxReader, order: OrderRow): Promise<Payload | null> {
  const card = await cardOfOrder(db, order.order_id)
  if (!card) return null
  const { token, provider, card_mask, expiration_date, card_brand } = card
  return {
    ...{ cardToken: token, token },
    ...{ provider, cardMask: card_mask, expirationDate: expiration_date, cardBrand: card_brand },
  }
}

/** `amount` is what was taken of the order's own sum, without a tip; of a payment that failed, what was asked for. */
export async function paymentPayload(db: SandboxReader, order: OrderRow, status: string): Promise<Payload> {
  const { receiverId, receiverType, integratorId, integratorOrderId } = orderRequest(order)
  const paid = orderEnd(status) === 'paid'
  const taken = paid && order.paid > 0 ? order.paid - order.tip : order.amount
  // The order's own receiver is a branch; only a split brings an account. Recorded is one of every payment.
  const account = (await sharesOf(db, order.order_id)).find((share) => share.receiver_type === 'IBAN')?.receiver
  const recorded = order.recorded === 1 ? { toIban: account ?? accountOf(receiverId) } : null
  const card = paid ? await cardInfo(db, order) : null
  return {
    amount: money(taken),
    ...{ receiverId, receiverType, integratorId, integratorOrderId, status },
    initialCurrency: order.currency,
    acquiringCurrency: order.acquiring_currency,
    acquiringAmount: money(paid ? order.acquired : 0),
    ...recorded,
    ...(order.transaction_id === null ? {} : { transactionId: new JsonNumber(order.transaction_id) }),
    ...(account === undefined || recorded ? {} : { toIban: account }),
    ...(card === null ? {} : { cardInfo: card }),
  }
}

/** The same with no more of the card than its token: where one RSA block has no room for the rest. */
export function inBrief(payload: Payload): Payload {
  const { cardInfo: card } = payload
  if (card === undefined) return payload
  const { cardToken, token } = card as Payload
  return { ...payload, cardInfo: { cardToken, token } }
}

export function chargePayload(
  { subscription_id, amount }: SubscriptionRow,
  historyId: number,
  status: string,
): Payload {
  return {
    subscriptionId: subscription_id,
    historyId: new JsonNumber(String(historyId)),
    status,
    amount: money(amount),
  }
}
