/** The place of the journal, with the patience that this command has for a server of a team. */
import type { JournalPlace } from '../../journal/open.ts'
import { readDuration } from '../flags/duration.ts'
import type { Invocation } from '../invocation.ts'

/** The variable that names the file of this person's private key. */
export const personKeyVariable = 'PAYDESK_PERSON_KEY'

/** The journal is opened before the flags are read where a failure is placed; a wrong --timeout is told elsewhere. */
export function journalPlace(invocation: Invocation): JournalPlace {
  const { journal, team } = invocation.places
  const patience = readDuration(invocation.typed('--timeout') ?? '')
  const personKey = invocation.edge.env[personKeyVariable] || null
  return { journal, team, personKey, signal: invocation.signal, ...(patience === null ? {} : { patience }) }
}
