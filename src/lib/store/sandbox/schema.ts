/**
 * The sandbox's tables: its accounts, their payments, the faults that wait. Times are milliseconds since 1970, amounts minor
 * units, switches 0 or 1.
 */
import type { Generated, Kysely, Selectable, Transaction } from 'kysely'
import type { WalletCreationStatus, WalletStatus } from '../../contract/wallet/status.ts'
import type { Schema } from '../engine/store.ts'

interface Column<Value> {
  readonly sql: string
  /** Of types only. */
  readonly value?: Value
}

const column = <Value>(sql: string): Column<Value> => ({ sql })
const words = <Word extends string>() => column<Word>('text not null')
const of = (table: string) => column<string>(`text not null references ${table}`)

const text = column<string>('text not null')
const maybeText = column<string | null>('text')
const key = column<string>('text primary key')
const integer = column<number>('integer not null')
const maybeInteger = column<number | null>('integer')
const positive = (name: string) => column<number>(`integer not null check (${name} > 0)`)
const flag = column<0 | 1>('integer not null')
const counted = column<Generated<number>>('integer primary key autoincrement')

const tables = {
  world: {
    world_id: text,
    created: integer,
    /** Digits: these ids may exceed 2^53. */
    next_transaction_id: text,
    /** How far the sandbox's clock is ahead of the machine's. */
    clock_offset: integer,
    callbacks: words<'sealed' | 'plain'>(),
    /** 1 where requests are refused that are otherwise accepted with a remark. */
    strict: flag,
    /** Codes by field, as JSON text: the lists that differ from those in use. */
    providers: text,
    /** The service's name in REFUNDED_BY_<name>. */
    refunded_by: text,
  },
  /** The secrets of clients that pay out; everything else about them is fixed. */
  clients: { client_id: key, secret: text },
  tokens: { hash: key, client_id: of('clients'), expires: integer },
  faults: {
    id: counted,
    operation: text,
    place: text,
    kind: text,
    /** The number of the matching request, from now on, that it strikes first, and of the strikes that are left. */
    nth: integer,
    times: integer,
    /** A fault by chance: its share of a thousand requests, its seed, and the number of draws so far. */
    per_mille: maybeInteger,
    seed: maybeInteger,
    draws: integer,
    /** Milliseconds, of a slow answer. */
    delay: maybeInteger,
    /** The rate that passes, such as "50/s"; since when its window lasts, and how many passed in it. */
    above: maybeText,
    window_start: integer,
    window_count: integer,
  },
  payouts: {
    transaction_id: key,
    client_id: of('clients'),
    unique_id: text,
    /** The account that is debited. */
    iban: text,
    amount: integer,
    commission: integer,
    currency: text,
    status: text,
    /** The status that it ends in. */
    ends_in: text,
    /** The time at which the status moves next; null at the end. */
    due: maybeInteger,
    created: integer,
    /** Nanoseconds of `created` below the millisecond. */
    nanoseconds: integer,
    /** The request as it was accepted, as JSON text. */
    request: text,
  },
  postings: {
    iban: text,
    transaction_id: of('payouts'),
    units: positive('units'),
    kind: words<'debit' | 'return'>(),
  },
  /** Owners are `integrator <name>`, `wallet <name>` and `service <bits>`. Base64 of the DER. */
  key_pairs: { owner: key, public_key: text, private_key: text },
  orders: {
    /** The service's own id: the end of its checkout address. */
    order_id: key,
    integrator_id: text,
    /** In small letters: UUIDs are the same in capitals. Echoed members stay as they came, in `request`. */
    integrator_order_id: text,
    status: text,
    amount: integer,
    currency: text,
    acquiring_currency: text,
    distribution_currency: text,
    commission_type: text,
    /** The payer's tip at the checkout, in the order's currency. */
    tip: integer,
    /** The sum held for a completion, and the sum really paid, tip included, in the order's currency. */
    authorised: integer,
    paid: integer,
    /** The sum that left the payer's card, or is held on it, in the acquiring currency. */
    acquired: integer,
    /** Digits: these ids exceed 2^53. Null until a payment began. */
    transaction_id: maybeText,
    valid_until: maybeInteger,
    /** The time at which it moves by itself: expires, or ends the second step of a payment. */
    due: maybeInteger,
    /** The test card that is in its second step, or that a sum is held on. */
    trying: maybeText,
    /** The step that the try still needs from the payer at the checkout page; null where the bank just takes its time. */
    awaits: column<'code' | 'confirmation' | null>('text'),
    /** The payer's choices at the checkout page in the last try, as JSON text; null where the payer was not there. */
    checkout: maybeText,
    /** The reason why the last try failed, in words. */
    fail_reason: maybeText,
    created: integer,
    /** The request as it was accepted, as JSON text. */
    request: text,
    /** 1 for an order of a service that answers as recorded (service.md#seen-since). */
    recorded: flag,
  },
  /** Each receiver and its part of an order, in the order's currency. The order's own receiver comes first, a tip last. */
  shares: {
    order_id: of('orders'),
    position: integer,
    receiver_type: text,
    receiver: text,
    amount: integer,
    tip: flag,
  },
  refunds: {
    refund_id: counted,
    order_id: of('orders'),
    amount: positive('amount'),
    initiator: text,
    status: text,
    due: maybeInteger,
    created: integer,
  },
  /** The part of a share that a refund takes back, in the order's currency. */
  refund_parts: {
    refund_id: column<number>('integer not null references refunds'),
    order_id: of('orders'),
    position: integer,
    amount: positive('amount'),
  },
  /** `charge` and `refund` are the payer's, the others a receiver's; `return` is a debit whose refund failed. */
  order_postings: {
    order_id: of('orders'),
    charge_id: maybeInteger,
    refund_id: maybeInteger,
    /** The share it belongs to; null for the payer's. */
    position: maybeInteger,
    receiver: maybeText,
    currency: text,
    units: positive('units'),
    kind: words<'charge' | 'refund' | 'credit' | 'debit' | 'return'>(),
  },
  cards: {
    token: key,
    integrator_id: text,
    order_id: column<string>('text not null unique references orders'),
    /** The test card behind it. */
    card: text,
    provider: text,
    card_mask: text,
    expiration_date: text,
    card_brand: text,
    created: integer,
  },
  subscriptions: {
    subscription_id: key,
    order_id: column<string>('text not null unique references orders'),
    integrator_id: text,
    status: words<'WAITING_FOR_CARD' | 'ACTIVE' | 'REVOKED' | 'ENDED'>(),
    interval: text,
    interval_count: integer,
    amount: integer,
    /** yyyy-MM-dd; null: at once. */
    start_date: maybeText,
    card_token: maybeText,
    /** The due time of the first charge, and the number of charges begun. */
    anchor: maybeInteger,
    begun: integer,
    due: maybeInteger,
    created: integer,
  },
  charges: {
    charge_id: counted,
    subscription_id: of('subscriptions'),
    time: integer,
    status: text,
    due: maybeInteger,
    fail_reason: maybeText,
  },
  wallet_orders: {
    identifier: text,
    unique_id: text,
    uri: text,
    receiver_id: maybeText,
    /** Fixed by the QR address; null where the payer chooses inside the range. */
    amount: maybeInteger,
    minimum: maybeInteger,
    maximum: maybeInteger,
    status: words<WalletCreationStatus | WalletStatus>(),
    reject_reason: maybeText,
    created: integer,
    expires: integer,
    finalised: maybeInteger,
  },
  /** Wallet payments that were executed. */
  wallet_postings: {
    identifier: text,
    unique_id: text,
    receiver_id: text,
    units: positive('units'),
    time: integer,
  },
  /** The payload as it came, as JSON text. */
  users: { user_id: key, integrator_id: text, payload: text, created: integer },
  callbacks: {
    callback_id: counted,
    order_id: of('orders'),
    integrator_id: text,
    kind: words<'payment' | 'subscription'>(),
    url: text,
    /** The payload as JSON text, and the body as it is sent: sealed, or the same. */
    plain: text,
    body: text,
    sealed: flag,
    state: words<'waiting' | 'delivered' | 'given-up'>(),
    /** The time of the next try; null when it is not tried any more. */
    due: maybeInteger,
    created: integer,
    /** The play that made it: a duplicate, with its original, or an edit. Null where the service sent it by itself. */
    note: maybeText,
  },
  callback_attempts: {
    callback_id: column<number>('integer not null references callbacks'),
    number: integer,
    time: integer,
    /** Null where no answer came. */
    http: maybeInteger,
    /** The reason why it was no success, in words. */
    why: maybeText,
    milliseconds: integer,
    /** The body of the answer, shortened and without secrets; null where no answer came. */
    reply: maybeText,
  },
  requests: {
    request_id: counted,
    time: integer,
    milliseconds: integer,
    method: text,
    path: text,
    /** The operation's name; null where the path means none. */
    operation: maybeText,
    /** Client id, integrator id or wallet identifier, as it came; null where none did. */
    identifier: maybeText,
    /** The request as JSON text, card tokens masked; null where it could not be read. */
    plain: maybeText,
    /** The outline of its envelope, as JSON text; null where nothing is sealed. */
    outline: maybeText,
    /** Null where no whole answer was sent. */
    http: maybeInteger,
    code: maybeInteger,
    /** The verdict, in words, and the rule of the specification that decided it. */
    verdict: text,
    rule: maybeText,
    /** The answer as JSON text before it was sealed. */
    answer: maybeText,
    /** Remarks on the unusual, as a JSON list of texts. */
    remarks: text,
    /** The fault that struck, such as "reset after". */
    fault: maybeText,
  },
} as const

export type Table = keyof typeof tables

type Columns<Name extends Table> = (typeof tables)[Name]

export type SandboxTables = {
  [Name in Table]: {
    [Each in keyof Columns<Name>]: Columns<Name>[Each] extends Column<infer Value> ? Value : never
  }
}

/** What is counted or summed for a row when it is read. */
interface Computed {
  /** The number of debits of its amount. */
  payouts: { executions: number }
  /** The number of its payments, and the paid sum; null if none was. */
  wallet_orders: { executions: number; paid: number | null }
}

export type Row<Name extends Table> = Readonly<Selectable<SandboxTables[Name]>> &
  (Name extends keyof Computed ? Readonly<Computed[Name]> : unknown)

export type SandboxReader = Kysely<SandboxTables>
export type SandboxWriter = Transaction<SandboxTables>

export type OrderRow = Row<'orders'>

/** Keys of several columns, which the columns themselves do not name. */
const keys: Readonly<Partial<Record<Table, string>>> = {
  payouts: 'unique (client_id, unique_id)',
  orders: 'unique (integrator_id, integrator_order_id)',
  shares: 'primary key (order_id, position)',
  refund_parts: 'primary key (refund_id, position)',
  wallet_orders: 'primary key (identifier, unique_id)',
  // No wallet order is executed twice.
  wallet_postings: 'primary key (identifier, unique_id)',
  callback_attempts: 'primary key (callback_id, number)',
}

const indexes: readonly string[] = [
  // Covering: a balance is a sum over one account, read from the index alone.
  'postings_by_iban on postings (iban, kind, units)',
  'postings_by_payout on postings (transaction_id)',
  'orders_by_integrators_id on orders (integrator_order_id)',
  'refunds_by_order on refunds (order_id)',
  'refund_parts_by_order on refund_parts (order_id)',
  'order_postings_by_order on order_postings (order_id)',
  'order_postings_by_receiver on order_postings (receiver, currency, kind, units)',
  'charges_by_subscription on charges (subscription_id)',
  'wallet_postings_by_receiver on wallet_postings (receiver_id, time, units)',
  'callbacks_by_order on callbacks (order_id)',
]

const names = Object.keys(tables) as Table[]

/** Tables whose rows move by themselves when they are due. */
const moving = names.filter((name) => 'due' in tables[name])

function createTable(name: Table): string {
  const columns = Object.entries<Column<unknown>>(tables[name]).map(([each, { sql }]) => `${each} ${sql}`)
  return `create table ${name} (${[...columns, ...(keys[name] === undefined ? [] : [keys[name]])].join(', ')})`
}

export const sandboxSchema: Schema = {
  title: 'the sandbox',
  version: 2,
  isRemade: true,
  tables: [
    ...names.map(createTable),
    ...moving.map((name) => `create index ${name}_by_due on ${name} (due) where due is not null`),
    ...indexes.map((index) => `create index ${index}`),
  ],
}

/** All tables, children before their parents: the order in which a world is emptied. */
export const sandboxTables: readonly Table[] = names.toReversed()
