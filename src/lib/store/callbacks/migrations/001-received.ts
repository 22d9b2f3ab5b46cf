/** Callbacks as they came, what was made of them, and where they were sent on to. */

import type { MigrationContext } from '../../engine/store.ts'

async function received(db: MigrationContext): Promise<void> {
  await db.schema
    .createTable('received')
    .addColumn('seq', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('received_at', 'text', (column) => column.notNull())
    .addColumn('remote', 'text', (column) => column.notNull())
    .addColumn('profile', 'text')
    .addColumn('method', 'text', (column) => column.notNull())
    .addColumn('target', 'text', (column) => column.notNull())
    .addColumn('headers', 'text', (column) => column.notNull())
    .addColumn('body_digest', 'text', (column) => column.notNull())
    .addColumn('body', 'blob', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('opened')
    .addColumn('seq', 'integer', (column) => column.primaryKey().references('received.seq'))
    .addColumn('opened_at', 'text', (column) => column.notNull())
    .addColumn('how', 'text', (column) => column.notNull())
    .addColumn('scheme', 'text')
    .addColumn('why', 'text')
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('order_id', 'text')
    .addColumn('transaction_id', 'text')
    .addColumn('subscription_id', 'text')
    .addColumn('status', 'text')
    .addColumn('about', 'text')
    .addColumn('duplicate_of', 'text')
    .addColumn('signature', 'text')
    .addColumn('fields', 'text')
    .execute()
}

async function deliveries(db: MigrationContext): Promise<void> {
  await db.schema
    .createTable('deliveries')
    .addColumn('seq', 'integer', (column) => column.notNull().references('received.seq'))
    .addColumn('target', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('due', 'integer', (column) => column.notNull())
    .addColumn('tries', 'integer', (column) => column.notNull())
    .addColumn('since', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('deliveries_key', ['seq', 'target'])
    .execute()
  await db.schema
    .createTable('delivery_attempts')
    .addColumn('number', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('seq', 'integer', (column) => column.notNull().references('received.seq'))
    .addColumn('target', 'text', (column) => column.notNull())
    .addColumn('by', 'text', (column) => column.notNull())
    .addColumn('edited', 'integer', (column) => column.notNull())
    .addColumn('started_at', 'text', (column) => column.notNull())
    .addColumn('milliseconds', 'integer', (column) => column.notNull())
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addColumn('http', 'integer')
    .addColumn('why', 'text')
    .execute()
}

async function indices(db: MigrationContext): Promise<void> {
  const indexed = [
    ['received', 'received_at'],
    ['received', 'body_digest'],
    ['opened', 'about'],
    ['opened', 'order_id'],
    ['delivery_attempts', 'seq'],
  ] as const
  for (const [table, column] of indexed) {
    await db.schema.createIndex(`${table}_by_${column}`).on(table).column(column).execute()
  }
  await db.schema
    .createIndex('deliveries_by_state')
    .on('deliveries')
    .columns(['state', 'target', 'seq'] as never[])
    .execute()
}

export async function receivedCallbacks(db: MigrationContext): Promise<void> {
  await received(db)
  await deliveries(db)
  await indices(db)
}
