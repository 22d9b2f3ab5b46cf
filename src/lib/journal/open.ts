/** Opens the journal of one person for one command. */
import type { Clock, Random } from '../edge.ts'
import { openStore } from '../store/engine/open.ts'
import type { Store } from '../store/engine/store.ts'
import { type JournalTables, journalSchema } from '../store/journal/schema.ts'
import { thisProcess } from './holder.ts'
import { Journal } from './journal.ts'
import { WatchedJournal } from './watched.ts'

export interface OpenedJournal {
  readonly journal: WatchedJournal
  readonly close: () => Promise<void>
}

/** The journal's rows and links, to be verified. */
export function openJournalStore(path: string): Promise<Store<JournalTables>> {
  return openStore<JournalTables>(path, journalSchema)
}

/** The journal of a run with many payouts at once: those that wait at the same time share a commit. */
export async function openBusyJournal(path: string, clock: Clock, random: Random) {
  const store = await openStore<JournalTables>(path, journalSchema, { sharesCommits: true })
  const holding = thisProcess()
  return { journal: new Journal(store, clock, random, holding), holding, close: () => store.close() }
}

export async function openJournal(path: string, clock: Clock, random: Random): Promise<OpenedJournal> {
  const store = await openStore<JournalTables>(path, journalSchema)
  return { journal: new WatchedJournal(store, clock, random, thisProcess()), close: () => store.close() }
}
