/** Time that no setting of the clock moves, and whether the executed sum is known. */

import type { MigrationContext } from '../../engine/store.ts'

export async function steadyTimes(db: MigrationContext): Promise<void> {
  await db.schema.alterTable('intents').addColumn('held_until_steady', 'text').execute()
  await db.schema.alterTable('intents').addColumn('sum_confirmed', 'text').execute()
  await db.schema.alterTable('attempts').addColumn('started_steady', 'text').execute()
}
