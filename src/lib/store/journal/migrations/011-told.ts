/** The eleventh step of the journal's history: what was known of a thing before an attempt. */
import type { MigrationContext } from '../../engine/store.ts'

export async function toldStatuses(db: MigrationContext): Promise<void> {
  await db.schema.alterTable('attempts').addColumn('known', 'text').execute()
}
