/**
 * The sixth step of the journal's history: payouts that count against limits, added up by the minute in which they were opened. Those that
 * the journal holds already are added up, too.
 */
import { sql, type Transaction } from 'kysely'
import { limitedOperations } from '../../../contract/operation.ts'
import type { MigrationContext } from '../../engine/store.ts'

export async function spent(unknown: MigrationContext): Promise<void> {
  const db = unknown as Transaction<unknown>
  await db.schema
    .createTable('spent')
    .addColumn('environment', 'text', (column) => column.notNull())
    .addColumn('client_id', 'text', (column) => column.notNull())
    .addColumn('minute', 'text', (column) => column.notNull())
    .addColumn('service_id', 'text', (column) => column.notNull())
    .addColumn('origin', 'text', (column) => column.notNull())
    .addColumn('currency', 'text', (column) => column.notNull())
    .addColumn('payouts', 'bigint', (column) => column.notNull())
    .addColumn('units', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('spent_key', ['environment', 'client_id', 'minute', 'service_id', 'origin', 'currency'])
    .execute()
  await sql`
    insert into spent (environment, client_id, minute, service_id, origin, currency, payouts, units)
    select environment, client_id, substr(opened_at, 1, 16), service_id, origin, currency,
      count(*), sum(cast(amount_minor as bigint))
    from intents
    where operation in (${sql.join(limitedOperations)}) and amount_minor <> ''
      and (state not in ('refused', 'unsent') or sum_confirmed = 'taken')
    group by environment, client_id, substr(opened_at, 1, 16), service_id, origin, currency
  `.execute(db)
}
