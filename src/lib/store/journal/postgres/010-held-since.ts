/** The lease of a team's plan says since when it is held: the fourth step of a machine's plans. */
import { CompiledQuery } from 'kysely'
import type { MigrationContext } from '../../engine/store.ts'
import { textColumn } from './columns.ts'

export async function teamHeldSince(db: MigrationContext): Promise<void> {
  await db.getExecutor().executeQuery(CompiledQuery.raw(`alter table plans add column held_since ${textColumn}`))
}
