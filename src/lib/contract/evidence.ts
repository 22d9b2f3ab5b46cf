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

/**
 * Refusals that speak of the state of the object (money-safety.md#the-one-rule-for-answers). Each may be the second answer to a request
 * that was sent twice on its way, so a read of the object follows.
 */
export interface StateRefusals {
  readonly codes: readonly number[]
  /** The statuses in which the write is possible: a refusal and a read that shows one of them contradict each other. */
  readonly possibleIn: readonly string[]
  /** Those of the codes that may also speak of the body alone: no status in which the write is possible contradicts them. */
  readonly alsoOfBody: readonly number[]
  /** The code for a sum that is more than is left; null where there is none. */
  readonly ofSum: TooMuch | null
  /** True if the status shows the effect of the write: then this request, or another one, was executed. */
  readonly shows: (status: string) => boolean
  /** The meaning of a refusal in such a status. */
  readonly means: ShownMeans
  /** In words that follow "cannot be". */
  readonly done: string
  /** Advice on what to do next, by status. */
  readonly next: Readonly<Record<string, Hint>>
}

/** The code that says that the object is paid, to a write of any kind: a read that does not show it as paid contradicts it. */
export const alreadyPaid = 6016

/** Refusal codes for an order whose status no longer allows the write. */
export const notAnyMore = [6003, 6006, 6015, alreadyPaid, 6017]

/** The facts that most reads have in common as evidence. */
export const usualEvidence = { tried: [], late: [], showsSum: false, sum: () => ({}), refusals: null } as const

/** The evidence that a table has for a status; an unknown status is unclear. */
export function shownBy(table: Readonly<Record<string, Shown>>, status: string): Shown {
  return Object.hasOwn(table, status) ? (table[status] ?? 'unclear') : 'unclear'
}

/** The facts that most refusals of this kind have in common. */
export const usualRefusals = { next: {}, ofSum: null, alsoOfBody: [] } as const
