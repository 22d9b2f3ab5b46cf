/** The tenth step of the journal's history: when the personal data of a payment was removed. */
import type { MigrationContext } from '../../engine/store.ts'

export async function removed(db: MigrationContext): Promise<void> {
  await db.schema.alterTable('intents').addColumn('removed_at', 'text').execute()
}
