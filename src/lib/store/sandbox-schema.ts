/** The sandbox's tables: who exists, what was paid, and the faults that wait. */
import { type Generated, type Kysely, sql, type Transaction } from 'kysely'
import type { CallbackTables } from './sandbox-callback-schema.ts'
import type { OrderTables } from './sandbox-order-schema.ts'
import type { RequestTables } from './sandbox-request-schema.ts'
import { second } from './sandbox-second.ts'
import { third } from './sandbox-third.ts'
import type { Schema } from './store.ts'

export interface WorldRow {
  readonly world_id: string
  /** Milliseconds since 1970, like every time here. */
  readonly created: number
  /** Digits: these ids exceed 2^53. */
  readonly next_transaction_id: string
  /** Milliseconds that the sandbox's clock is ahead of the machine's. */
  readonly clock_offset: number
  readonly callbacks: 'sealed' | 'plain'
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
  /** Where its course leads. */
  readonly ends_in: string
  /** When the status moves next; null at the end of the course. */
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
  /** Which matching request from now on it strikes, and how many it still strikes. */
  readonly nth: number
  readonly times: number
  /** Where it strikes by chance: in how many of a thousand requests, drawn from which seed, and how many were drawn. */
  readonly per_mille: number | null
  readonly seed: number | null
  readonly draws: number
  /** Milliseconds, of a slow answer. */
  readonly delay: number | null
}

export interface SandboxTables extends OrderTables, CallbackTables, RequestTables {
  world: WorldRow
  clients: ClientRow
  accounts: AccountRow
  receivers: ReceiverRow
  tokens: TokenRow
  payouts: PayoutRow
  postings: PostingRow
  faults: FaultRow
}

export type Reader = Kysely<SandboxTables>
export type Writer = Transaction<SandboxTables>

async function first(db: Transaction<unknown>): Promise<void> {
  for (const table of [
    sql`create table world (world_id text not null, created integer not null, next_transaction_id text not null)`,
    sql`create table clients (position integer not null, client_id text primary key, name text not null unique,
      secret text not null, pays_out_by text not null, permissions text not null, currencies text not null,
      minimum integer, maximum integer, commission_per_mille integer not null)`,
    sql`create table accounts (position integer not null, iban text primary key,
      client_id text not null references clients, currency text not null, opening integer not null, main integer not null)`,
    sql`create table receivers (receiver_id text primary key, receiver_type text not null, name text not null)`,
    sql`create table tokens (hash text primary key, client_id text not null references clients, expires integer not null)`,
    sql`create table payouts (transaction_id text primary key, client_id text not null references clients,
      unique_id text not null, iban text not null references accounts, amount integer not null,
      commission integer not null, currency text not null, status text not null, ends_in text not null, due integer,
      created integer not null, nanoseconds integer not null, request text not null, unique (client_id, unique_id))`,
    sql`create index payouts_by_due on payouts (due) where due is not null`,
    sql`create table postings (iban text not null references accounts,
      transaction_id text not null references payouts, units integer not null check (units > 0), kind text not null)`,
    // Covering: a balance is a sum over one account, read from the index alone.
    sql`create index postings_by_iban on postings (iban, kind, units)`,
    sql`create index postings_by_payout on postings (transaction_id)`,
    sql`create table faults (id integer primary key autoincrement, operation text not null, place text not null,
      kind text not null, nth integer not null, times integer not null)`,
  ]) {
    await table.execute(db)
  }
}

export const sandboxSchema: Schema = { title: 'the sandbox', migrations: [first, second, third] }
