/** The store under a machine's journal: a file of its own, or the server that all machines of a team share. */
import type { Clock } from '../../src/lib/edge.ts'
import type { KnownFor } from '../../src/lib/journal/lease.ts'
import type { Store } from '../../src/lib/store/engine/store.ts'
import { attemptsOf, listIntents } from '../../src/lib/store/journal/intents.ts'
import {
  type AttemptRow,
  type IntentRow,
  type JournalTables,
  journalSchema,
} from '../../src/lib/store/journal/schema.ts'
import type { TeamStore } from '../../src/lib/store/postgres/store.ts'
import type { FleetTables } from '../../src/lib/store/team/schema.ts'
import { memoryStore } from '../kit/store.ts'
import type { Mortal } from './mortal.ts'

/** The store as one process has it. */
export interface Opened {
  readonly store: Store<JournalTables>
  /** The clock that all who write to it share. */
  readonly clock: Clock
  /** That of a team; null on a machine of its own. */
  readonly team: Team | null
}

/** The store of a team, which has to be reached. */
export interface Team {
  readonly store: TeamStore<FleetTables>
  readonly knownFor: KnownFor
  /** Directory of answers that its machine keeps where the store is away. */
  readonly outbox: string
  /** Throws a Failure: unsent (11). */
  reach(): Promise<void>
}

/** The writes that leave the machines of one ground. */
export class Traffic {
  /** Times that each has left. */
  readonly departed = new Map<string, number>()
  /** Unique ids on their way, and the process that sent each. */
  readonly flying = new Map<string, Pick<Mortal, 'dead' | 'isStopped'>>()
}

export interface Ground {
  readonly traffic: Traffic
  /** What is committed, whoever writes meanwhile. */
  intents(): Promise<readonly IntentRow[]>
  attempts(intentId: string): Promise<readonly AttemptRow[]>
  open(mortal: Mortal, clock: Clock): Opened
  /** A process is dead, and its connections with it. */
  gone(process: string): void
  close(): Promise<void>
}

/** A journal in a file of its own. */
export async function ownGround(): Promise<Ground> {
  const store = await memoryStore<JournalTables>(journalSchema)
  return {
    traffic: new Traffic(),
    intents: () => store.read((db) => listIntents(db, {})),
    attempts: (id) => store.read((db) => attemptsOf(db, id)),
    open: (mortal, clock) => ({ store: mortal.store(store), clock, team: null }),
    gone: () => undefined,
    close: () => store.close(),
  }
}
