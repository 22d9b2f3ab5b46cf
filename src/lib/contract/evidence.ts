import type { Hint } from '../hint.ts'
/**
 * Evidence of a read about a write whose answer was lost (money-safety.md#evidence), and its explanation of a refusal that
 * says "not any more".
 */

/**
 * Evidence of the write in the status of the thing: `executed`; `over`, it was not executed and never will be; `no-trace`,
 * the thing is as it was before; `unclear`, this write or another one may have led to it.
 */
export type Shown = 'executed' | 'over' | 'no-trace' | 'unclear'

/** Refusals that only say that the thing is no longer in the right status. */
export interface StatusRefusals {
  readonly codes: readonly number[]
  /** The statuses in which the write is possible: a refusal there has another reason. */
  readonly possibleIn: readonly string[]
  /** In words that follow "cannot be". */
  readonly done: string
  /** Advice on what to do next, by status. */
  readonly next: Readonly<Record<string, Hint>>
}

/** The facts that most reads have in common as evidence. */
export const usualEvidence = { showsSum: false, sum: () => ({}), refusals: null } as const

/** The evidence that a table has for a status; an unknown status is unclear. */
export function shownBy(table: Readonly<Record<string, Shown>>, status: string): Shown {
  return Object.hasOwn(table, status) ? (table[status] ?? 'unclear') : 'unclear'
}
