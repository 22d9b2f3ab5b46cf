/** What every receiver of orders and wallet payments has got and not given back. */
import { sql } from 'kysely'
import type { Reader } from './sandbox-schema.ts'

export interface Received {
  readonly receiver: string
  readonly currency: string
  readonly units: number
}

export async function receivedByAll(db: Reader): Promise<Received[]> {
  const { rows } = await sql<Received>`select receiver, currency, sum(units) as units from (
      select receiver, currency, case kind when 'debit' then -units else units end as units
        from order_postings where receiver is not null
      union all select receiver_id, 'GEL', units from wallet_postings)
    group by receiver, currency order by receiver, currency`.execute(db)
  return rows
}
