import type { Hint } from '../hint.ts'
/**
 * What a read proves about a write whose answer was lost (money-safety.md#evidence), and what it explains about a refusal that
 * says "not any more".
 */

/**
 * What the status of the thing says of the write: `executed`; `over`, it was not executed and never will be; `no-trace`, the
 * thing is as it was before; `unclear`, this write or another one may have led to it.
 */
export type Shown = 'executed' | 'over' | 'no-trace' | 'unclear'

/** Refusals that only say that the thing is no longer in the right status. */
export interface StatusRefusals {
  readonly codes: readonly number[]
  /** The statuses in which the write is possible: a refusal there has another reason. */
  readonly possibleIn: readonly string[]
  /** In words that follow "cannot be". */
  readonly done: string
  /** What to do next, by status. */
  readonly next: Readonly<Record<string, Hint>>
}

/** What most reads have in common as evidence. */
export const usualEvidence = { showsSum: false, sum: () => ({}), refusals: null } as const

/** What every status of a table shows; of an unknown one nothing is said. */
export function shownBy(table: Readonly<Record<string, Shown>>, status: string): Shown {
  return Object.hasOwn(table, status) ? (table[status] ?? 'unclear') : 'unclear'
}
