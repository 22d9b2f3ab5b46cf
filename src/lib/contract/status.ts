/**
 * What is known of a status. Every status of an area stands in one table with all of it; one that is in no table is shown as it
 * came and never counts as final.
 */
import type { FailureName, MoneyMoved } from '../failure.ts'
import type { Hint } from '../hint.ts'

/** How a payment ended; null while it has not, and for an unknown status. */
export type End = 'paid' | 'not-paid' | null

export interface StatusFacts {
  /** In words that follow the status: "SUCCESS (paid)". */
  readonly means: string
  readonly end: End
  /** Whether the money moved, as far as the status tells. */
  readonly money: MoneyMoved
  /** The failure of a command that ends with it; null for success. */
  readonly exit: FailureName | null
  /** What may still come of it, in words that follow "it"; null where nothing can. */
  readonly outlook: string | null
  /** What to do next, with blanks for ids such as `<integratorOrderId>`; null where nothing has to be done. */
  readonly next: Hint | null
}

export type Statuses = Readonly<Record<string, StatusFacts>>

/** What is known of a status as it stands in an answer; null for an unknown one. */
export type StatusReader = (status: string) => StatusFacts | null

/** It goes on. */
export const goesOn = { end: null, money: 'unknown', exit: 'pending' } as const
/** It ended well: nothing more comes of it, and nothing has to be done. */
export const endedPaid = { end: 'paid', money: 'yes', exit: null, outlook: null, next: null } as const
/** It ended without a payment. */
export const endedUnpaid = { end: 'not-paid', money: 'no', exit: 'refused', outlook: null } as const

export function statusIn(statuses: Statuses, status: string): StatusFacts | null {
  return Object.hasOwn(statuses, status) ? (statuses[status] ?? null) : null
}
