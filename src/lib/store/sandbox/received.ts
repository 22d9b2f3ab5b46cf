/** The sums that every receiver of orders and wallet payments has got and not given back. */
import { sql } from 'kysely'
import type { SandboxReader } from './schema/schema.ts'

export interface ReceivedFunds {
  readonly receiver: string
  readonly currency: string
  readonly units: number
}

export async function receivedByAll(db: SandboxReader): Promise<ReceivedFunds[]> {
  const { rows } = await sql<ReceivedFunds>`select receiver, currency, sum(units) as units from (
      select receiver, currency, case kind when 'debit' then -units else units end as units
        from order_postings where receiver is not null
      union all select receiver_id, 'GEL', units from wallet_postings)
    group by receiver, currency order by receiver, currency`.execute(db)
  return rows
}
