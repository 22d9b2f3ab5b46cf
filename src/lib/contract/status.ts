/** Facts of statuses and error codes. A status in no table is shown as it came and never counts as final. */
import type { FailureName, MoneyMoved } from '../failure.ts'
import type { Hint } from '../hint.ts'
import type { Members } from './core/members.ts'

/** Null while it has not ended, and for an unknown status. */
export type End = 'paid' | 'not-paid' | null

export interface StatusFacts {
  /** Follows the status: "SUCCESS (paid)". */
  readonly means: string
  readonly end: End
  readonly money: MoneyMoved
  /** The failure of a command that ends in this status; null for success. */
  readonly exit: FailureName | null
  /** What may still come, in words that follow "it"; null for nothing. */
  readonly outlook: string | null
  /** A status with a smaller number is older. None where it may come and go. */
  readonly stage?: number
  /** It comes by time alone: a copy that lags behind shows it, too. */
  readonly isByTime?: true
  /** Advice, with blanks for ids such as `<integratorOrderId>`. */
  readonly next: Hint | null
}

export type Statuses = Readonly<Record<string, StatusFacts>>

/**
 * Whether a status ends the payment that a request makes may depend on the request and the time (milliseconds since
 * 1970); without the time what may end later has not ended.
 */
export type PaymentReader = (status: string, request?: Members, now?: number) => StatusFacts | null

/** Null for an unknown status. */
export type StatusReader = (status: string) => StatusFacts | null

export const goesOn = { end: null, money: 'unknown', exit: 'pending' } as const
/** Nothing more comes of it. */
export const endedPaid = { end: 'paid', money: 'yes', exit: null, outlook: null, next: null } as const
export const endedUnpaid = { end: 'not-paid', money: 'no', exit: 'refused', outlook: null } as const

/** True if a copy that lags behind has shown the status. */
export function isOlder(read: StatusFacts | null, known: StatusFacts | null): boolean {
  return read?.stage !== undefined && known?.stage !== undefined && read.stage < known.stage
}

export function statusIn(statuses: Statuses, status: string): StatusFacts | null {
  return Object.hasOwn(statuses, status) ? (statuses[status] ?? null) : null
}

export interface Code {
  readonly code: number
  readonly group: number | null
  readonly name: string
  /** For a support person. */
  readonly means: string
  /** `no` if an attempt with this answer executed nothing. */
  readonly ran: 'no' | 'unknown'
  /**
   * The code depends on the body alone, never on a balance, limit, permission, clock or state: a refusal of a repeat
   * also speaks for the attempts before it.
   */
  readonly bodyOnly: boolean
  readonly exit: FailureName
  readonly next: Hint
}
