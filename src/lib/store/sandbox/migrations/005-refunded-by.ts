/** The name that the service puts behind REFUNDED_BY_ for its own refunds: a setting of the world. */

import { sql } from 'kysely'
import type { MigrationContext } from '../../engine/store.ts'

export async function refundedBy(db: MigrationContext): Promise<void> {
  await sql`alter table world add column refunded_by text not null default 'SERVICE'`.execute(db)
}
