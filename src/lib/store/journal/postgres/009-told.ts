/** Two columns of attempts: the status of its thing before it left, and what an answer without a meaning told. The eleventh step of a person's store. */
import { CompiledQuery } from 'kysely'
import type { MigrationContext } from '../../engine/store.ts'
import { textColumn } from './columns.ts'

export async function teamTold(db: MigrationContext): Promise<void> {
  const added = ['known', 'told'].map((name) => `add column ${name} ${textColumn}`).join(', ')
  await db.getExecutor().executeQuery(CompiledQuery.raw(`alter table attempts ${added}`))
}
