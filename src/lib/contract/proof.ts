/**
 * The proof in a success (HTTP 2xx) of the write that it answers. "Done" is a status that the operation names, in an answer
 * that repeats the id of its thing; any other success is no definite answer.
 */
import type { AskedSum } from './asked-sum.ts'
import type { Members } from './core/members.ts'

/** A business outcome that moved nothing, told as a status in the place of an error. */
export interface StatusRefusal {
  /** True if the request alone decides it: then it also speaks for earlier attempts. */
  readonly bodyOnly: boolean
  /** True if it denies the attempts before it, too, once a read agrees: the service looks first for what was done (C2). */
  readonly deniesAll?: boolean
  /** The member with the reason. */
  readonly reason?: string
}

export interface Proof {
  /**
   * Members that must repeat the request. An answer without one of them, or with another value, belongs to another request.
   */
  readonly echoes: readonly string[]
  /** Members that must be there besides. */
  readonly needs: readonly string[]
  /** Members that repeat the sum of the request. Where one is there with another value, it was another payment. */
  readonly sum: (request: Members) => AskedSum
  /** True if the status says that the write was done. Null stands for an answer without a status. */
  readonly isDone: (status: string | null) => boolean
  readonly refused: Readonly<Record<string, StatusRefusal>>
  /**
   * The member in which a success says in words why nothing was done, and the statuses of the thing beside which it is
   * believed; null where a success never refuses in words.
   */
  readonly refusedInWords: { readonly member: string; readonly isBelieved: (status: string) => boolean } | null
  /** Statuses that say that the write had been done before, from here or by another client. */
  readonly doneBefore: readonly string[]
  /** True if an answer without a status proves nothing once it has a member of unknown meaning. */
  readonly nothingElse: boolean
  /** The part of the answer that the journal keeps: all of it, or the members that the receipt of a payout has. */
  readonly keeps: 'answer' | 'payout'
  /**
   * The answer to a repeat of a write that was done: its receipt, if that stays true for ever; else what a read shows now,
   * and where no read shows it, the receipt with a warning.
   */
  readonly askedAgain: 'receipt' | 'read'
  /** Unusual points of an answer that says that the write was done. */
  readonly remarks: (request: Members, answer: Members) => readonly string[]
}

/** The proof that most operations have in common. */
export const usualProof = {
  needs: [],
  sum: () => ({}),
  refused: {},
  refusedInWords: null,
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

/**
 * The members that identify the thing an answer speaks of. Where one stands in both request and answer, the two must agree.
 */
export const identities = ['uniqueId', 'integratorOrderId', 'subscriptionId', 'integratorId', 'identifier'] as const
