/** Opens the journal of a team. Loaded only where a team's store is named. */
import { openTeamStore } from '../../postgres/open.ts'
import type { TeamSettings, TeamStore } from '../../postgres/store.ts'
import type { JournalTables } from '../schema.ts'
import { teamJournalSchema } from './schema.ts'

export { postgresReading as readingOnServer } from '../../postgres/reading.ts'

export function openTeamJournal(address: string, settings: TeamSettings): Promise<TeamStore<JournalTables>> {
  return openTeamStore<JournalTables>(address, teamJournalSchema, settings)
}
