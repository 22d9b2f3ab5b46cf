/** The twelfth step of the journal's history: what a payee has besides name and account. */
import type { MigrationContext } from '../../engine/store.ts'

export async function payeeDetails(db: MigrationContext): Promise<void> {
  for (const column of ['identity_number', 'address', 'birth_date', 'currency']) {
    await db.schema.alterTable('payees').addColumn(column, 'text').execute()
  }
}
