/**
 * The lease of an intent: the right of one process to send it for a while. On this machine it ends with the process;
 * elsewhere by time.
 */
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { limitedOperations } from '../contract/operation.ts'
import type { ServicePlace } from '../contract/service.ts'
import { bootName, type Clock } from '../edge.ts'
import { hint, paste } from '../hint.ts'
import type { Store } from '../store/engine/store.ts'
import { attemptsOf, recordedIntent, type Sighted, wholeRow } from '../store/journal/intents.ts'
import type { IntentRow, JournalReader, JournalTables } from '../store/journal/schema.ts'
import { type OpenSum, openSums } from '../store/journal/spent.ts'
import { type Intent, intentFailure, intentOf } from './intent.ts'
import { changeIntentRow } from './limits.ts'
import { type Moment, maxElapsed, minElapsed, momentOf } from './moment.ts'
import { type Lease, noLease } from './row.ts'
import { type State, unmoved } from './verdict.ts'

export interface ThisProcess {
  readonly self: string
  /** `unknown`: on another machine or in another container. */
  standing(holder: string): HolderState
  /** The public key of the person; asked for only where a rule is. */
  readonly person?: () => Promise<string | null>
  /** Absent where all are of this machine. */
  readonly knownFor?: KnownFor
}

/** Milliseconds since this machine first asked about an attempt; 0 at the first; null where it has no such time. */
export type KnownFor = (attempt: Sighted) => Promise<number | null>

export type HolderState = 'alive' | 'gone' | 'unknown'

/** In ticks: tells two processes with the same number apart. Empty where the system does not say. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state = '', ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // Killed and not yet reaped by its parent: it does nothing any more.
    return /[ZX]/.test(state) ? 'gone' : (rest[18] ?? '')
  } catch {
    return ''
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function standing(holder: string): HolderState {
  const [host = '', pid = '', start = '', space = namespace()] = holder.split('/')
  if (host !== hostname() || space !== namespace()) return 'unknown'
  if (!isRunning(Number(pid))) return 'gone'
  // Without start times, another process may have the number by now.
  if (start === '' && startOf(process.pid) === '') return 'unknown'
  return startOf(Number(pid)) === start ? 'alive' : 'gone'
}

/** "process 31575 on vm". */
export function holderInWords(holder: string): string {
  const [host = '', pid] = holder.split('/')
  return pid === undefined ? host : `process ${pid} on ${host}`
}

/** Numbers of processes mean something only inside their own namespace. */
function namespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')
  } catch {
    return ''
  }
}

/** `any-machine`: machines may share a name, so that only holders of this very start are looked up. */
export function thisProcess(among: 'this-machine' | 'any-machine' = 'this-machine'): ThisProcess {
  const self = `${hostname()}/${process.pid}/${startOf(process.pid)}/${namespace()}`
  if (among === 'this-machine') return { self, standing }
  const boot = bootName()
  const isHere = (holder: string) => boot !== '' && holder.endsWith(`/${boot}`)
  return { self: `${self}/${boot}`, standing: (holder) => (isHere(holder) ? standing(holder) : 'unknown') }
}

export interface Present extends Moment {
  readonly leaseHolder: ThisProcess
}

/**
 * True if a process that may still be at work has the intent in flight. The end of the lease frees it only where the
 * process cannot be looked up: a sleeping one may wake.
 */
export function isLeased({ holder, held_until, held_until_steady }: Lease, present: Present): boolean {
  if (holder === null || held_until === null) return false
  const standing = present.leaseHolder.standing(holder)
  if (standing !== 'unknown') return standing === 'alive'
  return minElapsed({ iso: held_until, steady: held_until_steady }, present) < 0
}

/**
 * True if the lease of an intent is over by time alone: its holder, which nobody here can look up, may be asleep, with its request
 * on the way. Then only a service that recognises the id is sent it again.
 */
export function mayWake({ holder }: Pick<IntentRow, 'holder'>, { leaseHolder }: Pick<Present, 'leaseHolder'>): boolean {
  return holder !== null && leaseHolder.standing(holder) === 'unknown'
}

/** Milliseconds before the end of a lease from which on its holder sends no more: two machines read one clock a moment apart. */
export const leaseReserve = 3_000

/**
 * True if the lease of an intent is over in so many milliseconds: its holder must send nothing that is answered later, for another
 * process may take it by then.
 */
export function isLeaseOver({ leaseUntil, heldUntilSteady }: Intent, present: Moment, milliseconds = 0): boolean {
  const left = -leaseReserve - milliseconds
  return leaseUntil === null || maxElapsed({ iso: leaseUntil, steady: heldUntilSteady }, present) >= left
}

/** Throws a Failure, locked (12), while another process that may still be at work has the lease of the intent. */
export function requireUnleased(row: IntentRow, present: Present): void {
  if (!isLeased(row, present)) return
  const message = `another run has this payment in flight (${holderInWords(row.holder ?? '')})`
  throw intentFailure('locked', message, intentOf(row), {
    moneyMoved: 'unknown',
    hints: [hint`Wait until it ends, or stop it; \`${paste('journal show', row.id)}\` shows its state.`],
  })
}

interface LeaseGround {
  readonly store: Store<JournalTables>
  readonly clock: Clock
  readonly leaseHolder: Pick<ThisProcess, 'self'>
}

/** Executed ones are given free by the answer itself. */
const open = ['unknown', 'unsent', 'turned-away', 'refused'] as const satisfies readonly State[]

/**
 * For a process that is at work on nothing: releases its leases that are over. They were left because the store was away.
 * An unknown intent is anybody's from then on. Gives how many leases it still has.
 */
export function releaseOverdue({ store, clock, leaseHolder: { self } }: LeaseGround): Promise<number> {
  return store.write(async (db) => {
    const present = momentOf(clock)
    const now = new Date(present.now).toISOString()
    const rows = await db
      .selectFrom('intents')
      .selectAll()
      .where('state', 'in', open)
      .where('holder', '=', self)
      .execute()
    const over = rows.filter(({ held_until: iso, held_until_steady: steady }) => {
      return iso === null || minElapsed({ iso, steady }, present) >= 0
    })
    for (const row of over) {
      // This name cannot be looked up, so its lease decides, which is over.
      const left = unmoved.has(row.state as State) ? noLease : { holder: `${self}/left` }
      await changeIntentRow(db, wholeRow(row), left, now)
    }
    return rows.length - over.length
  })
}

/** A journal, as a look at its rows needs it. */
interface Asking {
  ask<Result>(look: (db: JournalReader, present: Present) => Promise<Result>): Promise<Result>
}

/** True while a process that may still be at work has an attempt of the intent under way. */
export function isAttemptUnderWay(journal: Asking, { journalId }: Intent): Promise<boolean> {
  return journal.ask(async (db, present) => {
    if (!isLeased(await recordedIntent(db, journalId), present)) return false
    return (await attemptsOf(db, journalId)).some(({ ended_at }) => ended_at === null)
  })
}

export interface OpenMoney {
  /** Payments whose requests are on their way: minor units by currency. */
  readonly inFlight: ReadonlyMap<string, bigint>
  /** Those of them that this process has on their way. */
  readonly own: ReadonlyMap<string, bigint>
  readonly unknown: {
    readonly payments: number
    readonly units: ReadonlyMap<string, bigint>
    /** The age of the oldest in milliseconds, by the clock of the store; null where there is none. */
    readonly oldest: number | null
  }
}

function add(sums: Map<string, bigint>, { currency, units }: OpenSum): void {
  sums.set(currency, (sums.get(currency) ?? 0n) + units)
}

/** `now`: milliseconds since 1970. */
export function sumOpenMoney(
  sums: readonly OpenSum[],
  { now, leaseHolder }: { readonly now: number; readonly leaseHolder: Pick<ThisProcess, 'self' | 'standing'> },
): OpenMoney {
  const [inFlight, own, units] = [new Map<string, bigint>(), new Map<string, bigint>(), new Map<string, bigint>()]
  let payments = 0
  let oldest: number | null = null
  for (const sum of sums) {
    const state = sum.holder === null ? 'gone' : leaseHolder.standing(sum.holder)
    // Its holder is there, or is elsewhere and its lease stands.
    if (state === 'alive' || (state === 'unknown' && sum.isLeased)) {
      add(inFlight, sum)
      if (sum.holder === leaseHolder.self) add(own, sum)
      continue
    }
    add(units, sum)
    payments += sum.payments
    oldest = Math.max(oldest ?? 0, now - Date.parse(sum.oldest))
  }
  return { inFlight, own, unknown: { payments, units, oldest } }
}

/** The payouts that are open, of one client of a service or, with null, of all. */
export function readOpenMoney(journal: Asking, place: ServicePlace | null): Promise<OpenMoney> {
  return journal.ask(async (db, { now, leaseHolder }) => {
    const sums = await openSums(db, { place, operations: limitedOperations, now: new Date(now).toISOString() })
    return sumOpenMoney(sums, { now, leaseHolder })
  })
}
