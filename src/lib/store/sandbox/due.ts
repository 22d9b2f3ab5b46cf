/** Whether the clock has anything to do, asked before every look: one statement over the indexes of what is due. */
import { CompiledQuery } from 'kysely'
import type { SandboxReader } from './schema/schema.ts'

const tables = ['payouts', 'orders', 'refunds', 'subscriptions', 'charges']
const anyDue = `${tables.map((table) => `select 1 from ${table} where due <= ?1`).join(' union all ')} limit 1`

export async function isAnythingDue(db: SandboxReader, now: number): Promise<boolean> {
  const { rows } = await db.executeQuery(CompiledQuery.raw(anyDue, [now]))
  return rows.length > 0
}
