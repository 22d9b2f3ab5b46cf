/** The journal's tables: intents, and the attempts to carry them out. */
import type { Kysely, Transaction } from 'kysely'
import { services } from './journal-services.ts'
import type { Schema } from './store.ts'

export interface IntentRow {
  readonly id: string
  readonly operation: string
  readonly profile: string
  readonly environment: string
  /** Which service, and which client of it: together with the unique id they name a payment. */
  readonly service: string
  readonly client_id: string
  readonly unique_id: string
  readonly business_key: string | null
  /** The request as JSON text, values as they are held inside. */
  readonly body: string
  /** Digest of the request's meaning: "12.5" and "12.50" are the same body. */
  readonly body_digest: string
  /** toIban, receiver type and id, or the order it is about: what the duplicate guard compares. */
  readonly payee: string
  /** Minor units as text: one form for every engine. Empty where the write moves no sum of its own. */
  readonly amount_minor: string
  /** Empty where the request names none. */
  readonly currency: string
  readonly state: string
  readonly transaction_id: string | null
  readonly status: string | null
  readonly status_description: string | null
  /** createdAt as the service sent it, without zone. */
  readonly service_created_at: string | null
  /** Why it is settled as it is, in words. */
  readonly because: string | null
  readonly opened_at: string
  readonly changed_at: string
  /** Who has it in flight, and until when at the latest (ISO). */
  readonly holder: string | null
  readonly held_until: string | null
  /** The end of the hold as a start of the machine and the milliseconds since: no setting of the clock moves it. */
  readonly held_until_steady: string | null
  /**
   * Whether the sum that the service executed is known to be this one: "yes", "no"; "other" where a read has shown another one;
   * null where nothing was executed.
   */
  readonly sum_confirmed: string | null
  readonly digest: string
  /** What the service answered to the accepted attempt, as JSON text; null for payouts, whose columns hold it. */
  readonly answer: string | null
  /** The service's own name, which stays when it moves. */
  readonly service_id: string
  /** The one form of the address it was sent to. */
  readonly origin: string
}

export interface AttemptRow {
  readonly intent_id: string
  readonly number: number
  readonly started_at: string
  /** The same moment as a start of the machine and the milliseconds since; null where the system does not tell it. */
  readonly started_steady: string | null
  readonly ended_at: string | null
  readonly body_digest: string
  readonly outcome: string | null
  readonly http: number | null
  readonly status_code: number | null
  readonly exception_group: number | null
  readonly message: string | null
  readonly why: string | null
  readonly digest: string
}

export interface JournalTables {
  intents: IntentRow
  attempts: AttemptRow
}

export type Reader = Kysely<JournalTables>
export type Writer = Transaction<JournalTables>

async function first(db: Transaction<unknown>): Promise<void> {
  await db.schema
    .createTable('intents')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('profile', 'text', (column) => column.notNull())
    .addColumn('environment', 'text', (column) => column.notNull())
    .addColumn('service', 'text', (column) => column.notNull())
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
    .addUniqueConstraint('one_intent_per_id', ['service', 'client_id', 'operation', 'unique_id'])
    .execute()
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
    .addPrimaryKeyConstraint('attempts_key', ['intent_id', 'number'])
    .execute()
  await db.schema.createIndex('intents_by_transaction').on('intents').column('transaction_id').execute()
  await db.schema.createIndex('intents_by_time').on('intents').column('opened_at').execute()
  await db.schema.createIndex('intents_by_state').on('intents').column('state').execute()
}

/** Orders and wallet: an acceptance that says more than a payout's. */
async function answers(db: Transaction<unknown>): Promise<void> {
  await db.schema.alterTable('intents').addColumn('answer', 'text').execute()
}

/** Time that no setting of the clock moves, and whether the executed sum is known. */
async function steadyTimes(db: Transaction<unknown>): Promise<void> {
  await db.schema.alterTable('intents').addColumn('held_until_steady', 'text').execute()
  await db.schema.alterTable('intents').addColumn('sum_confirmed', 'text').execute()
  await db.schema.alterTable('attempts').addColumn('started_steady', 'text').execute()
}

export const journalSchema: Schema = {
  title: 'the journal',
  migrations: [first, answers, steadyTimes, services],
}
