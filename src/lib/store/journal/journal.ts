/**
 * The journal's queries. Every row carries a digest of its own values: SQLite notices a broken page, but not a
 * changed letter inside a cell, and a changed id is a second payment.
 */
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { originOf, type ServicePlace } from '../../contract/service.ts'
import { Failure } from '../../failure.ts'
import { FailureBeforeSending } from '../../failure-before-sending.ts'
import { hint, paste } from '../../hint.ts'
import type { AttemptRow, IntentRow, JournalReader, JournalTables, JournalWriter } from './schema.ts'
import { isSealed, sealed } from './seal.ts'

function whole<Row extends IntentRow | AttemptRow>(row: Row): Row {
  if (isSealed(row)) return row
  const name = 'intent_id' in row ? `an attempt of ${row.intent_id}` : `the intent ${row.id}`
  throw damagedRow(name)
}

/** The failure (1) for a row that is not as paydesk wrote it. */
export function damagedRow(name: string): Failure {
  return new FailureBeforeSending('bug', `the journal is damaged: ${name} was changed outside paydesk`, {
    moneyMoved: 'no',
    hints: [
      hint`\`${paste('journal verify')}\` says what else was; copy the journal away as evidence, then restore the newest backup.`,
    ],
  })
}

/** Of one client of a service: known by its identity or by the address it was sent to, however that was spelled. */
function ofService(is: ExpressionBuilder<JournalTables, 'intents'>, scope: ServicePlace): Expression<SqlBool> {
  return is.and([
    is.or([is('service_id', '=', scope.serviceId), is('origin', '=', originOf(scope.service))]),
    ...ofClient(is, scope),
  ])
}

function ofClient(is: ExpressionBuilder<JournalTables, 'intents'>, { environment, clientId }: ServicePlace) {
  return [is('environment', '=', environment), is('client_id', '=', clientId)]
}

export function isExecuted({ state }: Pick<IntentRow, 'state'>): boolean {
  return state === 'accepted' || state === 'exists'
}

export interface IntentKey extends ServicePlace {
  readonly operation: string
  readonly uniqueId: string
}

export async function findIntent(db: JournalReader, key: IntentKey): Promise<IntentRow | null> {
  const rows = await db
    .selectFrom('intents')
    .selectAll()
    .where((is) => ofService(is, key))
    .where('operation', '=', key.operation)
    .where('unique_id', '=', key.uniqueId)
    .orderBy('opened_at', 'desc')
    .execute()
  // Spellings of one address were services of their own once: of two under one id the one that ran counts.
  const row = rows.find(isExecuted) ?? rows.find(({ state }) => state === 'unknown') ?? rows[0]
  return row ? whole(row) : null
}

async function intentById(db: JournalReader, id: string): Promise<IntentRow | null> {
  const row = await db.selectFrom('intents').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? whole(row) : null
}

/** The same of an id that the journal itself has given. */
export async function recordedIntent(db: JournalReader, id: string): Promise<IntentRow> {
  const row = await intentById(db, id)
  if (!row) throw new Failure('bug', `the intent ${id} is not in the journal`)
  return row
}

export interface IntentFilter {
  /** One client of a service; with `orOfProfile` also what this profile sent as the same client to other addresses. */
  readonly scope?: ServicePlace
  readonly orOfProfile?: string
  readonly profile?: string
  readonly states?: readonly string[]
  /** ISO times, UTC. */
  readonly since?: string
  readonly until?: string
  /** A journal id, unique id, business key or transaction id. */
  readonly named?: string
  /** The id of a thing: writes that bear it, and writes whose request may name it; the caller reads the request. */
  readonly mayName?: string
  readonly uniqueIds?: readonly string[]
  readonly businessKeys?: readonly string[]
  readonly payees?: readonly string[]
  readonly operations?: readonly string[]
  readonly alike?: Pick<IntentRow, 'operation' | 'payee' | 'amount_minor' | 'currency'>
  readonly limit?: number
}

/** Intents, the newest first. */
export async function listIntents(db: JournalReader, filter: IntentFilter): Promise<IntentRow[]> {
  let query = db.selectFrom('intents').selectAll().orderBy('opened_at', 'desc').orderBy('id')
  const { scope, orOfProfile, profile, states, since, until, named, mayName, uniqueIds, operations, alike, limit } =
    filter
  const { businessKeys, payees } = filter
  if (scope) {
    query = query.where((is) => {
      const own = ofService(is, scope)
      if (orOfProfile === undefined) return own
      return is.or([own, is.and([is('profile', '=', orOfProfile), ...ofClient(is, scope)])])
    })
  }
  if (profile !== undefined) query = query.where('profile', '=', profile)
  if (states) query = query.where('state', 'in', states)
  if (uniqueIds) query = query.where('unique_id', 'in', uniqueIds)
  if (businessKeys) query = query.where('business_key', 'in', businessKeys)
  if (payees) query = query.where('payee', 'in', payees)
  if (operations) query = query.where('operation', 'in', operations)
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
  if (mayName !== undefined) {
    const written = `%${JSON.stringify(mayName).slice(1, -1)}%`
    query = query.where((is) => is.or([is('unique_id', '=', mayName), is('body', 'like', written)]))
  }
  if (alike) {
    query = query
      .where('operation', '=', alike.operation)
      .where('payee', '=', alike.payee)
      .where('amount_minor', '=', alike.amount_minor)
      .where('currency', '=', alike.currency)
  }
  if (limit !== undefined) query = query.limit(limit)
  return (await query.execute()).map(whole)
}

export async function addIntent(db: JournalWriter, row: Omit<IntentRow, 'digest'>): Promise<IntentRow> {
  const intent = sealed<IntentRow>(row)
  await db.insertInto('intents').values(intent).execute()
  return intent
}

export async function changeIntent(
  db: JournalWriter,
  intent: IntentRow,
  changes: Partial<Omit<IntentRow, 'digest' | 'id'>>,
): Promise<IntentRow> {
  const changed = sealed<IntentRow>({ ...intent, ...changes })
  await db.updateTable('intents').set(changed).where('id', '=', intent.id).execute()
  return changed
}

export async function attemptsOf(db: JournalReader, intentId: string): Promise<AttemptRow[]> {
  const rows = await db.selectFrom('attempts').selectAll().where('intent_id', '=', intentId).orderBy('number').execute()
  return rows.map(whole)
}

export async function addAttempt(db: JournalWriter, row: Omit<AttemptRow, 'digest'>): Promise<AttemptRow> {
  const attempt = sealed<AttemptRow>(row)
  await db.insertInto('attempts').values(attempt).execute()
  return attempt
}

export async function changeAttempt(
  db: JournalWriter,
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
