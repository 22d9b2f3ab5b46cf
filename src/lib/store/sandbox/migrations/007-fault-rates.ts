/** Faults that turn away what comes faster than a rate. */

import { sql } from 'kysely'
import type { MigrationContext } from '../../engine/store.ts'

export async function faultRates(db: MigrationContext): Promise<void> {
  for (const step of [
    sql`alter table faults add column above integer`,
    sql`alter table faults add column above_window integer`,
    sql`alter table faults add column window_start integer not null default 0`,
    sql`alter table faults add column window_count integer not null default 0`,
  ]) {
    await step.execute(db)
  }
}
