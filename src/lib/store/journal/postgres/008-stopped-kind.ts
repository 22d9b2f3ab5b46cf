/** The kind of failure that stopped a plan for the workers of a team, beside its words. */
import { CompiledQuery } from 'kysely'
import type { MigrationContext } from '../../engine/store.ts'
import { textColumn } from './columns.ts'

export async function stoppedKind(db: MigrationContext): Promise<void> {
  await db.getExecutor().executeQuery(CompiledQuery.raw(`alter table handed add column stopped_kind ${textColumn}`))
}
