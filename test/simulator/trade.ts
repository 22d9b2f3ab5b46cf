/** The trade of a story: payouts, orders or the wallet. A trade thinks up errands and knows which books must agree. */

import type { Desk } from '../../src/lib/desk/desk.ts'
import type { Clock } from '../../src/lib/edge.ts'
import type { ThisProcess } from '../../src/lib/journal/lease.ts'
import type { Part } from '../../src/lib/profile/parts.ts'
import type { Store } from '../../src/lib/store/engine/store.ts'
import type { IntentRow, JournalTables } from '../../src/lib/store/journal/schema.ts'
import type { Opened } from './ground.ts'
import type { Machine } from './machine.ts'
import type { Mortal } from './mortal.ts'
import type { World } from './world.ts'

/** The process of an errand, which may die at every effect. */
export interface ErrandProcess {
  readonly leaseHolder: ThisProcess
  readonly mortal: Mortal
  /** The journal's store, and its clock. */
  readonly store: Store<JournalTables>
  readonly storeClock: Clock
  /** The store of its team; null on a machine of its own. */
  readonly team: Opened['team']
  /** Stores the answers that its machine keeps because the store could not take them. */
  readonly flushOutbox: () => Promise<number>
  /** Of each payout, by its id, the number of the attempt that it ended last. */
  readonly ended: ReadonlyMap<string, number>
  /** Gives free what it holds and is done with. */
  readonly leave: () => Promise<number>
}

/** One command that a person, or a cron job, runs. */
export interface Errand {
  readonly name: string
  /** The plan behind it, under its name in the books; null for a command that moves nothing. */
  readonly plan: string | null
  readonly act: (desk: Desk, about: (journalId: string) => void, process: ErrandProcess) => Promise<unknown>
  /** The number of commands that it is made of: each has its own time. */
  readonly commands?: number
}

export interface Ended {
  readonly exit: number
  readonly told: string
  readonly plan: string | null
  /** Its words about the money; null after a success. */
  readonly moneyMoved: string | null
  /** Intents that it was about, by their journal ids. */
  readonly about: readonly string[]
  /** The time of its last write to the journal; 0 where it wrote nothing. */
  readonly wroteAt: number
}

export interface Trade {
  readonly part: Part
  /** Calm weather: what must exist before the story begins. */
  prepare(): Promise<void>
  next(machine: Machine): Errand
  /** Throws where the output of one command is not true. */
  check(ended: Ended): Promise<void>
  /** True if the write of an intent was executed. */
  ran(intent: IntentRow): Promise<boolean>
  /** accepted ≤ ledger ≤ accepted + unknown; nothing executed twice. */
  checkBooks(atTheEnd: boolean): Promise<void>
  /** Commands by which, in calm weather, everything comes to its end; none beyond `resume`, if not given. */
  readonly ending?: (machine: Machine) => readonly Errand[]
}

export type NewTrade = (world: World) => Trade

/** The description of a payout that ends unpaid. */
export const failing = 'sandbox:failed'

/** Exit codes that say "no": nothing moved by this. What they say of the money counts, where it is more careful. */
const denials: ReadonlySet<number> = new Set([2, 3, 4, 5, 6, 11])
/** Exit codes of those that were told to stop: what they say of the money counts. */
const stops: ReadonlySet<number> = new Set([130, 143])

export function wasStopped({ exit }: Ended): boolean {
  return stops.has(exit)
}

/** True if the command said that nothing moved. */
export function isDenied(ended: Ended): boolean {
  if (denials.has(ended.exit)) return ended.moneyMoved !== 'unknown'
  return wasStopped(ended) && ended.moneyMoved === 'no'
}

/** The status in which the payment has ended that a command was about, as it told it; null where it told of none. */
export function toldStatus({ told }: Ended): string | null {
  const said = JSON.parse(told) as { status?: string | null; error?: { status: string | null } } | null
  return said?.error?.status ?? said?.status ?? null
}
