/** What a payee has besides name and account: the twelfth step of a person's store. */
import { CompiledQuery } from 'kysely'
import type { MigrationContext } from '../../engine/store.ts'
import { textColumn } from './columns.ts'

export async function teamPayeeDetails(db: MigrationContext): Promise<void> {
  const added = ['identity_number', 'address', 'birth_date', 'currency'].map(
    (name) => `add column ${name} ${textColumn}`,
  )
  await db.getExecutor().executeQuery(CompiledQuery.raw(`alter table payees ${added.join(', ')}`))
}
