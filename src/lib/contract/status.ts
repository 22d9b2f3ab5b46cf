/**
 * Facts of a status. Every status of an area stands with all of its facts in one table; a status in no table is shown as it
 * came and never counts as final. Error codes have facts of the same kind.
 */
import type { FailureName, MoneyMoved } from '../failure.ts'
import type { Hint } from '../hint.ts'
import type { Members } from './core/members.ts'

/** The end of a payment; null while it has not ended, and for an unknown status. */
export type End = 'paid' | 'not-paid' | null

export interface StatusFacts {
  /** In words that follow the status: "SUCCESS (paid)". */
  readonly means: string
  readonly end: End
  /** The movement of the money, as far as the status tells. */
  readonly money: MoneyMoved
  /** The failure of a command that ends in this status; null for success. */
  readonly exit: FailureName | null
  /** The changes that may still come, in words that follow "it"; null where nothing can. */
  readonly outlook: string | null
  /** Statuses of a payment that follow each other have numbers that grow: one with a smaller number is older. None where it may come and go. */
  readonly stage?: number
  /** It comes by time alone: a copy of the service that lags behind shows it, too. */
  readonly isByTime?: true
  /** Advice on what to do next, with blanks for ids such as `<integratorOrderId>`; null where nothing has to be done. */
  readonly next: Hint | null
}

export type Statuses = Readonly<Record<string, StatusFacts>>

/**
 * The same of the payment that a request makes: whether a status is its end may depend on the request and on the time,
 * milliseconds since 1970. Without the time what may end later has not ended.
 */
export type PaymentReader = (status: string, request?: Members, now?: number) => StatusFacts | null

/** Reads the facts of a status from its text in an answer; null for an unknown one. */
export type StatusReader = (status: string) => StatusFacts | null

/** Has not ended. */
export const goesOn = { end: null, money: 'unknown', exit: 'pending' } as const
/** Ended with a payment: nothing more comes of it, and nothing has to be done. */
export const endedPaid = { end: 'paid', money: 'yes', exit: null, outlook: null, next: null } as const
/** Ended without a payment. */
export const endedUnpaid = { end: 'not-paid', money: 'no', exit: 'refused', outlook: null } as const

/** True if a status that was read is older than one that is known: a copy that lags behind has shown it. */
export function isOlder(read: StatusFacts | null, known: StatusFacts | null): boolean {
  return read?.stage !== undefined && known?.stage !== undefined && read.stage < known.stage
}

export function statusIn(statuses: Statuses, status: string): StatusFacts | null {
  return Object.hasOwn(statuses, status) ? (statuses[status] ?? null) : null
}

/** A code of the service as data: what it means, what it proves, and what to do next. */
export interface Code {
  readonly code: number
  /** The exception group of recorded answers, where one was seen. */
  readonly group: number | null
  readonly name: string
  /** The meaning of the code, for a support person. */
  readonly means: string
  /** `no` if an attempt with this answer executed nothing. */
  readonly ran: 'no' | 'unknown'
  /**
   * The code depends on the body alone, so that a refusal of a repeat also speaks for the attempts before it
   * (money-safety.md#the-one-rule-for-answers). Set only where nothing that changes between two attempts, a balance, a limit, a
   * configuration, a permission, the clock or the state of an order, can cause it.
   */
  readonly bodyOnly: boolean
  readonly exit: FailureName
  /** Advice on what to do next. */
  readonly next: Hint
}

/** Code → name, what it means, what to do next: how the tables of areas B, C and D are written down. */
export type CodeRows = Readonly<Record<number, readonly [name: string, means: string, next: Hint | string]>>
