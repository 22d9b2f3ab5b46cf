/** What is traded in a story: payouts, orders or the wallet. A trade thinks up errands and knows which books must agree. */
import type { Desk } from '../../src/lib/desk/desk.ts'
import type { Part } from '../../src/lib/profile/settings/part.ts'
import type { IntentRow } from '../../src/lib/store/journal/schema.ts'
import type { Machine } from './machine.ts'
import type { World } from './world.ts'

/** One command that somebody, or a cron job, runs. */
export interface Errand {
  readonly name: string
  /** What is meant to be done by it, by whatever the books know it as; null for a command that moves nothing. */
  readonly plan: string | null
  readonly act: (desk: Desk, about: (journalId: string) => void) => Promise<unknown>
  /** How many commands it is made of: each has its own time. */
  readonly commands?: number
}

export interface Ended {
  readonly exit: number
  readonly told: string
  readonly plan: string | null
  /** What it says of the money; null where it did what it should. */
  readonly moneyMoved: string | null
  /** Intents that it was about, by their journal ids. */
  readonly about: readonly string[]
}

export interface Trade {
  readonly part: Part
  /** Calm weather: what must exist before the story begins. */
  prepare(): Promise<void>
  next(machine: Machine): Errand
  /** What one command told must be true. */
  check(ended: Ended): Promise<void>
  /** Whether what an intent stands for was done. */
  ran(intent: IntentRow): Promise<boolean>
  /** accepted ≤ ledger ≤ accepted + unknown; nothing executed twice. */
  checkBooks(atTheEnd: boolean): Promise<void>
}

export type NewTrade = (world: World) => Trade

/** What a payout is for that ends unpaid. */
export const failing = 'sandbox:failed'

/** Exit codes that say "no": nothing moved by this. */
const denials: ReadonlySet<number> = new Set([2, 3, 4, 5, 6, 11])
/** Exit codes of those that were told to stop: what they say of the money counts. */
const stops: ReadonlySet<number> = new Set([130, 143])

export function wasStopped({ exit }: Ended): boolean {
  return stops.has(exit)
}

/** Whether it was told that nothing moved. */
export function isDenied(ended: Ended): boolean {
  return denials.has(ended.exit) || (wasStopped(ended) && ended.moneyMoved === 'no')
}

/** The status in which the payment has ended that a command was about, as it told it; null where it told of none. */
export function toldStatus({ told }: Ended): string | null {
  const said = JSON.parse(told) as { status?: string | null; error?: { status: string | null } } | null
  return said?.error?.status ?? said?.status ?? null
}
