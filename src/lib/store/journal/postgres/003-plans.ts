/** The plans of a team, side by side: those of a machine (src/lib/store/batch/schema.ts), each row with the plan that it is of. */
import { CompiledQuery } from 'kysely'
import type { MigrationContext } from '../../engine/store.ts'
import { columns, neededText as needed, textColumn as text } from './columns.ts'

const plans = `create table plans (
  id ${text} primary key,
  ${columns(['facts', 'planned_at', 'expires_at', 'conditions'], needed)},
  ${columns(['discarded_at', 'holder', 'held_until', 'held_until_steady'], text)},
  complete integer not null
)`

const rows = `create table plan_rows (
  plan_id ${needed},
  number integer not null,
  ${columns(['unique_id', 'content', 'request', 'payee', 'amount_minor', 'currency', 'source'], needed)},
  ${columns(['business_key', 'payment', 'known_opened_at', 'known_changed_at'], text)},
  primary key (plan_id, number),
  constraint one_row_per_id unique (plan_id, unique_id)
)`

const indexes = [
  'create index plan_rows_by_payee on plan_rows (plan_id, payee)',
  'create index plan_rows_by_id on plan_rows (unique_id)',
]

export async function planTables(db: MigrationContext): Promise<void> {
  for (const statement of [plans, rows, ...indexes]) {
    await db.getExecutor().executeQuery(CompiledQuery.raw(statement))
  }
}
