/** The sandbox's tables: its tenants, their payments, and the faults that wait. */
import type { Generated, Kysely, Transaction } from 'kysely'
import type { WalletCreationStatus, WalletStatus } from '../../contract/wallet/status.ts'
import type { Schema } from '../engine/store.ts'

export interface WorldRow {
  readonly world_id: string
  /** Milliseconds since 1970, like every time here. */
  readonly created: number
  /** Digits: these ids may exceed 2^53. */
  readonly next_transaction_id: string
  /** Milliseconds that the sandbox's clock is ahead of the machine's. */
  readonly clock_offset: number
  readonly callbacks: 'sealed' | 'plain'
  /** 1 where requests are refused that are otherwise accepted with a remark. */
  readonly strict: 0 | 1
  /** Codes by field, as JSON text: the lists that differ from those in use. */
  readonly providers: string
  /** The service's name in REFUNDED_BY_<name>. */
  readonly refunded_by: string
}

export interface ClientRow {
  readonly position: number
  readonly client_id: string
  readonly name: string
  readonly secret: string
  readonly pays_out_by: 'iban' | 'receiver'
  /** Lists of words are joined by commas. */
  readonly permissions: string
  readonly currencies: string
  /** Minor units, like every amount here. */
  readonly minimum: number | null
  readonly maximum: number | null
  readonly commission_per_mille: number
}

export interface AccountRow {
  readonly position: number
  readonly iban: string
  readonly client_id: string
  readonly currency: string
  readonly opening: number
  readonly main: 0 | 1
}

export interface ReceiverRow {
  readonly receiver_id: string
  readonly receiver_type: 'BRANCH' | 'USER'
  readonly name: string
}

export interface TokenRow {
  readonly hash: string
  readonly client_id: string
  readonly expires: number
}

export interface PayoutRow {
  readonly transaction_id: string
  readonly client_id: string
  readonly unique_id: string
  /** The account that is debited. */
  readonly iban: string
  readonly amount: number
  readonly commission: number
  readonly currency: string
  readonly status: string
  /** The status that it ends in. */
  readonly ends_in: string
  /** The time at which the status moves next; null at the end. */
  readonly due: number | null
  readonly created: number
  /** Nanoseconds of `created` below the millisecond. */
  readonly nanoseconds: number
  /** The request as it was accepted, as JSON text. */
  readonly request: string
}

export interface PostingRow {
  readonly iban: string
  readonly transaction_id: string
  readonly units: number
  readonly kind: 'debit' | 'return'
}

export interface FaultRow {
  readonly id: Generated<number>
  readonly operation: string
  readonly place: string
  readonly kind: string
  /** The number of the matching request, from now on, that it strikes first, and of the strikes that are left. */
  readonly nth: number
  readonly times: number
  /** A fault by chance: its share of a thousand requests, its seed, and the number of draws so far. */
  readonly per_mille: number | null
  readonly seed: number | null
  readonly draws: number
  /** Milliseconds, of a slow answer. */
  readonly delay: number | null
  /** Of a fault by rate: how many requests pass in a window, and how long that is; since when it lasts, and how many passed. */
  readonly above: number | null
  readonly above_window: number | null
  readonly window_start: number
  readonly window_count: number
}

export interface SandboxTables extends OrderTables, SentCallbackTables, RequestTables {
  world: WorldRow
  clients: ClientRow
  accounts: AccountRow
  receivers: ReceiverRow
  tokens: TokenRow
  payouts: PayoutRow
  postings: PostingRow
  faults: FaultRow
}

export type SandboxReader = Kysely<SandboxTables>
export type SandboxWriter = Transaction<SandboxTables>

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

interface OrderTables {
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

export interface CallbackRow {
  readonly callback_id: Generated<number>
  readonly order_id: string
  readonly integrator_id: string
  readonly kind: 'payment' | 'subscription'
  readonly url: string
  /** The payload as JSON text, and the body as it is sent: sealed, or the same. */
  readonly plain: string
  readonly body: string
  readonly sealed: 0 | 1
  readonly state: 'waiting' | 'delivered' | 'given-up'
  /** The time of the next try; null when it is not tried any more. */
  readonly due: number | null
  readonly created: number
  /** The play that made it: a duplicate, with its original, or an edit. Null where the service sent it by itself. */
  readonly note: string | null
}

export interface CallbackAttemptRow {
  readonly callback_id: number
  readonly number: number
  readonly time: number
  /** Null where no answer came. */
  readonly http: number | null
  /** The reason why it was no success, in words. */
  readonly why: string | null
  readonly milliseconds: number
  /** The body of the answer, shortened and without secrets; null where no answer came. */
  readonly reply: string | null
}

interface SentCallbackTables {
  callbacks: CallbackRow
  callback_attempts: CallbackAttemptRow
}

interface RequestRow {
  readonly request_id: Generated<number>
  readonly time: number
  readonly milliseconds: number
  readonly method: string
  readonly path: string
  /** The operation's name; null where the path means none. */
  readonly operation: string | null
  /** Client id, integrator id or wallet identifier, as it came; null where none did. */
  readonly identifier: string | null
  /** The request as JSON text, card tokens masked; null where it could not be read. */
  readonly plain: string | null
  /** The outline of its envelope, as JSON text; null where nothing is sealed. */
  readonly outline: string | null
  /** Null where no whole answer was sent. */
  readonly http: number | null
  readonly code: number | null
  /** The verdict, in words, and the rule of the specification that decided it. */
  readonly verdict: string
  readonly rule: string | null
  /** The answer as JSON text before it was sealed. */
  readonly answer: string | null
  /** Remarks on the unusual, as a JSON list of texts. */
  readonly remarks: string
  /** The fault that struck, such as "reset after". */
  readonly fault: string | null
}

export type NewRequest = Omit<RequestRow, 'request_id'>
export type KeptRequest = NewRequest & { readonly request_id: number }

interface RequestTables {
  requests: RequestRow
}

export const sandboxSchema: Schema = {
  title: 'the sandbox',
  version: 1,
  isRemade: true,
  tables: [
    `create table world (world_id text not null, created integer not null, next_transaction_id text not null,
      clock_offset integer not null, callbacks text not null, strict integer not null, providers text not null,
      refunded_by text not null)`,
    `create table clients (position integer not null, client_id text primary key, name text not null unique,
      secret text not null, pays_out_by text not null, permissions text not null, currencies text not null,
      minimum integer, maximum integer, commission_per_mille integer not null)`,
    `create table accounts (position integer not null, iban text primary key,
      client_id text not null references clients, currency text not null, opening integer not null, main integer not null)`,
    'create table receivers (receiver_id text primary key, receiver_type text not null, name text not null)',
    'create table tokens (hash text primary key, client_id text not null references clients, expires integer not null)',
    `create table faults (id integer primary key autoincrement, operation text not null, place text not null,
      kind text not null, nth integer not null, times integer not null, per_mille integer, seed integer,
      draws integer not null default 0, delay integer, above integer, above_window integer,
      window_start integer not null default 0, window_count integer not null default 0)`,
    `create table payouts (transaction_id text primary key, client_id text not null references clients,
      unique_id text not null, iban text not null references accounts, amount integer not null,
      commission integer not null, currency text not null, status text not null, ends_in text not null, due integer,
      created integer not null, nanoseconds integer not null, request text not null, unique (client_id, unique_id))`,
    'create index payouts_by_due on payouts (due) where due is not null',
    `create table postings (iban text not null references accounts,
      transaction_id text not null references payouts, units integer not null check (units > 0), kind text not null)`,
    // Covering: a balance is a sum over one account, read from the index alone.
    'create index postings_by_iban on postings (iban, kind, units)',
    'create index postings_by_payout on postings (transaction_id)',
    'create table key_pairs (owner text primary key, public_key text not null, private_key text not null)',
    `create table orders (order_id text primary key, integrator_id text not null, integrator_order_id text not null,
      status text not null, amount integer not null, currency text not null, acquiring_currency text not null,
      distribution_currency text not null, commission_type text not null, tip integer not null,
      authorised integer not null, paid integer not null, acquired integer not null, transaction_id text,
      valid_until integer, due integer, trying text, awaits text, checkout text, fail_reason text,
      created integer not null, request text not null, recorded integer not null default 0,
      unique (integrator_id, integrator_order_id))`,
    'create index orders_by_due on orders (due) where due is not null',
    'create index orders_by_integrators_id on orders (integrator_order_id)',
    `create table shares (order_id text not null references orders, position integer not null,
      receiver_type text not null, receiver text not null, amount integer not null, tip integer not null,
      primary key (order_id, position))`,
    `create table refunds (refund_id integer primary key autoincrement, order_id text not null references orders,
      amount integer not null check (amount > 0), initiator text not null, status text not null, due integer,
      created integer not null)`,
    'create index refunds_by_due on refunds (due) where due is not null',
    'create index refunds_by_order on refunds (order_id)',
    `create table refund_parts (refund_id integer not null references refunds, order_id text not null references orders,
      position integer not null, amount integer not null check (amount > 0), primary key (refund_id, position))`,
    'create index refund_parts_by_order on refund_parts (order_id)',
    `create table order_postings (order_id text not null references orders, charge_id integer, refund_id integer,
      position integer, receiver text, currency text not null, units integer not null check (units > 0),
      kind text not null)`,
    'create index order_postings_by_order on order_postings (order_id)',
    'create index order_postings_by_receiver on order_postings (receiver, currency, kind, units)',
    `create table cards (token text primary key, integrator_id text not null, order_id text not null unique
      references orders, card text not null, provider text not null, card_mask text not null,
      expiration_date text not null, card_brand text not null, created integer not null)`,
    `create table subscriptions (subscription_id text primary key, order_id text not null unique references orders,
      integrator_id text not null, status text not null, interval text not null, interval_count integer not null,
      amount integer not null, start_date text, card_token text, anchor integer, begun integer not null, due integer,
      created integer not null)`,
    'create index subscriptions_by_due on subscriptions (due) where due is not null',
    `create table charges (charge_id integer primary key autoincrement,
      subscription_id text not null references subscriptions, time integer not null, status text not null, due integer,
      fail_reason text)`,
    'create index charges_by_due on charges (due) where due is not null',
    'create index charges_by_subscription on charges (subscription_id)',
    `create table wallet_orders (identifier text not null, unique_id text not null, uri text not null,
      receiver_id text, amount integer, minimum integer, maximum integer, status text not null, reject_reason text,
      created integer not null, expires integer not null, finalised integer, primary key (identifier, unique_id))`,
    // The key says it: no wallet order is executed twice.
    `create table wallet_postings (identifier text not null, unique_id text not null, receiver_id text not null,
      units integer not null check (units > 0), time integer not null, primary key (identifier, unique_id))`,
    'create index wallet_postings_by_receiver on wallet_postings (receiver_id, time, units)',
    `create table users (user_id text primary key, integrator_id text not null, payload text not null,
      created integer not null)`,
    `create table callbacks (callback_id integer primary key autoincrement, order_id text not null references orders,
      integrator_id text not null, kind text not null, url text not null, plain text not null, body text not null,
      sealed integer not null, state text not null, due integer, created integer not null, note text)`,
    'create index callbacks_by_due on callbacks (due) where due is not null',
    'create index callbacks_by_order on callbacks (order_id)',
    `create table callback_attempts (callback_id integer not null references callbacks, number integer not null,
      time integer not null, http integer, why text, milliseconds integer not null, reply text,
      primary key (callback_id, number))`,
    `create table requests (request_id integer primary key autoincrement, time integer not null,
      milliseconds integer not null, method text not null, path text not null, operation text, identifier text,
      plain text, outline text, http integer, code integer, verdict text not null, rule text, answer text, fault text,
      remarks text not null)`,
  ],
}

/** All tables, children before their parents: the order in which a world is emptied. */
export const sandboxTables = sandboxSchema.tables
  .flatMap((statement) => /^create table (\w+)/.exec(statement)?.[1] ?? [])
  .toReversed() as readonly (keyof SandboxTables)[]
