/** The sandbox's tables of areas B, C and D: keys, orders and their money, cards, subscriptions, wallet orders, users. */
import type { Generated } from 'kysely'
import type { WalletCreationStatus, WalletStatus } from '../../../contract/wallet/status.ts'

/** Its holder: `integrator <name>`, `wallet <name>`, or `service <bits>`. Base64 of the DER. */
export interface KeyPairRow {
  readonly owner: string
  readonly public_key: string
  readonly private_key: string
}

export interface OrderRow {
  /** The service's own id: the end of its checkout address. */
  readonly order_id: string
  readonly integrator_id: string
  /** In small letters: UUIDs are the same in capitals. Echoed members stay as they came, in `request`. */
  readonly integrator_order_id: string
  readonly status: string
  readonly amount: number
  readonly currency: string
  readonly acquiring_currency: string
  readonly distribution_currency: string
  readonly commission_type: string
  /** The payer's tip at the checkout, in the order's currency. */
  readonly tip: number
  /** The sum held for a completion, and the sum really paid, tip included, in the order's currency. */
  readonly authorised: number
  readonly paid: number
  /** The sum that left the payer's card, or is held on it, in the acquiring currency. */
  readonly acquired: number
  /** Digits: these ids exceed 2^53. Null until a payment began. */
  readonly transaction_id: string | null
  readonly valid_until: number | null
  /** The time at which it moves by itself: expires, or ends the second step of a payment. */
  readonly due: number | null
  /** The test card that is in its second step, or that a sum is held on. */
  readonly trying: string | null
  /** The step that the try still needs from the payer at the checkout page; null where the bank just takes its time. */
  readonly awaits: 'code' | 'confirmation' | null
  /** The payer's choices at the checkout page in the last try, as JSON text; null where the payer was not there. */
  readonly checkout: string | null
  /** The reason why the last try failed, in words. */
  readonly fail_reason: string | null
  readonly created: number
  /** The request as it was accepted, as JSON text. */
  readonly request: string
  /** 1 for an order of a service that answers as recorded (service.md#seen-since). */
  readonly recorded: 0 | 1
}

/** Each receiver and its part of an order, in the order's currency. The order's own receiver comes first, a tip last. */
export interface ShareRow {
  readonly order_id: string
  readonly position: number
  readonly receiver_type: string
  readonly receiver: string
  readonly amount: number
  readonly tip: 0 | 1
}

export interface RefundRow {
  readonly refund_id: Generated<number>
  readonly order_id: string
  readonly amount: number
  readonly initiator: string
  readonly status: string
  readonly due: number | null
  readonly created: number
}

/** The part of a share that a refund takes back, in the order's currency. */
export interface RefundPartRow {
  readonly refund_id: number
  readonly order_id: string
  readonly position: number
  readonly amount: number
}

/** `charge` and `refund` are the payer's, the others a receiver's; `return` is a debit whose refund failed. */
export interface OrderPostingRow {
  readonly order_id: string
  readonly charge_id: number | null
  readonly refund_id: number | null
  /** The share it belongs to; null for the payer's. */
  readonly position: number | null
  readonly receiver: string | null
  readonly currency: string
  readonly units: number
  readonly kind: 'charge' | 'refund' | 'credit' | 'debit' | 'return'
}

export interface CardRow {
  readonly token: string
  readonly integrator_id: string
  readonly order_id: string
  /** The test card behind it. */
  readonly card: string
  readonly provider: string
  readonly card_mask: string
  readonly expiration_date: string
  readonly card_brand: string
  readonly created: number
}

export interface SubscriptionRow {
  readonly subscription_id: string
  readonly order_id: string
  readonly integrator_id: string
  readonly status: 'WAITING_FOR_CARD' | 'ACTIVE' | 'REVOKED' | 'ENDED'
  readonly interval: string
  readonly interval_count: number
  readonly amount: number
  /** yyyy-MM-dd; null: at once. */
  readonly start_date: string | null
  readonly card_token: string | null
  /** The due time of the first charge, and the number of charges begun. */
  readonly anchor: number | null
  readonly begun: number
  readonly due: number | null
  readonly created: number
}

export interface ChargeRow {
  readonly charge_id: Generated<number>
  readonly subscription_id: string
  readonly time: number
  readonly status: string
  readonly due: number | null
  readonly fail_reason: string | null
}

export interface WalletOrderRow {
  readonly identifier: string
  readonly unique_id: string
  readonly uri: string
  readonly receiver_id: string | null
  /** Fixed by the QR address; null where the payer chooses inside the range. */
  readonly amount: number | null
  readonly minimum: number | null
  readonly maximum: number | null
  readonly status: WalletCreationStatus | WalletStatus
  readonly reject_reason: string | null
  readonly created: number
  readonly expires: number
  readonly finalised: number | null
}

/** A wallet payment that was executed. */
export interface WalletPostingRow {
  readonly identifier: string
  readonly unique_id: string
  readonly receiver_id: string
  readonly units: number
  readonly time: number
}

export interface UserRow {
  readonly user_id: string
  readonly integrator_id: string
  /** The payload as it came, as JSON text. */
  readonly payload: string
  readonly created: number
}

export interface OrderTables {
  key_pairs: KeyPairRow
  orders: OrderRow
  shares: ShareRow
  refunds: RefundRow
  refund_parts: RefundPartRow
  order_postings: OrderPostingRow
  cards: CardRow
  subscriptions: SubscriptionRow
  charges: ChargeRow
  wallet_orders: WalletOrderRow
  wallet_postings: WalletPostingRow
  users: UserRow
}

/** Children before their parents: the order in which a world is emptied. */
export const orderTables = [
  'order_postings',
  'refund_parts',
  'refunds',
  'shares',
  'charges',
  'subscriptions',
  'cards',
  'orders',
  'wallet_postings',
  'wallet_orders',
  'users',
  'key_pairs',
] as const satisfies readonly (keyof OrderTables)[]
