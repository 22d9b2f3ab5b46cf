/** Whether the clock has anything to do, asked before every look: one statement over the indexes of what is due. */
import { sql } from 'kysely'
import type { SandboxReader } from './schema/schema.ts'

export async function isAnythingDue(db: SandboxReader, now: number): Promise<boolean> {
  const { rows } = await sql`select 1 from payouts where due <= ${now}
    union all select 1 from orders where due <= ${now}
    union all select 1 from refunds where due <= ${now}
    union all select 1 from subscriptions where due <= ${now}
    union all select 1 from charges where due <= ${now} limit 1`.execute(db)
  return rows.length > 0
}
