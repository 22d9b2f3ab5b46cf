/** The journal in a team's store: the tables of a person's journal, with a history of their own. */
import type { Schema } from '../../engine/store.ts'
import { chained } from '../schema.ts'
import { journalTables } from './001-journal.ts'
import { imports } from './002-imports.ts'
import { planTables } from './003-plans.ts'
import { fleetTables } from './004-fleet.ts'
import { teamApprovals } from './005-approvals.ts'
import { sightings } from './006-sightings.ts'
import { teamRemoved } from './007-removed.ts'
import { stoppedKind } from './008-stopped-kind.ts'
import { teamTold } from './009-told.ts'
import { teamHeldSince } from './010-held-since.ts'
import { allowDuplicates } from './011-allow-duplicates.ts'
import { teamPayeeDetails } from './012-payee-details.ts'

export const teamJournalSchema: Schema = {
  title: 'the journal',
  migrations: [
    journalTables,
    imports,
    planTables,
    fleetTables,
    teamApprovals,
    sightings,
    teamRemoved,
    stoppedKind,
    teamTold,
    teamHeldSince,
    allowDuplicates,
    teamPayeeDetails,
  ],
  chained,
}
