/** The journals of persons that were brought along, each by its first link: none is brought twice. */
import { CompiledQuery } from 'kysely'
import type { MigrationContext } from '../../engine/store.ts'

export async function imports(db: MigrationContext): Promise<void> {
  await db
    .getExecutor()
    .executeQuery(
      CompiledQuery.raw('create table imports (journal text primary key, head text not null, at text not null)'),
    )
}
