/** The queries of a plan. Rows are read in pieces, because a plan may have a million. */
import { type Kysely, sql, type Transaction } from 'kysely'
import type { PlanRowRow, PlanTableRow, PlanTables } from './schema.ts'

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

export async function hasRow({ db, planId }: PlanReader, uniqueId: string): Promise<boolean> {
  const row = await db
    .selectFrom('plan_rows')
    .select('number')
    .where('plan_id', '=', planId)
    .where('unique_id', '=', uniqueId)
    .executeTakeFirst()
  return row !== undefined
}

/** Its rows with these ids, a thousand at most. */
export async function rowsWithIds({ db, planId }: PlanReader, uniqueIds: readonly string[]): Promise<PlanRowRow[]> {
  const query = db.selectFrom('plan_rows').selectAll().where('plan_id', '=', planId)
  return query.where('unique_id', 'in', uniqueIds).execute()
}

/** The most rows that `rowsLike` gives. */
export const mostAlike = 5000

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

/** Those of them that have a row with the id. */
export async function plansWithRow(db: Kysely<PlanTables>, uniqueId: string): Promise<PlanTableRow[]> {
  const having = db.selectFrom('plan_rows').select('plan_id').where('unique_id', '=', uniqueId)
  return db.selectFrom('plans').selectAll().where('complete', '=', 1).where('id', 'in', having).execute()
}
