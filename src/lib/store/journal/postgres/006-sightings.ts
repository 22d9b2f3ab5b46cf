/** The first question of each machine about an attempt without an answer, by the time since that machine started. */
import { CompiledQuery } from 'kysely'
import type { MigrationContext } from '../../engine/store.ts'
import { neededText } from './columns.ts'

export async function sightings(db: MigrationContext): Promise<void> {
  await db.getExecutor().executeQuery(
    CompiledQuery.raw(
      `create table sightings (journal_id ${neededText}, number integer not null, boot ${neededText},
          milliseconds float8 not null, primary key (journal_id, number, boot))`,
    ),
  )
}
