/**
 * The journal's tables and queries. Every row carries a digest of its own values: SQLite notices a broken page, but not a
 * changed letter inside a cell, and a changed id is a second payment.
 */
import { createHash } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import { Failure } from '../failure.ts'
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
  /** toIban, or receiver type and id: what the duplicate guard compares. */
  readonly payee: string
  /** Minor units as text: one form for every engine. */
  readonly amount_minor: string
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
  readonly digest: string
}

export interface AttemptRow {
  readonly intent_id: string
  readonly number: number
  readonly started_at: string
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

export const journalSchema: Schema = { title: 'the journal', migrations: [first] }

function digestOf(row: Readonly<Record<string, unknown>>): string {
  const values = Object.entries(row)
    .filter(([name]) => name !== 'digest')
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(values)).digest('base64url')
}

function sealed<Row extends { readonly digest: string }>(row: Omit<Row, 'digest'>): Row {
  return { ...row, digest: digestOf(row) } as Row
}

function whole<Row extends IntentRow | AttemptRow>(row: Row): Row {
  if (row.digest === digestOf({ ...row })) return row
  const name = 'intent_id' in row ? `an attempt of ${row.intent_id}` : `the intent ${row.id}`
  throw new Failure('bug', `the journal is damaged: ${name} was changed outside paydesk; nothing was sent`, {
    moneyMoved: 'no',
    hints: ['Copy the journal away as evidence, then restore the newest backup.'],
  })
}

export interface IntentKey {
  readonly service: string
  readonly clientId: string
  readonly operation: string
  readonly uniqueId: string
}

export async function findIntent(db: Reader, key: IntentKey): Promise<IntentRow | null> {
  const row = await db
    .selectFrom('intents')
    .selectAll()
    .where('service', '=', key.service)
    .where('client_id', '=', key.clientId)
    .where('operation', '=', key.operation)
    .where('unique_id', '=', key.uniqueId)
    .executeTakeFirst()
  return row ? whole(row) : null
}

export async function intentById(db: Reader, id: string): Promise<IntentRow | null> {
  const row = await db.selectFrom('intents').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? whole(row) : null
}

export interface IntentFilter {
  readonly service?: string
  readonly clientId?: string
  readonly profile?: string
  readonly states?: readonly string[]
  /** ISO times, UTC. */
  readonly since?: string
  readonly until?: string
  /** A journal id, unique id, business key or transaction id. */
  readonly named?: string
  readonly twinOf?: { readonly payee: string; readonly amountMinor: string; readonly currency: string }
  readonly limit?: number
}

/** Intents, the newest first. */
export async function listIntents(db: Reader, filter: IntentFilter): Promise<IntentRow[]> {
  let query = db.selectFrom('intents').selectAll().orderBy('opened_at', 'desc').orderBy('id')
  const { service, clientId, profile, states, since, until, named, twinOf, limit } = filter
  if (service !== undefined) query = query.where('service', '=', service)
  if (clientId !== undefined) query = query.where('client_id', '=', clientId)
  if (profile !== undefined) query = query.where('profile', '=', profile)
  if (states) query = query.where('state', 'in', states)
  if (since !== undefined) query = query.where('opened_at', '>=', since)
  if (until !== undefined) query = query.where('opened_at', '<', until)
  if (named !== undefined) {
    query = query.where((is) =>
      is.or([
        is('id', '=', named),
        is('unique_id', '=', named),
        is('transaction_id', '=', named),
        is('business_key', '=', named),
      ]),
    )
  }
  if (twinOf) {
    query = query
      .where('payee', '=', twinOf.payee)
      .where('amount_minor', '=', twinOf.amountMinor)
      .where('currency', '=', twinOf.currency)
  }
  if (limit !== undefined) query = query.limit(limit)
  return (await query.execute()).map(whole)
}

export async function addIntent(db: Writer, row: Omit<IntentRow, 'digest'>): Promise<IntentRow> {
  const intent = sealed<IntentRow>(row)
  await db.insertInto('intents').values(intent).execute()
  return intent
}

export async function changeIntent(
  db: Writer,
  intent: IntentRow,
  changes: Partial<Omit<IntentRow, 'digest' | 'id'>>,
): Promise<IntentRow> {
  const changed = sealed<IntentRow>({ ...intent, ...changes })
  await db.updateTable('intents').set(changed).where('id', '=', intent.id).execute()
  return changed
}

export async function attemptsOf(db: Reader, intentId: string): Promise<AttemptRow[]> {
  const rows = await db.selectFrom('attempts').selectAll().where('intent_id', '=', intentId).orderBy('number').execute()
  return rows.map(whole)
}

export async function addAttempt(db: Writer, row: Omit<AttemptRow, 'digest'>): Promise<AttemptRow> {
  const attempt = sealed<AttemptRow>(row)
  await db.insertInto('attempts').values(attempt).execute()
  return attempt
}

export async function changeAttempt(
  db: Writer,
  attempt: AttemptRow,
  changes: Partial<Omit<AttemptRow, 'digest' | 'intent_id' | 'number'>>,
): Promise<void> {
  await db
    .updateTable('attempts')
    .set(sealed<AttemptRow>({ ...attempt, ...changes }))
    .where('intent_id', '=', attempt.intent_id)
    .where('number', '=', attempt.number)
    .execute()
}
