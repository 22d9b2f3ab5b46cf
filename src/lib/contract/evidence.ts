import type { Hint } from '../hint.ts'
import type { Members } from './core/members.ts'

/**
 * Evidence of a read about a write whose answer was lost (money-safety.md#evidence), and its explanation of a refusal that
 * says "not any more".
 */

/**
 * Evidence of the write in the status of the thing: `executed`; `over`, it was not executed and never will be; `lapsed`, it is
 * over, but by time alone, so that a copy of the service shows it, too, that lags behind and has not heard of the write;
 * `no-trace`, the thing is as it was before; `unclear`, this write or another one may have led to it.
 */
export type Shown = 'executed' | 'over' | 'lapsed' | 'no-trace' | 'unclear'

/**
 * The meaning of a refusal beside a read that shows what the write is for. `done`: it is so, whoever did it (0). `conflict`: a
 * sum moved, by this request or another one (7). `open`: the same, and a second execution would look no different, so that
 * it is not sent again (9).
 */
export type ShownMeans = 'done' | 'conflict' | 'open'

/** The refusal of a sum that is more than is left of its thing. */
export interface TooMuch {
  readonly code: number
  /** The statuses in which all of it may be left. */
  readonly whole: readonly string[]
  /** All of it, by the request that made the thing: a decimal text; null where that may be any sum. */
  readonly all: (creation: Members) => unknown
}

/** Refusals that only say that the thing is no longer in the right status. */
export interface StatusRefusals {
  readonly codes: readonly number[]
  /** The statuses in which the write is possible: a refusal there has another reason. */
  readonly possibleIn: readonly string[]
  /** The code that speaks of the status alone, and the statuses that contradict it: such a read is older than the refusal. Null where there is none. */
  readonly ofStatus: { readonly code: number; readonly contradictedBy: readonly string[] } | null
  /** By a status that was known before the write left: those that come before it. A read of one is older than the refusal, too. */
  readonly before: Readonly<Record<string, readonly string[]>>
  /** The code for a sum that is more than is left; null where there is none. */
  readonly ofSum: TooMuch | null
  /** The code that says that the thing was paid, where that is told in its own words; null where there is none. */
  readonly ofPaid: number | null
  /**
   * True if the status shows what the write is for: then it was executed, by another request or by this very one, which
   * something on the way sent twice.
   */
  readonly shows: (status: string) => boolean
  /** The meaning of a refusal in such a status. */
  readonly means: ShownMeans
  /** Codes among them that say by themselves that it is so, whatever a read shows. */
  readonly says: readonly number[]
  /** In words that follow "cannot be". */
  readonly done: string
  /** Advice on what to do next, by status. */
  readonly next: Readonly<Record<string, Hint>>
}

/** The facts that most reads have in common as evidence. */
export const usualEvidence = { tried: [], late: [], showsSum: false, sum: () => ({}), refusals: null } as const

/** The evidence that a table has for a status; an unknown status is unclear. */
export function shownBy(table: Readonly<Record<string, Shown>>, status: string): Shown {
  return Object.hasOwn(table, status) ? (table[status] ?? 'unclear') : 'unclear'
}

/** The facts that most refusals of this kind have in common. */
export const usualRefusals = { says: [], next: {}, ofStatus: null, ofSum: null, ofPaid: null, before: {} } as const
