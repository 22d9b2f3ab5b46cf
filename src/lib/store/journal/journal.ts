/**
 * The journal's queries. Every row carries a digest of its own values: SQLite notices a broken page, but not a
 * changed letter inside a cell, and a changed id is a second payment.
 */
import { sql } from 'kysely'
import { originOf, type ServicePlace } from '../../contract/service.ts'
import { Failure } from '../../failure.ts'
import { FailureBeforeSending } from '../../failure-before-sending.ts'
import { hint, paste } from '../../hint.ts'
import type { AttemptRow, IntentRow, JournalReader, JournalWriter } from './schema.ts'
import { isSealed, sealed } from './seal.ts'
import * as statements from './statements.ts'
import { ofClient, ofService } from './statements.ts'

/** The row if it is as paydesk wrote it. Throws bug (1). */
export function wholeRow<Row extends IntentRow | AttemptRow>(row: Row): Row {
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

/** The columns that say which client of which service it is. */
export function scopeColumns({ service, serviceId, environment, clientId }: ServicePlace) {
  return { service_id: serviceId, origin: originOf(service), environment, client_id: clientId }
}

export function isExecuted({ state }: Pick<IntentRow, 'state'>): boolean {
  return state === 'accepted' || state === 'exists'
}

export interface IntentKey extends ServicePlace {
  readonly operation: string
  readonly uniqueId: string
}

export async function findIntent(db: JournalReader, key: IntentKey): Promise<IntentRow | null> {
  const { operation, uniqueId } = key
  const rows = await statements.intentsUnder(db, { ...scopeColumns(key), operation, unique_id: uniqueId })
  // Spellings of one address were services of their own once: of two under one id the one that ran counts.
  const row = rows.find(isExecuted) ?? rows.find(({ state }) => state === 'unknown') ?? rows[0]
  return row ? wholeRow(row) : null
}

export interface IntentName extends IntentKey {
  /** Names it where there is one, and the unique id where there is none. */
  readonly businessKey: string | null
  /** Also what this profile sent as the same client to other addresses. */
  readonly orOfProfile?: string
}

/** Writes of this name, the newest first. */
export async function intentsOfName(db: JournalReader, name: IntentName): Promise<IntentRow[]> {
  const { operation, uniqueId, businessKey, orOfProfile } = name
  const named = businessKey === null ? { unique_id: uniqueId } : { business_key: businessKey }
  const across = orOfProfile === undefined ? {} : { profile: orOfProfile }
  return (await statements.intentsNamed(db, { ...scopeColumns(name), operation, ...named, ...across })).map(wholeRow)
}

async function intentById(db: JournalReader, id: string): Promise<IntentRow | null> {
  const [row] = await statements.intentOfId(db, { id })
  return row ? wholeRow(row) : null
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
  /** Only those that stand behind this one in the list. */
  readonly after?: Pick<IntentRow, 'opened_at' | 'id'>
  readonly limit?: number
}

/** Intents, the newest first. */
export async function listIntents(db: JournalReader, filter: IntentFilter): Promise<IntentRow[]> {
  let query = db.selectFrom('intents').selectAll().orderBy('opened_at', 'desc').orderBy('id')
  const { scope, orOfProfile, profile, states, since, until, named, mayName, uniqueIds, operations, alike, limit } =
    filter
  const { businessKeys, payees, after } = filter
  if (scope) {
    query = query.where((is) => {
      const own = ofService(is, scopeColumns(scope))
      if (orOfProfile === undefined) return own
      return is.or([own, is.and([is('profile', '=', orOfProfile), ...ofClient(is, scopeColumns(scope))])])
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
    const written = JSON.stringify(mayName).slice(1, -1)
    const isWritten = sql<boolean>`replace(lower(body), lower(${written}), '') <> lower(body)`
    query = query.where((is) => is.or([is('unique_id', '=', mayName), isWritten]))
  }
  if (alike) {
    query = query
      .where('operation', '=', alike.operation)
      .where('payee', '=', alike.payee)
      .where('amount_minor', '=', alike.amount_minor)
      .where('currency', '=', alike.currency)
  }
  if (after) {
    query = query.where((is) =>
      is.or([
        is('opened_at', '<', after.opened_at),
        is.and([is('opened_at', '=', after.opened_at), is('id', '>', after.id)]),
      ]),
    )
  }
  if (limit !== undefined) query = query.limit(limit)
  return (await query.execute()).map(wholeRow)
}

/** The columns of a row that changes name. */
function only<Row extends object>(row: Row, changes: Partial<Row>): Partial<Row> {
  const names = Object.keys(changes) as (keyof Row)[]
  return Object.fromEntries(names.map((name) => [name, row[name]])) as Partial<Row>
}

export async function addIntent(db: JournalWriter, row: Omit<IntentRow, 'digest'>): Promise<IntentRow> {
  const intent = sealed<IntentRow>(row)
  await statements.insertIntent(db, intent)
  return intent
}

export async function changeIntent(
  db: JournalWriter,
  intent: IntentRow,
  changes: Partial<Omit<IntentRow, 'digest' | 'id'>>,
): Promise<IntentRow> {
  const changed = sealed<IntentRow>({ ...intent, ...changes })
  await statements.updateIntent(db, { ...only(changed, changes), digest: changed.digest, id: intent.id })
  return changed
}

export async function attemptsOf(db: JournalReader, intentId: string): Promise<AttemptRow[]> {
  return (await statements.attemptsOfIntent(db, { intent_id: intentId })).map(wholeRow)
}

export async function addAttempt(db: JournalWriter, row: Omit<AttemptRow, 'digest'>): Promise<AttemptRow> {
  const attempt = sealed<AttemptRow>(row)
  await statements.insertAttempt(db, attempt)
  return attempt
}

export async function changeAttempt(
  db: JournalWriter,
  attempt: AttemptRow,
  changes: Partial<Omit<AttemptRow, 'digest' | 'intent_id' | 'number'>>,
): Promise<AttemptRow> {
  const { intent_id, number } = attempt
  const changed = sealed<AttemptRow>({ ...attempt, ...changes })
  await statements.updateAttempt(db, { ...only(changed, changes), digest: changed.digest, intent_id, number })
  return changed
}
