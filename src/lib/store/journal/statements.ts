/** The statements of a write, from its first look to its outcome: they run for every row of a file. */
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { rowTemplate, type Slots, template } from '../engine/template.ts'
import type { AttemptRow, IntentRow, JournalReader, JournalTables, JournalWriter } from './schema.ts'

/** The columns that say which client of which service it is. */
type ScopeColumns = Pick<IntentRow, 'service_id' | 'origin' | 'environment' | 'client_id'>

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
export const intentsLike = template(
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

const intentRow = { table: 'intents', key: ['id'], rank: 0 } as const
/** They refer to intents. */
const attemptRow = { table: 'attempts', key: ['intent_id', 'number'], rank: 1 } as const

export const insertIntent = rowTemplate({ ...intentRow, isNew: true }, (db: JournalWriter, row: Slots<IntentRow>) =>
  db.insertInto('intents').values(row),
)

/** Only what changes is written: a column that is written has its index written anew. */
export const updateIntent = rowTemplate(
  { ...intentRow, isNew: false },
  (db: JournalWriter, { id, ...changed }: Slots<Partial<IntentRow> & Pick<IntentRow, 'id'>>) =>
    db.updateTable('intents').set(changed).where('id', '=', id),
)

export const attemptsOfIntent = template((db: JournalReader, { intent_id }: Slots<Pick<AttemptRow, 'intent_id'>>) =>
  db.selectFrom('attempts').selectAll().where('intent_id', '=', intent_id).orderBy('number'),
)

export const insertAttempt = rowTemplate({ ...attemptRow, isNew: true }, (db: JournalWriter, row: Slots<AttemptRow>) =>
  db.insertInto('attempts').values(row),
)

export const updateAttempt = rowTemplate(
  { ...attemptRow, isNew: false },
  (
    db: JournalWriter,
    { intent_id, number, ...changed }: Slots<Partial<AttemptRow> & Pick<AttemptRow, 'intent_id' | 'number'>>,
  ) => db.updateTable('attempts').set(changed).where('intent_id', '=', intent_id).where('number', '=', number),
)
