/**
 * Faults on order. A fault strikes before the service has seen a request, or after it has executed it: only the second kind
 * shows whether a client pays twice. They are kept in the store, so that the built-in sandbox and a running server, and
 * several processes, obey the same ones. Their effect on an answer is in `inject.ts`.
 */
import type { Clock } from '../../edge.ts'
import { Failure } from '../../failure.ts'
import { hint } from '../../hint.ts'
import type { ResultOf } from '../../result.ts'
import type { Store } from '../../store/engine/store.ts'
import { addFault, clearFaults, type KeptFault, listFaults, takeFault } from '../../store/sandbox/faults.ts'
import type { SandboxTables } from '../../store/sandbox/schema.ts'
import { clockOffset } from '../../store/sandbox/world.ts'
import { largestSeed, nthDraw } from './draw.ts'
import { comesTwice, type FaultKind, type FaultPlace, faultTargets } from './kinds.ts'
import { rateInWords, readRate } from './rate.ts'
import type { faultResult } from './result.ts'

export interface FaultOrder {
  /** One of `faultTargets`, such as payout.create. */
  readonly op: string
  readonly at: FaultPlace
  readonly kind: FaultKind
  /** The number of the matching request that it strikes first, counted from now on; 1 if not given. */
  readonly nth?: number | undefined
  /** The number of strikes in a row; 1 if not given. */
  readonly times?: number | undefined
  /** Strikes by chance instead, until it is cleared: so many of a thousand matching requests. */
  readonly perMille?: number | undefined
  /** The seed of chance; 1 if not given. */
  readonly seed?: number | undefined
  /** Milliseconds, of a slow answer; 3000 if not given. */
  readonly delay?: number | undefined
  /** Turns away what comes faster instead, until it is cleared, such as "50/s"; of 429 before the execution only. */
  readonly above?: string | undefined
}

export type Fault = ResultOf<typeof faultResult>

/** A fault that strikes. */
export interface StruckFault extends Fault {
  /** Seconds after which the client may come again, where it came too fast; null of all others. */
  readonly retryAfter: number | null
}

export interface Faults {
  add(fault: FaultOrder): Promise<Fault>
  list(): Promise<Fault[]>
  /** One fault, or all of them; gives back how many there were. */
  clear(id?: string): Promise<number>
  /** The fault that strikes this request of an operation; counts it. */
  take(operation: string): Promise<StruckFault | null>
}

const usualDelay = 3000
const longestDelay = 3_600_000

function described({
  id,
  operation,
  place,
  kind,
  nth,
  times,
  per_mille,
  seed,
  draws,
  delay,
  ...rate
}: KeptFault): Fault {
  const { above, above_window } = rate
  const byCount = per_mille === null && above === null
  return {
    ...{ id: String(id), op: operation, at: place as FaultPlace, kind: kind as FaultKind },
    ...{ nth: byCount ? nth : null, times: byCount ? times : null },
    ...{ perMille: per_mille, seed, draws, delay },
    above: above === null ? null : rateInWords({ requests: above, window: above_window ?? 0 }),
  }
}

/** Whole seconds until the window is over; no client comes again in less than one. */
function retryAfter({ above, above_window, window_start }: KeptFault, now: number): number | null {
  return above === null ? null : Math.max(1, Math.ceil((window_start + (above_window ?? 0) - now) / 1000))
}

function whole(name: string, value: number | undefined, from: number, to: number): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= from && value <= to)) return
  const range = to === Number.MAX_SAFE_INTEGER ? `from ${from} on` : `from ${from} to ${to}`
  throw new Failure('usage', `${name} must be a whole number ${range}`)
}

/** Throws Failure('usage') for one that cannot be. */
export function checkFault({ op, at, kind, nth, times, perMille, seed, delay, above }: FaultOrder): void {
  if (!faultTargets.includes(op)) {
    throw new Failure('usage', `there is no operation ${op}`, {
      hints: [hint`Operations are ${faultTargets.join(', ')}.`],
    })
  }
  whole('nth', nth, 1, Number.MAX_SAFE_INTEGER)
  whole('times', times, 1, Number.MAX_SAFE_INTEGER)
  whole('per-mille', perMille, 1, 1000)
  whole('seed', seed, 0, largestSeed)
  whole('delay', delay, 0, longestDelay)
  if (comesTwice(kind) && at === 'before') {
    throw new Failure('usage', `what comes twice is executed: \`${kind}\` strikes \`after\` only`)
  }
  if (delay !== undefined && kind !== 'slow') throw new Failure('usage', 'a delay belongs to the kind `slow` only')
  if (perMille !== undefined && (nth !== undefined || times !== undefined)) {
    throw new Failure('usage', 'a fault strikes by count (nth, times) or by chance (per-mille), not by both')
  }
  if (seed !== undefined && perMille === undefined) throw new Failure('usage', 'a seed belongs to a chance: per-mille')
  if (above !== undefined)
    checkRate(above, { at, kind, isCounted: [nth, times, perMille].some((each) => each !== undefined) })
}

/** A service that limits its clients does so before it looks at what they want. */
function checkRate(
  above: string,
  { at, kind, isCounted }: Pick<FaultOrder, 'at' | 'kind'> & { readonly isCounted: boolean },
): void {
  if (readRate(above) === null) {
    throw new Failure('usage', `above takes requests a second, a minute or an hour, like 50/s, not "${above}"`)
  }
  if (kind !== '429' || at !== 'before') throw new Failure('usage', 'above belongs to the kind 429, `before` only')
  if (isCounted)
    throw new Failure('usage', 'a fault strikes by rate (above), by count or by chance, not by two of them')
}

function rowOf(order: FaultOrder) {
  const { op, at, kind, nth = 1, times = 1, perMille = null, seed = 1, delay = usualDelay, above = '' } = order
  const rate = readRate(above)
  return {
    ...{ operation: op, place: at, kind, nth, times, per_mille: perMille, draws: 0 },
    ...{ seed: perMille === null ? null : seed, delay: kind === 'slow' ? delay : null },
    ...{ above: rate?.requests ?? null, above_window: rate?.window ?? null, window_start: 0, window_count: 0 },
  }
}

/** True if a fault is ordered for this operation. */
const meant =
  (name: string) =>
  ({ operation }: KeptFault) =>
    [name, `${name.split('.')[0]}.*`, '*'].includes(operation)

const drawn = ({ per_mille, seed, draws }: KeptFault) => nthDraw(seed ?? 1, draws) * 1000 < (per_mille ?? 0)

export function keptFaults(store: Store<SandboxTables>, clock: Pick<Clock, 'now'>): Faults {
  return {
    async add(order) {
      checkFault(order)
      return described(await store.write((db) => addFault(db, rowOf(order))))
    },
    list: async () => (await store.ask(listFaults)).map(described),
    async clear(id) {
      if (id !== undefined && !/^\d{1,15}$/.test(id)) return 0
      return await store.write((db) => clearFaults(db, id === undefined ? null : Number(id)))
    },
    async take(operation) {
      // Most requests meet no fault at all: a look is cheaper than a transaction.
      const waiting = await store.ask(listFaults)
      if (!waiting.some(meant(operation))) return null
      return await store.write(async (db) => {
        const now = clock.now() + (await clockOffset(db))
        const struck = await takeFault(db, meant(operation), drawn, now)
        return struck && { ...described(struck), retryAfter: retryAfter(struck, now) }
      })
    },
  }
}
