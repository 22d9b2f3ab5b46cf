/** What every request needs to know of the world first, in one statement. */
import { CompiledQuery } from 'kysely'
import type { SandboxReader } from './schema/schema.ts'

export interface WorldStateRow {
  readonly world_id: string
  readonly clock_offset: number
  /** Whether any fault waits. */
  readonly faults: 0 | 1
}

const worldState: CompiledQuery<WorldStateRow> = CompiledQuery.raw(
  'select world_id, clock_offset, exists (select 1 from faults) as faults from world',
)

export async function readWorldState(db: SandboxReader): Promise<WorldStateRow> {
  const { rows } = await db.executeQuery(worldState)
  return rows[0] ?? { world_id: '', clock_offset: 0, faults: 0 }
}
