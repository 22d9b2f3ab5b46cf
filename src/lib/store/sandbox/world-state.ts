/** The state of the world that every request needs first, in one statement; and its settings, to be changed. */
import { CompiledQuery } from 'kysely'
import type { SandboxReader, SandboxWriter, WorldRow } from './schema/schema.ts'

/** Settings that decide what is accepted, and a name. */
export type SettingsRow = Pick<WorldRow, 'strict' | 'providers' | 'refunded_by'>

export interface WorldStateRow extends SettingsRow {
  readonly world_id: string
  readonly clock_offset: number
  /** True if any fault waits. */
  readonly faults: 0 | 1
}

const worldState: CompiledQuery<WorldStateRow> = CompiledQuery.raw(
  'select world_id, clock_offset, exists (select 1 from faults) as faults, strict, providers, refunded_by from world',
)

export async function readWorldState(db: SandboxReader): Promise<WorldStateRow> {
  const { rows } = await db.executeQuery(worldState)
  return rows[0] ?? { world_id: '', clock_offset: 0, faults: 0, strict: 0, providers: '{}', refunded_by: '' }
}

export async function changeSettings(db: SandboxWriter, changed: Partial<SettingsRow>): Promise<void> {
  if (Object.keys(changed).length > 0) await db.updateTable('world').set(changed).execute()
}
