/** Areas B, C and D. */

import { sql } from 'kysely'
import type { MigrationContext } from '../../engine/store.ts'

export async function orders(db: MigrationContext): Promise<void> {
  for (const step of [
    // Added to the first release's table: a world made before goes on, its clock as it was.
    sql`alter table world add column clock_offset integer not null default 0`,
    sql`create table key_pairs (owner text primary key, public_key text not null, private_key text not null)`,
    sql`create table orders (order_id text primary key, integrator_id text not null, integrator_order_id text not null,
      status text not null, amount integer not null, currency text not null, acquiring_currency text not null,
      distribution_currency text not null, commission_type text not null, tip integer not null,
      authorised integer not null, paid integer not null, acquired integer not null, transaction_id text,
      valid_until integer, due integer, trying text, fail_reason text, created integer not null, request text not null,
      unique (integrator_id, integrator_order_id))`,
    sql`create index orders_by_due on orders (due) where due is not null`,
    sql`create index orders_by_integrators_id on orders (integrator_order_id)`,
    sql`create table shares (order_id text not null references orders, position integer not null,
      receiver_type text not null, receiver text not null, amount integer not null, tip integer not null,
      primary key (order_id, position))`,
    sql`create table refunds (refund_id integer primary key autoincrement, order_id text not null references orders,
      amount integer not null check (amount > 0), initiator text not null, status text not null, due integer,
      created integer not null)`,
    sql`create index refunds_by_due on refunds (due) where due is not null`,
    sql`create index refunds_by_order on refunds (order_id)`,
    sql`create table refund_parts (refund_id integer not null references refunds, order_id text not null references orders,
      position integer not null, amount integer not null check (amount > 0), primary key (refund_id, position))`,
    sql`create index refund_parts_by_order on refund_parts (order_id)`,
    sql`create table order_postings (order_id text not null references orders, charge_id integer, refund_id integer,
      position integer, receiver text, currency text not null, units integer not null check (units > 0),
      kind text not null)`,
    sql`create index order_postings_by_order on order_postings (order_id)`,
    sql`create index order_postings_by_receiver on order_postings (receiver, currency, kind, units)`,
    sql`create table cards (token text primary key, integrator_id text not null, order_id text not null unique
      references orders, card text not null, provider text not null, card_mask text not null,
      expiration_date text not null, card_brand text not null, created integer not null)`,
    sql`create table subscriptions (subscription_id text primary key, order_id text not null unique references orders,
      integrator_id text not null, status text not null, interval text not null, interval_count integer not null,
      amount integer not null, start_date text, card_token text, anchor integer, begun integer not null, due integer,
      created integer not null)`,
    sql`create index subscriptions_by_due on subscriptions (due) where due is not null`,
    sql`create table charges (charge_id integer primary key autoincrement,
      subscription_id text not null references subscriptions, time integer not null, status text not null, due integer,
      fail_reason text)`,
    sql`create index charges_by_due on charges (due) where due is not null`,
    sql`create index charges_by_subscription on charges (subscription_id)`,
    sql`create table wallet_orders (identifier text not null, unique_id text not null, uri text not null,
      receiver_id text, amount integer, minimum integer, maximum integer, status text not null, reject_reason text,
      created integer not null, expires integer not null, finalised integer, primary key (identifier, unique_id))`,
    // The key says it: no wallet order is executed twice.
    sql`create table wallet_postings (identifier text not null, unique_id text not null, receiver_id text not null,
      units integer not null check (units > 0), time integer not null, primary key (identifier, unique_id))`,
    sql`create index wallet_postings_by_receiver on wallet_postings (receiver_id, time, units)`,
    sql`create table users (user_id text primary key, integrator_id text not null, payload text not null,
      created integer not null)`,
  ]) {
    await step.execute(db)
  }
}
