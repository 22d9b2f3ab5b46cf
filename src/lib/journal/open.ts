/** Opens the journal for one command: that of one person, or the one that a team shares. */
import type { Clock, Random } from '../edge.ts'
import type { ChainReading } from '../store/chain/reading.ts'
import { openStore } from '../store/engine/open.ts'
import type { Store } from '../store/engine/store.ts'
import { type JournalTables, journalSchema } from '../store/journal/schema.ts'
import { type Holding, thisProcess } from './hold/holder.ts'
import { Journal } from './journal.ts'
import type { AnswerKeeper } from './spool/spool.ts'
import { WatchedJournal } from './watched.ts'

/** The file of a person's journal, and the address of the team's store; null without a team. */
export interface JournalPlace {
  readonly journal: string
  readonly team: string | null
  /** The file of this person's private key; a payment counts for the person whose it is, where a rule asks. */
  readonly personKey?: string | null
  /** Directory of answers that the team's store could not take. */
  readonly spool?: string
  /** Milliseconds that the team's server is waited for, and what ends the waiting. */
  readonly patience?: number
  readonly signal?: AbortSignal
}

export interface OpenedJournal {
  readonly journal: WatchedJournal
  /** Answers of earlier commands that the store could not take, and that are stored now. */
  readonly stored: number
  readonly close: () => Promise<void>
}

interface Ground {
  readonly store: Store<JournalTables>
  /** The clock that all who write to it share. */
  readonly clock: Clock
  readonly holding: Holding
  /** The engine's own way to read its chain; null for that of a file. */
  readonly reading: ChainReading | null
  /** None for a journal of one person: its answers are written where its intents are, or not at all. */
  readonly spool?: AnswerKeeper
  /** Stores answers that the store could not take before. Gives how many are stored now. */
  readonly storeKept?: () => Promise<number>
}

/** Throws a Failure as the engines do (src/lib/store/engine/open.ts, src/lib/store/postgres/open.ts). */
async function groundOf(place: JournalPlace, clock: Clock, sharesCommits: boolean): Promise<Ground> {
  const { journal, team, personKey, spool: directory } = place
  const holding = { ...thisProcess(team === null ? 'this-machine' : 'any-machine'), person: personAt(personKey) }
  if (team === null) {
    const store = await openStore<JournalTables>(journal, journalSchema, { sharesCommits })
    return { store, clock, holding, reading: null }
  }
  const { spoolBeside } = await import('./spool/beside.ts')
  const { openTeamJournal, readingOnServer } = await import('../store/journal/postgres/open.ts')
  const { teamSettings } = await import('./team/settings.ts')
  const store = await openTeamJournal(team, teamSettings(place, clock))
  const { knownByMachine } = await import('./team/sightings.ts')
  const knowing = { ...holding, knownFor: knownByMachine(store, clock) }
  const ground = { store, clock: store.clock, holding: knowing, reading: readingOnServer }
  return directory === undefined ? ground : { ...ground, ...spoolBeside(ground, directory) }
}

/** The journal's rows and links, to be verified or purged. */
export async function openJournalStore(place: JournalPlace, clock: Clock) {
  const { store, reading, clock: own, holding } = await groundOf(place, clock, false)
  return { store, reading, clock: own, holding }
}

/** The journal of a run with many payouts at once: those that wait at the same time share a commit. */
export async function openBusyJournal(place: JournalPlace, clock: Clock, random: Random) {
  const ground = await groundOf(place, clock, true)
  const { store, holding, spool, storeKept = async () => 0 } = ground
  const journal = new Journal(store, ground.clock, random, holding, spool)
  const leave = async () => (await import('./hold/left.ts')).leaveHeld(ground)
  return { journal, holding, storeKept, leave, stored: await storeKept(), close: () => store.close() }
}

export async function openJournal(place: JournalPlace, clock: Clock, random: Random): Promise<OpenedJournal> {
  const ground = await groundOf(place, clock, false)
  const { store, holding, spool, storeKept } = ground
  const journal = new WatchedJournal(store, ground.clock, random, holding, spool)
  return { journal, stored: (await storeKept?.()) ?? 0, close: () => store.close() }
}

/** The person at this machine, by a key that is read when it is asked for. */
function personAt(personKey: string | null = null): () => Promise<string | null> {
  return async () => {
    if (personKey === null) return null
    const { readPersonKey } = await import('../approvals/persons/person-key.ts')
    return readPersonKey(personKey).publicKey
  }
}
