/** The fourth step of a plan's history: a lease says since when it is held. */
import type { MigrationContext } from '../../engine/store.ts'

export async function heldSince(db: MigrationContext): Promise<void> {
  await db.schema.alterTable('plans').addColumn('held_since', 'text').execute()
}
