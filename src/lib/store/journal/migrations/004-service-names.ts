/**
 * The fourth step of the journal's history: an intent knows its service by a name of its own, and by one form of the address it
 * was sent to. The uniqueness of an id grows by the environment, which SQLite allows only by writing the tables anew. A row
 * that was changed outside paydesk is taken over as it is: its digest goes on telling so.
 */

import { type Selectable, sql, type Transaction } from 'kysely'
import { originOf } from '../../../contract/service.ts'
import type { MigrationContext } from '../../engine/store.ts'
import { isSealed, sealed } from '../seal.ts'

interface EarlierIntent {
  readonly id: string
  readonly service: string
  readonly digest: string
}

interface NamedIntent extends EarlierIntent {
  readonly service_id: string
  readonly origin: string
}

interface Tables {
  earlier_intents: EarlierIntent
  intents: NamedIntent
}

/** So many rows are held in memory at once. */
const atOnce = 500

const index = ['transaction_id', 'opened_at', 'state', 'unique_id', 'business_key'] as const

export async function services(unknown: MigrationContext): Promise<void> {
  const db = unknown as Transaction<Tables>
  await db.schema.alterTable('intents').renameTo('earlier_intents').execute()
  await createIntents(db)
  for (let last = ''; ; ) {
    const earlier = await db
      .selectFrom('earlier_intents')
      .selectAll()
      .where('id', '>', last)
      .orderBy('id')
      .limit(atOnce)
      .execute()
    for (const row of earlier) await db.insertInto('intents').values(named(row)).execute()
    const end = earlier.at(-1)
    if (!end) break
    last = end.id
  }
  await moveAttempts(db)
  await db.schema.dropTable('earlier_intents').execute()
  for (const column of index) await db.schema.createIndex(`intents_by_${column}`).on('intents').column(column).execute()
}

function named(row: Selectable<EarlierIntent>): NamedIntent {
  const origin = URL.canParse(row.service) ? originOf(row.service) : row.service
  const { digest, ...values } = { ...row, service_id: origin, origin }
  return isSealed(row) ? sealed<NamedIntent>(values) : { ...values, digest }
}

function createIntents(db: Transaction<Tables>): Promise<void> {
  return db.schema
    .createTable('intents')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('profile', 'text', (column) => column.notNull())
    .addColumn('environment', 'text', (column) => column.notNull())
    .addColumn('service', 'text', (column) => column.notNull())
    .addColumn('service_id', 'text', (column) => column.notNull())
    .addColumn('origin', 'text', (column) => column.notNull())
    .addColumn('client_id', 'text', (column) => column.notNull())
    .addColumn('unique_id', 'text', (column) => column.notNull())
    .addColumn('business_key', 'text')
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('body_digest', 'text', (column) => column.notNull())
    .addColumn('payee', 'text', (column) => column.notNull())
    .addColumn('amount_minor', 'text', (column) => column.notNull())
    .addColumn('currency', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('transaction_id', 'text')
    .addColumn('status', 'text')
    .addColumn('status_description', 'text')
    .addColumn('service_created_at', 'text')
    .addColumn('because', 'text')
    .addColumn('opened_at', 'text', (column) => column.notNull())
    .addColumn('changed_at', 'text', (column) => column.notNull())
    .addColumn('holder', 'text')
    .addColumn('held_until', 'text')
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('answer', 'text')
    .addColumn('held_until_steady', 'text')
    .addColumn('sum_confirmed', 'text')
    .addUniqueConstraint('one_intent_per_id', ['service', 'environment', 'client_id', 'operation', 'unique_id'])
    .execute()
}

/** The attempts follow, because they point to the table of the intents by its name. */
async function moveAttempts(db: Transaction<Tables>): Promise<void> {
  await db.schema.alterTable('attempts').renameTo('earlier_attempts').execute()
  await db.schema
    .createTable('attempts')
    .addColumn('intent_id', 'text', (column) => column.notNull().references('intents.id'))
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('started_at', 'text', (column) => column.notNull())
    .addColumn('ended_at', 'text')
    .addColumn('body_digest', 'text', (column) => column.notNull())
    .addColumn('outcome', 'text')
    .addColumn('http', 'integer')
    .addColumn('status_code', 'integer')
    .addColumn('exception_group', 'integer')
    .addColumn('message', 'text')
    .addColumn('why', 'text')
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('started_steady', 'text')
    .addPrimaryKeyConstraint('attempts_key', ['intent_id', 'number'])
    .execute()
  await sql`insert into attempts select * from earlier_attempts`.execute(db)
  await db.schema.dropTable('earlier_attempts').execute()
}
