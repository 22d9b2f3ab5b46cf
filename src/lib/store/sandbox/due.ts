/** True if the clock has anything to do. It is asked before every look: one statement over the indexes of due times. */
import { CompiledQuery } from 'kysely'
import type { SandboxReader } from './schema/schema.ts'

const tables = ['payouts', 'orders', 'refunds', 'subscriptions', 'charges']
const anyDue = `${tables.map((table) => `select 1 from ${table} where due <= ?1`).join(' union all ')} limit 1`

export async function isAnythingDue(db: SandboxReader, now: number): Promise<boolean> {
  const { rows } = await db.executeQuery(CompiledQuery.raw(anyDue, [now]))
  return rows.length > 0
}
