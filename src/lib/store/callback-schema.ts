/**
 * The tables of received callbacks. What came over the wire (`received`) is only ever added to; what was made of it stands
 * beside it, one row each, so that nothing can be opened twice.
 */
import type { Generated, Kysely, Transaction } from 'kysely'
import type { Schema } from './store.ts'

export interface ReceivedRow {
  /** The order in which they were stored. */
  readonly seq: Generated<number>
  readonly id: string
  readonly received_at: string
  readonly remote: string
  /** The profile of the listener; null where it had none. */
  readonly profile: string | null
  readonly method: string
  /** Path and query as they stood in the start line. */
  readonly target: string
  /** A JSON list of [name, value], as they came. */
  readonly headers: string
  /** The exact bytes. */
  readonly body: Uint8Array
  readonly body_digest: string
}

export interface OpenedRow {
  readonly seq: number
  readonly opened_at: string
  readonly how: string
  readonly scheme: string | null
  /** Why it could not be opened or read. */
  readonly why: string | null
  readonly kind: string
  readonly order_id: string | null
  readonly transaction_id: string | null
  readonly subscription_id: string | null
  readonly status: string | null
  /** What it is about; two of the same text say the same. */
  readonly about: string | null
  /** The id of the first that said the same. */
  readonly duplicate_of: string | null
  readonly signature: string | null
  /** What it says as JSON text, tokens of cards masked; null where it cannot be read. */
  readonly fields: string | null
}

/** One callback on its way to one target. */
export interface DeliveryRow {
  readonly seq: number
  readonly target: string
  readonly state: string
  /** Milliseconds since 1970. */
  readonly due: number
  readonly tries: number
  readonly since: number
}

export interface DeliveryAttemptRow {
  readonly number: Generated<number>
  readonly seq: number
  readonly target: string
  /** `forward` by the listener, or `replay` by hand. */
  readonly by: string
  /** 1 where what was sent is not what came. */
  readonly edited: number
  readonly started_at: string
  readonly milliseconds: number
  readonly outcome: string
  readonly http: number | null
  readonly why: string | null
}

export interface CallbackTables {
  received: ReceivedRow
  opened: OpenedRow
  deliveries: DeliveryRow
  delivery_attempts: DeliveryAttemptRow
}

export type Reader = Kysely<CallbackTables>
export type Writer = Transaction<CallbackTables>

async function received(db: Transaction<unknown>): Promise<void> {
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

async function deliveries(db: Transaction<unknown>): Promise<void> {
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

async function indices(db: Transaction<unknown>): Promise<void> {
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

async function first(db: Transaction<unknown>): Promise<void> {
  await received(db)
  await deliveries(db)
  await indices(db)
}

export const callbackSchema: Schema = { title: 'the store of callbacks', migrations: [first] }
