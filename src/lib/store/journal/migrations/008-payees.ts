/** The eighth step of the journal's history: payees that are known, and the payees of intents found without reading them all. */
import type { MigrationContext } from '../../engine/store.ts'

export async function payees(db: MigrationContext): Promise<void> {
  await db.schema
    .createTable('payees')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('profile', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('account', 'text', (column) => column.notNull())
    .addColumn('added_at', 'text', (column) => column.notNull())
    .addColumn('salt', 'text', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addUniqueConstraint('one_payee_per_account', ['profile', 'account'])
    .execute()
  // Asked before every payout: was this account paid before, was the same sum just sent to it?
  await db.schema.createIndex('intents_by_payee').on('intents').column('payee').execute()
}
