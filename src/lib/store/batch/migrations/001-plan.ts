/** The plan that was agreed to, and its rows. */

import type { MigrationContext } from '../../engine/store.ts'

export async function plan(db: MigrationContext): Promise<void> {
  await db.schema
    .createTable('plan')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('facts', 'text', (column) => column.notNull())
    .addColumn('planned_at', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .addColumn('conditions', 'text', (column) => column.notNull())
    .addColumn('discarded_at', 'text')
    .addColumn('holder', 'text')
    .addColumn('held_until', 'text')
    .addColumn('held_until_steady', 'text')
    .addColumn('complete', 'integer', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('rows')
    .addColumn('number', 'integer', (column) => column.primaryKey())
    .addColumn('unique_id', 'text', (column) => column.notNull().unique())
    .addColumn('business_key', 'text')
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('request', 'text', (column) => column.notNull())
    .addColumn('payee', 'text', (column) => column.notNull())
    .addColumn('amount_minor', 'text', (column) => column.notNull())
    .addColumn('currency', 'text', (column) => column.notNull())
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('payment', 'text')
    .execute()
  await db.schema.createIndex('rows_by_payee').on('rows').column('payee').execute()
}
