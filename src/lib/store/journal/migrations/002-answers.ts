/** Orders and wallet: an acceptance that says more than a payout's. */
import type { Transaction } from 'kysely'

export async function answers(db: Transaction<unknown>): Promise<void> {
  await db.schema.alterTable('intents').addColumn('answer', 'text').execute()
}
