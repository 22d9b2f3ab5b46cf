/** A code of the service as data: what it means, what it proves, and what to do next. */
import type { FailureName } from '../../failure.ts'
import type { Hint } from '../../hint.ts'

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
