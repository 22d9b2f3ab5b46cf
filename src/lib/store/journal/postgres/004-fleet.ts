/** The work of a fleet: plans that were handed to workers, and the workers that are there. */
import { CompiledQuery } from 'kysely'
import type { MigrationContext } from '../../engine/store.ts'
import { columns, neededText, textColumn } from './columns.ts'

const handed = `create table handed (
  plan_id ${textColumn} primary key,
  ${columns(['queue', 'handed_at'], neededText)},
  ${columns(['stopped', 'ended_at', 'swept_at'], textColumn)},
  ${columns(['rate', 'next_turn'], 'float8')}
)`

const workers = `create table workers (
  id ${textColumn} primary key,
  ${columns(['queue', 'profile', 'started_at', 'seen_at', 'chunks'], neededText)},
  ${columns(['accepted', 'failed'], 'integer not null')}
)`

export async function fleetTables(db: MigrationContext): Promise<void> {
  for (const statement of [handed, workers]) await db.getExecutor().executeQuery(CompiledQuery.raw(statement))
}
