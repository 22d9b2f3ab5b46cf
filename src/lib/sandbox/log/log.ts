/**
 * The log of what the sandbox was asked. No answer waits for it: exchanges are gathered in memory, worked out and written
 * together a quarter of a second later, and at the end. A crash may lose that much of the log, and nothing of the ledger.
 */
import type { Clock } from '../../edge.ts'
import { largestBody } from '../../limits.ts'
import type { Store } from '../../store/engine/store.ts'
import { addRequests, type RequestFilter } from '../../store/sandbox/requests.ts'
import type { NewRequest, SandboxTables } from '../../store/sandbox/schema.ts'
import type { RequestEntry, WholeRequest } from './entry.ts'
import type { Exchange } from './exchange.ts'
import type { RecordFacts, RequestFacts } from './facts.ts'
import { keysBeside } from './keys.ts'
import { rowOf } from './row.ts'

/** A request that is under way. */
export interface LogEntry {
  readonly record: RecordFacts
  /** Takes it down with how it ended. Costs nothing, and never throws. */
  end(rest: Omit<Exchange, 'time' | 'milliseconds' | 'facts'>): void
}

export interface RequestLog {
  /** A request comes in: from now on its time runs. */
  begin(clock: Clock): LogEntry
  /** The newest first. */
  list(filter: RequestFilter): Promise<RequestEntry[]>
  find(id: number): Promise<WholeRequest | null>
  /** Writes what has been gathered. A log that cannot be written stays away: no payment depends on it. */
  flush(): Promise<void>
  /** Lets go of what has been gathered: it belongs to a world that is over. */
  forget(): void
}

const newest = 5000
/** Milliseconds. Real ones, whatever the sandbox's clock shows: nothing in the world depends on them. */
const pause = 250
/** More than these at once are written without waiting, be it by number or by the letters of their bodies. */
const many = 500
const muchText = largestBody

export function requestLog(store: Store<SandboxTables>): RequestLog {
  let gathered: Exchange[] = []
  let letters = 0
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> = Promise.resolve()

  const write = async () => {
    const exchanges = gathered
    gathered = []
    letters = 0
    if (exchanges.length === 0) return
    try {
      const rows: NewRequest[] = []
      for (const exchange of exchanges) rows.push(await rowOf(exchange, () => keysBeside(store, exchange.facts)))
      await store.write((db) => addRequests(db, rows, newest))
    } catch {
      // A full disk, a store that was closed: the requests were answered, and that is what counts.
    }
  }
  const flush = async () => {
    if (timer) clearTimeout(timer)
    timer = null
    writing = writing.then(write)
    await writing
  }
  const add = (exchange: Exchange) => {
    gathered.push(exchange)
    letters += exchange.asked.body?.length ?? 0
    if (gathered.length >= many || letters > muchText) void flush()
    timer ??= setTimeout(() => void flush(), pause).unref()
  }
  return {
    begin(clock) {
      const time = clock.now()
      let facts: RequestFacts = {}
      return {
        record: (more) => {
          facts = { ...facts, ...more, remarks: [...(facts.remarks ?? []), ...(more.remarks ?? [])] }
        },
        end: (rest) => add({ ...rest, facts, time, milliseconds: Math.max(0, clock.now() - time) }),
      }
    },
    list: async (filter) => await (await import('./entry.ts')).listEntries(store, filter),
    find: async (id) => await (await import('./entry.ts')).findEntry(store, id),
    flush,
    forget() {
      gathered = []
    },
  }
}
