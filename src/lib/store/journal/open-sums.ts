/** The open payments of a client: in flight, or without a definite answer. The index of states finds them: few are, however many there were. */
import { sql } from 'kysely'
import type { ServicePlace } from '../../contract/service.ts'
import { scopeColumns } from './journal.ts'
import type { JournalReader } from './schema.ts'
import { ofService } from './statements.ts'

/** Open payments with one holder, in one currency. */
export interface OpenSum {
  /** The process that has them in flight, or had; null where none has. */
  readonly holder: string | null
  /** True until its lease has ended by time. */
  readonly isLeased: boolean
  readonly currency: string
  readonly payments: number
  /** Minor units. */
  readonly units: bigint
  /** The moment when the oldest was opened, ISO. */
  readonly oldest: string
}

export interface OpenFilter {
  /** One client of a service; null for all. */
  readonly place: ServicePlace | null
  readonly operations: readonly string[]
  /** The present moment by the clock of the store, as ISO text. */
  readonly now: string
}

/** By holder and currency; a write that moves no sum of its own counts with none. */
export async function openSums(db: JournalReader, { place, operations, now }: OpenFilter): Promise<OpenSum[]> {
  const isLeased = sql<number>`case when holder is not null and held_until >= ${now} then 1 else 0 end`
  let query = db
    .selectFrom('intents')
    .select(['holder', 'currency', isLeased.as('leased')])
    .select(sql<string>`cast(count(*) as text)`.as('payments'))
    .select(sql<string>`cast(sum(cast(amount_minor as bigint)) as text)`.as('units'))
    .select(sql<string>`min(opened_at)`.as('oldest'))
    .where('state', '=', 'unknown')
    .where('operation', 'in', operations)
    .where('amount_minor', '<>', '')
    .groupBy(['holder', 'currency', sql.ref('leased')])
  if (place !== null) query = query.where((is) => ofService(is, scopeColumns(place)))
  return (await query.execute()).map(({ holder, currency, leased, payments, units, oldest }) => ({
    ...{ holder, currency, oldest },
    isLeased: leased === 1,
    payments: Number(payments),
    units: BigInt(units),
  }))
}
