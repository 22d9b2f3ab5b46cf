/** The queries of a plan. Rows are read in pieces, because a plan may have a million. */
import { sql } from 'kysely'
import type { PlanReader, PlanRowRow, PlanTableRow, PlanWriter } from './schema.ts'

/** Rows that one statement writes: SQLite takes so many values at once. */
const rowsPerInsert = 200

export async function planRow(db: PlanReader): Promise<PlanTableRow | null> {
  return (await db.selectFrom('plan').selectAll().executeTakeFirst()) ?? null
}

/** Begins a plan anew, without rows. */
export async function newPlan(db: PlanWriter, row: PlanTableRow): Promise<void> {
  await db.deleteFrom('rows').execute()
  await db.deleteFrom('plan').execute()
  await db.insertInto('plan').values(row).execute()
}

export async function changePlan(db: PlanWriter, changes: Partial<PlanTableRow>): Promise<void> {
  await db.updateTable('plan').set(changes).execute()
}

export async function addRows(db: PlanWriter, rows: readonly PlanRowRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += rowsPerInsert) {
    await db
      .insertInto('rows')
      .values(rows.slice(at, at + rowsPerInsert))
      .execute()
  }
}

/** The rows after a number, in the order of the file. */
export async function rowsAfter(db: PlanReader, after: number, limit: number): Promise<PlanRowRow[]> {
  return db.selectFrom('rows').selectAll().where('number', '>', after).orderBy('number').limit(limit).execute()
}

/** Rows without a key that have payee, sum and currency in common: a list of their numbers for each. */
export async function rowsAlike(db: PlanReader, limit: number): Promise<readonly (readonly number[])[]> {
  const found = await db
    .selectFrom('rows')
    .select(sql<string>`group_concat(number)`.as('numbers'))
    .where('business_key', 'is', null)
    .groupBy(['payee', 'amount_minor', 'currency'])
    .having(sql`count(*)`, '>', 1)
    .orderBy(sql`min(number)`)
    .limit(limit)
    .execute()
  return found.map(({ numbers }) => numbers.split(',').map(Number))
}

/** The payees after a text, each once. */
export async function payeesAfter(db: PlanReader, after: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('rows')
    .select('payee')
    .distinct()
    .where('payee', '>', after)
    .orderBy('payee')
    .limit(limit)
    .execute()
  return rows.map(({ payee }) => payee)
}

export async function hasRow(db: PlanReader, uniqueId: string): Promise<boolean> {
  const row = await db.selectFrom('rows').select('number').where('unique_id', '=', uniqueId).executeTakeFirst()
  return row !== undefined
}
