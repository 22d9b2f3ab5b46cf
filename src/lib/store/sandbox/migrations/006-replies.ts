/** The replies of the receivers of callbacks, beside the HTTP status. */

import { sql } from 'kysely'
import type { MigrationContext } from '../../engine/store.ts'

export async function replies(db: MigrationContext): Promise<void> {
  await sql`alter table callback_attempts add column reply text`.execute(db)
}
