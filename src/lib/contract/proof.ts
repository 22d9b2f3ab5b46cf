/**
 * What a success (HTTP 2xx) proves of the write that it answers. "Done" is a status that the operation names, in an answer
 * that repeats which thing it speaks of; anything else in a success is no definite answer.
 */

import type { AskedSum } from './asked-sum.ts'

type Members = Readonly<Record<string, unknown>>

/** A business outcome that moved nothing, told as a status in the place of an error. */
export interface StatusRefusal {
  /** Whether the request alone decides it, so that it speaks for earlier attempts, too. */
  readonly bodyOnly: boolean
  /** The member that says why. */
  readonly reason?: string
}

export interface Proof {
  /** Members that must repeat the request: without one of them, or with another value, it answers another request. */
  readonly echoes: readonly string[]
  /** Members that must be there besides. */
  readonly needs: readonly string[]
  /** Members that must repeat the sum of the request where they are there; with another value it was another payment. */
  readonly sum: (request: Members) => AskedSum
  /** Whether a status says that it was done. Null stands for an answer without a status. */
  readonly isDone: (status: string | null) => boolean
  readonly refused: Readonly<Record<string, StatusRefusal>>
  /** Statuses that say that it had been done before, whoever did it. */
  readonly doneBefore: readonly string[]
  /** Whether members that nothing is known of leave it open whether it was done, where there is no status. */
  readonly nothingElse: boolean
  /** What the journal keeps of the answer: all of it, or the members that the receipt of a payout has. */
  readonly keeps: 'answer' | 'payout'
  /**
   * A write that was done and is asked for again: its receipt, if that stays true for ever; else what a read shows now, and
   * where no read shows it, the receipt with a warning.
   */
  readonly askedAgain: 'receipt' | 'read'
  /** What is unusual about an answer that says that it was done. */
  readonly remarks: (request: Members, answer: Members) => readonly string[]
}

/** What most operations have in common. */
export const usualProof = {
  needs: [],
  sum: () => ({}),
  refused: {},
  doneBefore: [],
  nothingElse: false,
  keeps: 'answer',
  askedAgain: 'receipt',
  remarks: () => [],
} as const satisfies Partial<Proof>

/** Done in one of these statuses, and in no other. */
export function doneIn(...statuses: readonly string[]): Proof['isDone'] {
  return (status) => status !== null && statuses.includes(status)
}

/** The members by which answers tell whose they are. Where one stands in request and answer, both must agree. */
export const identities = ['uniqueId', 'integratorOrderId', 'subscriptionId', 'integratorId', 'identifier'] as const
