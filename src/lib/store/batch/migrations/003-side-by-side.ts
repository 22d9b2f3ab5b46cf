/** The third step of a plan's history: rows say whose they are, as they do where the plans of a team lie side by side. */
import { sql, type Transaction } from 'kysely'
import type { MigrationContext } from '../../engine/store.ts'

export async function sideBySide(unknown: MigrationContext): Promise<void> {
  const db = unknown as Transaction<unknown>
  await db.schema.alterTable('plan').renameTo('plans').execute()
  await db.schema.alterTable('rows').renameTo('plan_rows').execute()
  await db.schema
    .alterTable('plan_rows')
    .addColumn('plan_id', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  await sql`update plan_rows set plan_id = (select id from plans)`.execute(db)
}
