/** The word of a person that rows of a plan are meant although payouts like them were sent: workers act on it. */
import { CompiledQuery } from 'kysely'
import type { MigrationContext } from '../../engine/store.ts'

export async function allowDuplicates(db: MigrationContext): Promise<void> {
  const added = 'alter table handed add column allow_duplicates integer not null default 0'
  await db.getExecutor().executeQuery(CompiledQuery.raw(added))
}
