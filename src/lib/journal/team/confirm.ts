/** A person's word that the store of a team is whole on the server where it is now. */
import type { Clock } from '../../edge.ts'
import { Failure } from '../../failure.ts'
import { blank, hint, paste } from '../../hint.ts'
import { confirmServer } from '../../store/postgres/confirm.ts'

export type { ConfirmedServer } from '../../store/postgres/confirm.ts'

/** Throws a Failure: 2 without a team, 11 where its server cannot be reached. */
export async function confirmTeamServer(team: string | null, because: string, machine: Clock, signal: AbortSignal) {
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
  const store = await openTeamJournal(team, { machine, signal })
  try {
    return await store.lend((db) => confirmServer(db, because))
  } finally {
    await store.close()
  }
}
