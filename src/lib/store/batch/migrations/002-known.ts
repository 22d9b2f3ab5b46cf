/**
 * The second step of a plan's history: what the journal knew of each row when it was planned. A row of an earlier plan says nothing,
 * so what became of it counts as the plan's own: nothing is sent again for it.
 */

import type { MigrationContext } from '../../engine/store.ts'

export async function known(db: MigrationContext): Promise<void> {
  await db.schema.alterTable('rows').addColumn('known_opened_at', 'text').execute()
  await db.schema.alterTable('rows').addColumn('known_changed_at', 'text').execute()
}
