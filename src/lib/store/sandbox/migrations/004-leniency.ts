/** Settings of the world that decide what is accepted, and what was remarked about a request that was. */

import { sql } from 'kysely'
import type { MigrationContext } from '../../engine/store.ts'

export async function leniency(db: MigrationContext): Promise<void> {
  for (const step of [
    sql`alter table world add column strict integer not null default 0`,
    // Providers by field, as JSON text: only the lists that differ from those in use.
    sql`alter table world add column providers text not null default '{}'`,
    sql`alter table requests add column remarks text not null default '[]'`,
  ]) {
    await step.execute(db)
  }
}
