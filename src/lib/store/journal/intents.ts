/**
 * The queries of intents and attempts. Every row carries a digest of its own values: SQLite notices a broken page, but not a
 * changed letter inside a cell, and a changed id is a second payment. The statements of a write stand in templates, because they
 * run for every row of a file.
 */
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { originOf, type ServicePlace } from '../../contract/service.ts'
import type { Steady } from '../../edge.ts'
import { Failure, FailureBeforeSending } from '../../failure.ts'
import { hint, paste } from '../../hint.ts'
import { type Slots, template } from '../engine/template.ts'
import { isIntact, withDigest } from './digest.ts'
import type { AttemptRow, IntentRow, JournalReader, JournalTables, JournalWriter } from './schema.ts'

/** The row if it is as paydesk wrote it. Throws bug (1). */
export function wholeRow<Row extends IntentRow | AttemptRow>(row: Row): Row {
  if (isIntact(row)) return row
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
  const rows = await intentsUnder(db, { ...scopeColumns(key), operation, unique_id: uniqueId })
  // A service that moved to another address can have two under one id: the one that ran counts.
  const row = rows.find(isExecuted) ?? rows.find(({ state }) => state === 'unknown') ?? rows[0]
  return row ? wholeRow(row) : null
}

export interface IntentName extends IntentKey {
  /** Names it where there is one, and the unique id where there is none. */
  readonly idempotencyKey: string | null
  /** Also what this profile sent as the same client to other addresses. */
  readonly orOfProfile?: string
}

/** Writes of this name, the newest first. */
export async function intentsOfName(db: JournalReader, name: IntentName): Promise<IntentRow[]> {
  const { operation, uniqueId, idempotencyKey, orOfProfile } = name
  const named = idempotencyKey === null ? { unique_id: uniqueId } : { business_key: idempotencyKey }
  const across = orOfProfile === undefined ? {} : { profile: orOfProfile }
  return (await intentsNamed(db, { ...scopeColumns(name), operation, ...named, ...across })).map(wholeRow)
}

async function intentById(db: JournalReader, id: string): Promise<IntentRow | null> {
  const [row] = await intentOfId(db, { id })
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
  readonly transactionIds?: readonly string[]
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
  const { businessKeys, transactionIds, payees, after } = filter
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
  if (transactionIds) query = query.where('transaction_id', 'in', transactionIds)
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
  const intent = withDigest<IntentRow>(row)
  await insertIntent(db, intent)
  return intent
}

export async function changeIntent(
  db: JournalWriter,
  intent: IntentRow,
  changes: Partial<Omit<IntentRow, 'digest' | 'id'>>,
): Promise<IntentRow> {
  const changed = withDigest<IntentRow>({ ...intent, ...changes })
  await updateIntent(db, { ...only(changed, changes), digest: changed.digest, id: intent.id })
  return changed
}

export async function attemptsOf(db: JournalReader, intentId: string): Promise<AttemptRow[]> {
  return (await attemptsOfIntent(db, { intent_id: intentId })).map(wholeRow)
}

export async function addAttempt(db: JournalWriter, row: Omit<AttemptRow, 'digest'>): Promise<AttemptRow> {
  const attempt = withDigest<AttemptRow>(row)
  await insertAttempt(db, attempt)
  return attempt
}

export async function changeAttempt(
  db: JournalWriter,
  attempt: AttemptRow,
  changes: Partial<Omit<AttemptRow, 'digest' | 'intent_id' | 'number'>>,
): Promise<AttemptRow> {
  const { intent_id, number } = attempt
  const changed = withDigest<AttemptRow>({ ...attempt, ...changes })
  await updateAttempt(db, { ...only(changed, changes), digest: changed.digest, intent_id, number })
  return changed
}

/** The columns that say which client of which service it is. */
export type ScopeColumns = Pick<IntentRow, 'service_id' | 'origin' | 'environment' | 'client_id'>

type Is = ExpressionBuilder<JournalTables, 'intents'>

/** Of one client of a service: known by its identity or by the address it was sent to, however that was spelled. */
export function ofService(is: Is, of: ScopeColumns | Slots<ScopeColumns>): Expression<SqlBool> {
  return is.and([is.or([is('service_id', '=', of.service_id), is('origin', '=', of.origin)]), ...ofClient(is, of)])
}

type ClientColumns = Pick<ScopeColumns, 'environment' | 'client_id'>

export function ofClient(is: Is, of: ClientColumns | Slots<ClientColumns>): Expression<SqlBool>[] {
  return [is('environment', '=', of.environment), is('client_id', '=', of.client_id)]
}

/** The newest first. */
export const intentsUnder = template(
  (db: JournalReader, of: Slots<ScopeColumns & Pick<IntentRow, 'operation' | 'unique_id'>>) =>
    db
      .selectFrom('intents')
      .selectAll()
      .where((is) => ofService(is, of))
      .where('operation', '=', of.operation)
      .where('unique_id', '=', of.unique_id)
      .orderBy('opened_at', 'desc'),
)

/**
 * The intents that bear a business key, or a unique id where no key is given; with a profile also those that it sent as the
 * same client to other addresses. The newest first.
 */
export const intentsNamed = template(
  (
    db: JournalReader,
    of: Slots<
      ScopeColumns & Pick<IntentRow, 'operation'> & { business_key?: string; unique_id?: string; profile?: string }
    >,
  ) => {
    const { profile, business_key, unique_id } = of
    return db
      .selectFrom('intents')
      .selectAll()
      .where((is) => {
        const own = ofService(is, of)
        return profile ? is.or([own, is.and([is('profile', '=', profile), ...ofClient(is, of)])]) : own
      })
      .where('operation', '=', of.operation)
      .where((is) => (business_key ? is('business_key', '=', business_key) : is('unique_id', '=', unique_id ?? null)))
      .orderBy('opened_at', 'desc')
      .orderBy('id')
  },
)

/** Values of one column, each under its place: a list of them has as many names. */
type Places = Readonly<Record<`at${number}`, string>>

function listed(of: Slots<Places>): Slots<Places>[`at${number}`][] {
  return Object.entries(of).flatMap(([name, slot]) => (/^at\d/.test(name) ? [slot] : []))
}

/** Values of a second column. */
type Sums = Readonly<Record<`sum${number}`, string>>

/** The values of a list by their places. It is filled up to the next power of two, so that few lists differ in length. */
export function placed(values: readonly string[]): Places {
  const length = 2 ** Math.ceil(Math.log2(Math.max(1, values.length)))
  const filled = Array.from({ length }, (_, at) => values[Math.min(at, values.length - 1)] ?? '')
  return Object.fromEntries(filled.map((value, at) => [`at${at}`, value]))
}

type OfProfile = ScopeColumns & Pick<IntentRow, 'operation' | 'profile'>

/** The writes with one of several ids or keys, of a client of a service, and of a profile wherever it sent as the same client. */
function namedAmong(column: 'unique_id' | 'business_key') {
  return template((db: JournalReader, of: Slots<OfProfile & Places>) =>
    db
      .selectFrom('intents')
      .select(['unique_id', 'business_key'])
      .where((is) => is.or([ofService(is, of), is.and([is('profile', '=', of.profile), ...ofClient(is, of)])]))
      .where('operation', '=', of.operation)
      .where(column, 'in', listed(of)),
  )
}

export const intentsOfIds = namedAmong('unique_id')

export const intentsOfKeys = namedAmong('business_key')

/** Writes since a moment, and those in flight, to one of these payees (`at0` …) and of one of these sums in minor units (`sum0` …). */
export const intentsPaying = template(
  (
    db: JournalReader,
    of: Slots<ScopeColumns & Pick<IntentRow, 'operation' | 'profile'> & { since: string } & Places & Sums>,
  ) =>
    db
      .selectFrom('intents')
      .selectAll()
      .where((is) => is.or([ofService(is, of), is.and([is('profile', '=', of.profile), ...ofClient(is, of)])]))
      .where('operation', '=', of.operation)
      .where('payee', 'in', listed(of))
      .where(
        'amount_minor',
        'in',
        Object.entries(of).flatMap(([name, slot]) =>
          /^sum\d/.test(name) ? [slot as Slots<Sums>[`sum${number}`]] : [],
        ),
      )
      .where((is) => is.or([is('opened_at', '>=', of.since), is('held_until', 'is not', null)])),
)

/** The values of a second list, as `placed` has those of the first. */
export function placedSums(values: readonly string[]): Sums {
  return Object.fromEntries(Object.entries(placed(values)).map(([name, value]) => [name.replace('at', 'sum'), value]))
}

export const intentsAmong = template((db: JournalReader, of: Slots<Places>) =>
  db.selectFrom('intents').selectAll().where('id', 'in', listed(of)),
)

/** In the order of their numbers. */
export const attemptsAmong = template((db: JournalReader, of: Slots<Places>) =>
  db.selectFrom('attempts').selectAll().where('intent_id', 'in', listed(of)).orderBy('intent_id').orderBy('number'),
)

export const intentOfId = template((db: JournalReader, { id }: Slots<Pick<IntentRow, 'id'>>) =>
  db.selectFrom('intents').selectAll().where('id', '=', id),
)

export const insertIntent = template((db: JournalWriter, row: Slots<IntentRow>) => db.insertInto('intents').values(row))

/** Only what changes is written: a column that is written has its index written anew. */
export const updateIntent = template(
  (db: JournalWriter, { id, ...changed }: Slots<Partial<IntentRow> & Pick<IntentRow, 'id'>>) =>
    db.updateTable('intents').set(changed).where('id', '=', id),
)

export const attemptsOfIntent = template((db: JournalReader, { intent_id }: Slots<Pick<AttemptRow, 'intent_id'>>) =>
  db.selectFrom('attempts').selectAll().where('intent_id', '=', intent_id).orderBy('number'),
)

export const insertAttempt = template((db: JournalWriter, row: Slots<AttemptRow>) =>
  db.insertInto('attempts').values(row),
)

export const updateAttempt = template(
  (
    db: JournalWriter,
    { intent_id, number, ...changed }: Slots<Partial<AttemptRow> & Pick<AttemptRow, 'intent_id' | 'number'>>,
  ) => db.updateTable('attempts').set(changed).where('intent_id', '=', intent_id).where('number', '=', number),
)

/** Those of several ids and keys that the journal knows, whatever became of them: of one client, and of a profile elsewhere. */
export async function namesKnown(
  db: JournalReader,
  { operation, orOfProfile: profile, ...place }: Omit<IntentKey, 'uniqueId'> & { readonly orOfProfile: string },
  ids: readonly string[],
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const of = { ...scopeColumns(place), operation, profile }
  const byId = ids.length === 0 ? [] : await intentsOfIds(db, { ...of, ...placed(ids) })
  const byKey = keys.length === 0 ? [] : await intentsOfKeys(db, { ...of, ...placed(keys) })
  return new Set([...byId, ...byKey].flatMap(({ unique_id, business_key }) => [unique_id, business_key ?? unique_id]))
}

/** Writes since a moment, and those in flight, that pay one of these sums to one of these payees: of one client, and of a profile elsewhere. */
export async function intentsLike(
  db: JournalReader,
  { operation, orOfProfile: profile, ...place }: Omit<IntentKey, 'uniqueId'> & { readonly orOfProfile: string },
  wanted: readonly { readonly payee: string; readonly amountMinor: string | null }[],
  since: string,
): Promise<readonly IntentRow[]> {
  const payees = [...new Set(wanted.map(({ payee }) => payee))]
  const sums = [...new Set(wanted.map(({ amountMinor }) => amountMinor ?? ''))]
  const of = { ...scopeColumns(place), operation, profile, since }
  const found = await intentsPaying(db, {
    ...of,
    ...placed(payees),
    ...placedSums(sums),
  })
  return found.map(wholeRow)
}

/** Intents by their ids, with their attempts in their order: as they are found, so that one that is damaged harms no other. */
export async function intentsFound(db: JournalReader, ids: readonly string[]): Promise<Map<string, FoundIntent>> {
  const among = placed(ids)
  const intents = await intentsAmong(db, among)
  const attempts = new Map<string, AttemptRow[]>(intents.map(({ id }) => [id, []]))
  for (const attempt of await attemptsAmong(db, among)) attempts.get(attempt.intent_id)?.push(attempt)
  return new Map(intents.map((row) => [row.id, { row, attempts: attempts.get(row.id) ?? [] }]))
}

export interface FoundIntent {
  readonly row: IntentRow
  readonly attempts: readonly AttemptRow[]
}

const digestsOfIntents = template((db: JournalReader, of: Slots<Places>) =>
  db.selectFrom('intents').select(['id', 'digest']).where('id', 'in', listed(of)),
)

const digestsOfAttempts = template((db: JournalReader, of: Slots<Places>) =>
  db.selectFrom('attempts').select(['intent_id', 'number', 'digest']).where('intent_id', 'in', listed(of)),
)

/** Those of some intents that the store has as they are given, with the same attempts. */
export async function unchangedOf(db: JournalReader, all: readonly FoundIntent[]): Promise<Map<string, FoundIntent>> {
  if (all.length === 0) return new Map()
  const among = placed(all.map(({ row }) => row.id))
  const stored = new Set((await digestsOfIntents(db, among)).map(({ id, digest }) => `${id} ${digest}`))
  const tries = await digestsOfAttempts(db, among)
  const attempts = new Set(tries.map(({ intent_id, number, digest }) => `${intent_id}/${number} ${digest}`))
  const isUnchanged = ({ row, attempts: own }: FoundIntent) =>
    stored.has(`${row.id} ${row.digest}`) &&
    own.every(({ number, digest }) => attempts.has(`${row.id}/${number} ${digest}`))
  return new Map(all.filter(isUnchanged).map((found) => [found.row.id, found]))
}

/** The same if every row of it is as it was written. Throws bug (1). */
export function wholeIntent({ row, attempts }: FoundIntent): FoundIntent {
  return { row: wholeRow(row), attempts: attempts.map(wholeRow) }
}

/** An attempt, by the id of its intent in the journal. */
export interface Sighted {
  readonly journalId: string
  readonly number: number
}

/**
 * The moment at which a machine first asked about an attempt, in milliseconds since the machine started; this one is stored if it
 * is the first. Only a team's store has the table.
 */
export async function firstSighting(
  db: JournalWriter,
  { journalId, number }: Sighted,
  { boot, milliseconds }: Steady,
): Promise<number> {
  await sql`insert into sightings (journal_id, number, boot, milliseconds)
    values (${journalId}, ${number}, ${boot}, ${milliseconds}) on conflict do nothing`.execute(db)
  const { rows } = await sql<{ milliseconds: number }>`select milliseconds from sightings
    where journal_id = ${journalId} and number = ${number} and boot = ${boot}`.execute(db)
  return rows[0]?.milliseconds ?? milliseconds
}
