/** The world, its clients and accounts, payouts and their postings, and faults. */

import { sql } from 'kysely'
import type { MigrationContext } from '../../engine/store.ts'

export async function payouts(db: MigrationContext): Promise<void> {
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
