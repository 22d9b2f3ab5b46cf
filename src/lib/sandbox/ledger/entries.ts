/** Wallet orders, cards, subscriptions and users as the ledger tells of them. */
import type { JsonNumber } from '../../contract/core/decimal.ts'
import { mask } from '../../contract/mask.ts'
import { readJson } from '../../json.ts'
import { chargesOf } from '../../store/sandbox/cards.ts'
import { orderById } from '../../store/sandbox/orders.ts'
import type { CardRow, SubscriptionRow, UserRow } from '../../store/sandbox/schema/orders.ts'
import type { SandboxReader } from '../../store/sandbox/schema/schema.ts'
import type { ExecutedWalletOrder } from '../../store/sandbox/wallet.ts'
import { localMoment } from '../clock/clock.ts'
import { orderRequest } from '../orders/terms.ts'
import { standingOf } from '../wallet/change.ts'
import { money } from '../world/world.ts'

export interface LedgerWalletOrder {
  readonly uniqueId: string
  readonly identifier: string
  /** As the details tell it: REGISTERED, SUCCESS or FAILED. */
  readonly status: string
  /** What was paid, else what was fixed at creation; null where the payer had the choice. */
  readonly amount: JsonNumber | null
  /** How often the payment ran: 0 or 1. */
  readonly executions: number
  readonly receiverId: string | null
  readonly rejectReason: string | null
  readonly createdAt: string
  readonly finalisedAt: string | null
}

export function describeWalletOrder(order: ExecutedWalletOrder, now: number): LedgerWalletOrder {
  const amount = order.paid ?? order.amount
  return {
    uniqueId: order.unique_id,
    identifier: order.identifier,
    status: standingOf(order, now),
    amount: amount === null ? null : money(amount),
    executions: order.executions,
    receiverId: order.receiver_id,
    rejectReason: order.reject_reason,
    createdAt: localMoment(order.created),
    finalisedAt: order.finalised === null ? null : localMoment(order.finalised),
  }
}

export interface LedgerCard {
  /** Never itself: whoever knows it can charge the card, and reads it by area D. */
  readonly token: typeof mask
  readonly integratorId: string
  readonly integratorOrderId: string | null
  /** The test card behind it. */
  readonly card: string
  readonly provider: string
  readonly cardMask: string
  readonly cardBrand: string
  readonly expirationDate: string
  readonly createdAt: string
}

async function nameOf(db: SandboxReader, orderId: string): Promise<string | null> {
  const order = await orderById(db, orderId)
  return order && orderRequest(order).integratorOrderId
}

export async function describeCard(db: SandboxReader, card: CardRow): Promise<LedgerCard> {
  return {
    token: mask,
    integratorId: card.integrator_id,
    integratorOrderId: await nameOf(db, card.order_id),
    card: card.card,
    provider: card.provider,
    cardMask: card.card_mask,
    cardBrand: card.card_brand,
    expirationDate: card.expiration_date,
    createdAt: localMoment(card.created),
  }
}

export interface LedgerSubscription {
  readonly subscriptionId: string
  readonly integratorId: string
  readonly integratorOrderId: string | null
  /** WAITING_FOR_CARD, ACTIVE, REVOKED, or ENDED where its order was never paid. */
  readonly status: string
  readonly interval: string
  readonly intervalCount: number
  readonly amount: JsonNumber
  /** How many charges succeeded, and how many failed. */
  readonly completed: number
  readonly failed: number
  readonly nextChargeAt: string | null
  readonly createdAt: string
}

export async function describeSubscription(db: SandboxReader, plan: SubscriptionRow): Promise<LedgerSubscription> {
  const charges = await chargesOf(db, plan.subscription_id)
  return {
    subscriptionId: plan.subscription_id,
    integratorId: plan.integrator_id,
    integratorOrderId: await nameOf(db, plan.order_id),
    status: plan.status,
    interval: plan.interval,
    intervalCount: plan.interval_count,
    amount: money(plan.amount),
    completed: charges.filter(({ status }) => status === 'COMPLETED').length,
    failed: charges.filter(({ status }) => status === 'FAILED').length,
    nextChargeAt: plan.due === null ? null : localMoment(plan.due),
    createdAt: localMoment(plan.created),
  }
}

export interface LedgerUser {
  readonly userId: string
  readonly integratorId: string
  /** What was registered, as it came. */
  readonly payload: unknown
  readonly createdAt: string
}

export function describeUser(user: UserRow): LedgerUser {
  return {
    userId: user.user_id,
    integratorId: user.integrator_id,
    payload: readJson(user.payload),
    createdAt: localMoment(user.created),
  }
}
