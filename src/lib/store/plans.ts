/**
 * The tables of plans: what was agreed to, and its rows. On one machine each plan is a store of its own, so that the journal stays
 * small; those of a team lie side by side in its store. Rows are read in pieces, because a plan may have a million.
 */

import { type Kysely, sql, type Transaction } from 'kysely'
import { type CreateTables, columns, type Schema } from './engine/store.ts'

/** The row about a plan itself. */
export interface PlanTableRow {
  readonly id: string
  /** JSON text of the facts, which never change. */
  readonly facts: string
  readonly planned_at: string
  readonly expires_at: string
  /** The profile, address and limits that it was planned under. */
  readonly conditions: string
  readonly discarded_at: string | null
  /** The process that runs it, and until when at the latest. */
  readonly holder: string | null
  /** The moment at which that one took it, ISO text; null without a lease. */
  readonly held_since: string | null
  readonly held_until: string | null
  readonly held_until_steady: string | null
  /** 0 until its last row is written: a crash in between leaves no plan. */
  readonly complete: number
}

export interface PlanRowRow {
  /** As a spreadsheet counts. */
  readonly number: number
  readonly unique_id: string
  readonly business_key: string | null
  /** Digest of the request's meaning, the id left out. */
  readonly content: string
  /** JSON text of the request, the id left out, values as they are held inside. */
  readonly request: string
  readonly payee: string
  readonly amount_minor: string
  readonly currency: string
  /** JSON list of the cells as they stood in the file. */
  readonly source: string
  /** JSON text of the original ids of a pain.001; null of other formats. */
  readonly payment: string | null
  /**
   * The moments that the row's intent had in the journal when the row was planned; null where there was none. Compared for being the same
   * only: a clock may have been set back since.
   */
  readonly known_opened_at: string | null
  readonly known_changed_at: string | null
}

export interface PlanTables {
  plans: PlanTableRow
  plan_rows: PlanRowRow & { readonly plan_id: string }
}

/** The statements that make the tables, on both engines. */
export const createPlans: CreateTables = (text) => [
  `create table plans (
    id ${text} primary key,
    ${columns(`${text} not null`, 'facts', 'planned_at', 'expires_at', 'conditions')},
    ${columns(text, 'discarded_at', 'holder', 'held_since', 'held_until', 'held_until_steady')},
    complete integer not null
  )`,
  `create table plan_rows (
    plan_id ${text} not null,
    number integer not null,
    ${columns(`${text} not null`, 'unique_id', 'content', 'request', 'payee', 'amount_minor', 'currency', 'source')},
    ${columns(text, 'business_key', 'payment', 'known_opened_at', 'known_changed_at')},
    primary key (plan_id, number),
    constraint one_row_per_id unique (plan_id, unique_id)
  )`,
  'create index plan_rows_by_payee on plan_rows (plan_id, payee)',
  'create index plan_rows_by_id on plan_rows (unique_id)',
]

export const planSchema: Schema = { title: 'the plan', version: 1, tables: createPlans('text') }

/** A database with plans, and the one that is meant. */
interface OnePlan<Db> {
  readonly db: Db
  readonly planId: string
  /** The numbers of the rows that are meant; all where it is left out. */
  readonly numbers?: { readonly from: number; readonly to: number }
}

export type PlanReader = OnePlan<Kysely<PlanTables>>
export type PlanWriter = OnePlan<Transaction<PlanTables>>

/** Rows that one statement writes: SQLite takes so many values at once. */
const rowsPerInsert = 200

export async function planRow({ db, planId }: PlanReader): Promise<PlanTableRow | null> {
  return (await db.selectFrom('plans').selectAll().where('id', '=', planId).executeTakeFirst()) ?? null
}

/** Begins a plan anew, without rows. */
export async function newPlan({ db, planId }: PlanWriter, row: Omit<PlanTableRow, 'id'>): Promise<void> {
  await db.deleteFrom('plan_rows').where('plan_id', '=', planId).execute()
  await db.deleteFrom('plans').where('id', '=', planId).execute()
  await db
    .insertInto('plans')
    .values({ id: planId, ...row })
    .execute()
}

export async function changePlan({ db, planId }: PlanWriter, changes: Partial<PlanTableRow>): Promise<void> {
  await db.updateTable('plans').set(changes).where('id', '=', planId).execute()
}

export async function addRows({ db, planId }: PlanWriter, rows: readonly PlanRowRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += rowsPerInsert) {
    const some = rows.slice(at, at + rowsPerInsert)
    await db
      .insertInto('plan_rows')
      .values(some.map((row) => ({ plan_id: planId, ...row })))
      .execute()
  }
}

const everyRow = { from: 0, to: 2 ** 31 - 1 }

/** The rows after a number, in the order of the file. */
export async function rowsAfter(
  { db, planId, numbers: { from, to } = everyRow }: PlanReader,
  after: number,
  limit: number,
): Promise<PlanRowRow[]> {
  return db
    .selectFrom('plan_rows')
    .selectAll()
    .where('plan_id', '=', planId)
    .where('number', '>', Math.max(after, from - 1))
    .where('number', '<=', to)
    .orderBy('number')
    .limit(limit)
    .execute()
}

/** Rows without a key that have payee, sum and currency in common: a list of their numbers for each. */
export async function rowsAlike({ db, planId }: PlanReader, limit: number): Promise<readonly (readonly number[])[]> {
  const found = await db
    .selectFrom('plan_rows')
    .select(sql<string>`string_agg(cast(number as text), ',' order by number)`.as('numbers'))
    .where('plan_id', '=', planId)
    .where('business_key', 'is', null)
    .groupBy(['payee', 'amount_minor', 'currency'])
    .having(sql`count(*)`, '>', 1)
    .orderBy(sql`min(number)`)
    .limit(limit)
    .execute()
  return found.map(({ numbers }) => numbers.split(',').map(Number))
}

/** The first of the largest rows in a currency: of whole numbers without a sign the longer text is the larger one. */
export async function largestRow(
  { db, planId, numbers: { from, to } = everyRow }: PlanReader,
  currency: string,
): Promise<Pick<PlanRowRow, 'number' | 'amount_minor'> | null> {
  const query = db.selectFrom('plan_rows').select(['number', 'amount_minor']).where('plan_id', '=', planId)
  const found = await query
    .where('number', '>=', from)
    .where('number', '<=', to)
    .where('currency', '=', currency)
    .orderBy(sql`length(amount_minor)`, 'desc')
    .orderBy('amount_minor', 'desc')
    .orderBy('number')
    .limit(1)
    .executeTakeFirst()
  return found ?? null
}

/** The payees after a text, each once. */
export async function payeesAfter({ db, planId }: PlanReader, after: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('plan_rows')
    .select('payee')
    .distinct()
    .where('plan_id', '=', planId)
    .where('payee', '>', after)
    .orderBy('payee')
    .limit(limit)
    .execute()
  return rows.map(({ payee }) => payee)
}

/** Its rows with these ids, a thousand at most. */
export async function rowsWithIds({ db, planId }: PlanReader, uniqueIds: readonly string[]): Promise<PlanRowRow[]> {
  const query = db.selectFrom('plan_rows').selectAll().where('plan_id', '=', planId)
  return query.where('unique_id', 'in', uniqueIds).execute()
}

/** The most rows that `rowsLike` gives. */
const mostAlike = 5000

/** Its rows that pay one of these sums to one of these payees, some hundred at most. The index of payees finds them. */
export async function rowsLike(
  { db, planId, numbers: { from, to } = everyRow }: PlanReader,
  wanted: readonly Pick<PlanRowRow, 'payee' | 'amount_minor'>[],
): Promise<PlanRowRow[]> {
  if (wanted.length === 0) return []
  const [payees, sums] = [new Set(wanted.map(({ payee }) => payee)), new Set(wanted.map((each) => each.amount_minor))]
  return db
    .selectFrom('plan_rows')
    .selectAll()
    .where('plan_id', '=', planId)
    .where('payee', 'in', [...payees])
    .where('amount_minor', 'in', [...sums])
    .where('number', '>=', from)
    .where('number', '<=', to)
    .orderBy('number')
    .limit(mostAlike)
    .execute()
}

/** The ids of all plans that have rows with these ids, a thousand at most. */
export async function plansWithIds(db: Kysely<PlanTables>, uniqueIds: readonly string[]): Promise<string[]> {
  const query = db.selectFrom('plan_rows').select('plan_id').distinct().where('unique_id', 'in', uniqueIds)
  return (await query.execute()).map(({ plan_id }) => plan_id)
}

/** True if there is a plan with the id, whole or not. */
export async function hasPlan({ db, planId }: PlanReader): Promise<boolean> {
  return (await db.selectFrom('plans').select('id').where('id', '=', planId).executeTakeFirst()) !== undefined
}

/** The ids of all, whole or not. */
export async function planIds(db: Kysely<PlanTables>): Promise<string[]> {
  return (await db.selectFrom('plans').select('id').execute()).map(({ id }) => id)
}

/** Every plan whose last row was written. */
export async function wholePlans(db: Kysely<PlanTables>): Promise<PlanTableRow[]> {
  return db.selectFrom('plans').selectAll().where('complete', '=', 1).execute()
}
