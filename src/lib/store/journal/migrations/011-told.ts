/** The eleventh step of the journal's history: what was known of a thing before an attempt, and what an answer without a meaning told of it. */
import type { MigrationContext } from '../../engine/store.ts'

export async function toldStatuses(db: MigrationContext): Promise<void> {
  for (const column of ['known', 'told']) await db.schema.alterTable('attempts').addColumn(column, 'text').execute()
}
