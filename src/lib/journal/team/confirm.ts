/** A person's word that the store of a team is whole on the server where it is now. */
import type { Clock } from '../../edge.ts'
import { Failure } from '../../failure.ts'
import { blank, hint, paste } from '../../hint.ts'
import type { ConfirmedServer } from '../../store/postgres/known/confirm.ts'
import type { JournalPlace } from '../open.ts'
import { teamSettings } from './settings.ts'

export type { ConfirmedServer } from '../../store/postgres/known/confirm.ts'

/** Throws a Failure: 2 without a team, 11 where its server cannot be reached. */
export async function confirmTeamServer(
  place: JournalPlace,
  because: string,
  machine: Clock,
): Promise<ConfirmedServer> {
  const { team } = place
  if (team === null) {
    throw new Failure(
      'usage',
      'there is no team’s store to confirm: PAYDESK_STORE is not set, and the profile names none',
      {
        hints: [hint`PAYDESK_STORE=postgres://… \`${paste('team confirm', '--because', blank('"…"'))}\``],
      },
    )
  }
  const { openTeamJournal } = await import('../../store/journal/postgres/open.ts')
  const store = await openTeamJournal(team, teamSettings(place, machine))
  try {
    return await store.confirm(because)
  } finally {
    await store.close()
  }
}
