/** Orders remember the shape of the service that created them: recorded orders are captured, refunded and told otherwise. */

import { sql } from 'kysely'
import type { MigrationContext } from '../../engine/store.ts'

export async function recorded(db: MigrationContext): Promise<void> {
  await sql`alter table orders add column recorded integer not null default 0`.execute(db)
}
