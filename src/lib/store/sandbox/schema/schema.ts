/** The sandbox's tables: its tenants, their payments, and the faults that wait. */
import type { Generated, Kysely, Transaction } from 'kysely'
import type { Schema } from '../../engine/store.ts'
import { payouts } from '../migrations/001-payouts.ts'
import { orders } from '../migrations/002-orders.ts'
import { callbacks } from '../migrations/003-callbacks.ts'
import { leniency } from '../migrations/004-leniency.ts'
import { refundedBy } from '../migrations/005-refunded-by.ts'
import { replies } from '../migrations/006-replies.ts'
import { faultRates } from '../migrations/007-fault-rates.ts'
import { recorded } from '../migrations/008-recorded.ts'
import type { SentCallbackTables } from './callbacks.ts'
import type { OrderTables } from './orders.ts'
import type { RequestTables } from './requests.ts'

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

export const sandboxSchema: Schema = {
  title: 'the sandbox',
  migrations: [payouts, orders, callbacks, leniency, refundedBy, replies, faultRates, recorded],
}
