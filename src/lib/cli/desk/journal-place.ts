/** The place of the journal, with the patience that this command has for a server of a team. */
import { statSync } from 'node:fs'
import type { JournalPlace } from '../../journal/open.ts'
import { readDuration } from '../flags/duration.ts'
import type { Invocation } from '../invocation.ts'

/** The variable that names the file of this person's private key. */
export const personKeyVariable = 'PAYDESK_PERSON_KEY'

/** The journal is opened before the flags are read where a failure is placed; a wrong --timeout is told elsewhere. */
export function journalPlace(invocation: Invocation): JournalPlace {
  const { journal, team, outbox } = invocation.places
  const patience = readDuration(invocation.line.value('--timeout') ?? '')
  const personKey = invocation.edge.env[personKeyVariable] || null
  return {
    journal,
    team,
    outbox,
    personKey,
    signal: invocation.signal,
    ...(patience === null ? {} : { patience }),
  }
}

/** True where no journal was ever written. Throws where that cannot be looked at. */
export function isNewJournal({ journal: path, team }: JournalPlace): boolean {
  if (team !== null) return false
  const found = [path, `${path}-mark`].map((each) => statSync(each, { throwIfNoEntry: false }))
  return found.every((each) => each === undefined)
}

/** Opens a journal. A team's may be away, or take now what it could not take before: that is told. */
export async function openedTelling<Opened extends { readonly stored: number }>(
  invocation: Invocation,
  open: () => Promise<Opened>,
): Promise<Opened> {
  if (invocation.places.team === null) return open()
  const { tellingKept } = await import('./kept-answers.ts')
  return tellingKept(invocation, open)
}
