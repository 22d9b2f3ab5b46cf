/** The fleet of a command's team. */

import { Failure } from '../../failure.ts'
import type { OpenedFleet } from '../../fleet/fleet.ts'
import { hint, paste } from '../../hint.ts'
import { teamSettings } from '../../journal/team.ts'
import type { Profile } from '../../profile/profile.ts'
import { journalPlace } from '../desk/journal-place.ts'
import type { Invocation } from '../invocation.ts'

/** The address of the team's store, and how long it is waited for. Throws usage (2) where there is no team. */
export function teamOf(invocation: Invocation) {
  const place = journalPlace(invocation)
  if (place.team !== null) return { address: place.team, settings: teamSettings(place, invocation.edge.clock) }
  throw new Failure(
    'usage',
    'workers share a team’s store, and there is none: PAYDESK_STORE is not set, and the profile names none',
    {
      hints: [hint`PAYDESK_STORE=postgres://… \`${paste('worker start')}\`; docs/teams.md tells how.`],
    },
  )
}

/** Opened until the command ends. */
export async function fleetOf(invocation: Invocation, profile: Profile, supervises: boolean): Promise<OpenedFleet> {
  const { address, settings } = teamOf(invocation)
  const { openFleet } = await import('../../fleet/fleet.ts')
  // A worker ends in its own time: its store must not let go of it when it is asked to stop.
  const { signal: _, ...lasting } = settings
  const opened = await openFleet(address, supervises ? lasting : settings, { place: profile, supervises })
  invocation.closeAtEnd(opened.close)
  return opened
}
