/** A column of attempts: the status of its thing before it left. The eleventh step of a person's store. */
import { CompiledQuery } from 'kysely'
import type { MigrationContext } from '../../engine/store.ts'
import { textColumn } from './columns.ts'

export async function teamTold(db: MigrationContext): Promise<void> {
  await db.getExecutor().executeQuery(CompiledQuery.raw(`alter table attempts add column known ${textColumn}`))
}
