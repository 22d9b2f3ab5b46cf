/** When the personal data of a payment was removed: the tenth step of a person's store. */
import { CompiledQuery } from 'kysely'
import type { MigrationContext } from '../../engine/store.ts'
import { textColumn } from './columns.ts'

export async function teamRemoved(db: MigrationContext): Promise<void> {
  await db.getExecutor().executeQuery(CompiledQuery.raw(`alter table intents add column removed_at ${textColumn}`))
}
