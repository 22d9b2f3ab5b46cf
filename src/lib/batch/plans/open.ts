/** The plans that a command works with: those of its machine, or of its team. */
import type { Clock } from '../../edge.ts'
import type { JournalPlace } from '../../journal/open.ts'
import { PlansInFolder } from './in-folder.ts'
import type { Plans } from './plans.ts'

/** `folder`: where a machine keeps them. Throws a Failure where a team's store cannot be opened. */
export async function openPlans(folder: string, place: JournalPlace, clock: Clock): Promise<Plans> {
  if (place.team === null) return new PlansInFolder(folder, clock)
  const { openTeamPlans } = await import('./in-team.ts')
  const { teamSettings } = await import('../../journal/team.ts')
  return openTeamPlans(place.team, teamSettings(place, clock))
}
