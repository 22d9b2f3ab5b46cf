/**
 * The time for which this machine has known an attempt of another one. The clock of the database can be set, and no other machine's
 * time since its start can be read here: that an attempt is old counts only as far as this machine has seen it grow old.
 */
import type { Clock } from '../../edge.ts'
import type { Store } from '../../store/engine/store.ts'
import { firstSighting, type Sighted } from '../../store/journal/postgres/sightings.ts'
import type { JournalTables } from '../../store/journal/schema.ts'

/** Milliseconds since the first question of this machine about an attempt; 0 at the first. Null where it has no such time. */
export type KnownFor = (attempt: Sighted) => Promise<number | null>

export function knownByMachine(store: Store<JournalTables>, machine: Clock): KnownFor {
  return async (attempt) => {
    const present = machine.steady()
    if (present === null) return null
    const first = await store.write((db) => firstSighting(db, attempt, present))
    return present.milliseconds - first
  }
}
