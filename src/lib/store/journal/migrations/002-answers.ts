/** Orders and wallet: an acceptance that says more than a payout's. */

import type { MigrationContext } from '../../engine/store.ts'

export async function answers(db: MigrationContext): Promise<void> {
  await db.schema.alterTable('intents').addColumn('answer', 'text').execute()
}
