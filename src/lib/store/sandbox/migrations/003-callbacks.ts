/** Callbacks, what was asked, the checkout page, and more ways for a fault to strike. */

import { sql } from 'kysely'
import type { MigrationContext } from '../../engine/store.ts'

export async function callbacks(db: MigrationContext): Promise<void> {
  for (const step of [
    // Callbacks are sealed to the integrator, or plain JSON.
    sql`alter table world add column callbacks text not null default 'sealed'`,
    sql`create table callbacks (callback_id integer primary key autoincrement, order_id text not null references orders,
      integrator_id text not null, kind text not null, url text not null, plain text not null, body text not null,
      sealed integer not null, state text not null, due integer, created integer not null, note text)`,
    sql`create index callbacks_by_due on callbacks (due) where due is not null`,
    sql`create index callbacks_by_order on callbacks (order_id)`,
    sql`create table callback_attempts (callback_id integer not null references callbacks, number integer not null,
      time integer not null, http integer, why text, milliseconds integer not null, primary key (callback_id, number))`,
    sql`create table requests (request_id integer primary key autoincrement, time integer not null,
      milliseconds integer not null, method text not null, path text not null, operation text, identifier text,
      plain text, outline text, http integer, code integer, verdict text not null, rule text, answer text, fault text)`,
    // The payer's choices at the checkout page, as JSON text, and the step that a try still waits for: a code, a
    // confirmation.
    sql`alter table orders add column checkout text`,
    sql`alter table orders add column awaits text`,
    // In thousandths, drawn from a seed; how many were drawn; milliseconds that a slow answer takes.
    sql`alter table faults add column per_mille integer`,
    sql`alter table faults add column seed integer`,
    sql`alter table faults add column draws integer not null default 0`,
    sql`alter table faults add column delay integer`,
  ]) {
    await step.execute(db)
  }
}
