/** The journal of a command: its place, its opening, and what a person is told while its database is away. */
import { readdirSync, statSync } from 'node:fs'
import { steadyNow } from '../../edge.ts'
import { Failure } from '../../failure.ts'
import { hint } from '../../hint.ts'
import type { Journal } from '../../journal/journal.ts'
import type { JournalPlace } from '../../journal/open.ts'
import { readDuration } from '../flags/times.ts'
import { isAboutEarlier } from '../flags/typed-line.ts'
import type { Invocation } from '../invocation.ts'

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
    away: invocation.once(tellWhileAway),
    ...(patience === null ? {} : { patience }),
  }
}

/** The store of the journal itself, for work on all of its rows; closed when the command ends. */
export async function openStore(invocation: Invocation, place: JournalPlace = journalPlace(invocation)) {
  const { openJournalStore } = await import('../../journal/open.ts')
  const opened = await openJournalStore(place, invocation.edge.clock)
  invocation.closeAtEnd(() => opened.store.close())
  return opened
}

/** Milliseconds: until the first remark on a database that is away, and between two of them. */
const remarks = { first: 3_000, between: 5_000 }

/**
 * Remarks on stderr while the database of the team is waited for. A worker tells its events alone, and this is none. What is returned is
 * called when a wait begins, and gives back what is called at its end; several waits at once, for the same database, are told as one.
 */
function tellWhileAway({ id, edge, output }: Invocation): () => () => void {
  let [waits, stop] = [0, () => {}]
  const begin = () => {
    const since = steadyNow(edge.clock)
    let due = remarks.first
    return edge.every(500, () => {
      const waited = steadyNow(edge.clock) - since
      if (waited < due) return
      due += remarks.between
      output.say(`The database of the team does not answer; it is waited for (${Math.floor(waited / 1000)} s so far).`)
    })
  }
  return () => {
    waits += 1
    if (waits === 1 && id !== 'worker:start') stop = begin()
    return () => {
      waits -= 1
      if (waits === 0) stop()
    }
  }
}

/** True where no journal was ever written. Throws where that cannot be looked at. */
export function isNewJournal({ journal: path, team }: JournalPlace): boolean {
  if (team !== null) return false
  const found = [path, `${path}-mark`].map((each) => statSync(each, { throwIfNoEntry: false }))
  return found.every((each) => each === undefined)
}

/** Opens a journal. A team's may be away, or take now what it could not take before: that is told. */
export async function openAndTell<Opened extends { readonly stored: number }>(
  { places, output }: Invocation,
  open: () => Promise<Opened>,
): Promise<Opened> {
  if (places.team === null) return open()
  try {
    const opened = await open()
    const { stored } = opened
    if (stored > 0) {
      const which = stored === 1 ? 'An answer of the service is' : `${stored} answers of the service are`
      output.warn(`${which} stored now that the team’s store could not take before.`)
    }
    return opened
  } catch (error) {
    const waiting = filesIn(places.outbox)
    if (!(error instanceof Failure) || waiting === 0) throw error
    const [which, wait, are] = waiting === 1 ? ['An answer', 'waits', 'is'] : [`${waiting} answers`, 'wait', 'are']
    const advice = hint`${which} of the service to earlier payments ${wait} in ${places.outbox}, and ${are} stored by the first command that reaches the store.`
    throw error.with({ hints: [advice] })
  }
}

function filesIn(directory: string): number {
  try {
    return readdirSync(directory).filter((name) => name.endsWith('.json')).length
  } catch {
    return 0
  }
}

/** The journal of a run, opened when it is first needed; from then on it knows the last words about money. */
export function journalOf(invocation: Invocation): Promise<Journal> {
  return invocation.once(openJournal)
}

async function openJournal(invocation: Invocation): Promise<Journal> {
  const { openJournal } = await import('../../journal/open.ts')
  const { edge, id = '' } = invocation
  const open = () => openJournal(journalPlace(invocation), edge.clock, edge.random)
  const { journal, close } = await openAndTell(invocation, open)
  invocation.closeAtEnd(close)
  invocation.lastWords = () => journal.standing(isAboutEarlier(id, invocation.line))
  return journal
}

const newSubject = (): { id?: string } => ({})

/** The id of what a write is done to, once a person has typed it: however the command ends, it was about that. */
export const typedSubjectOf = (invocation: Invocation) => invocation.once(newSubject)
