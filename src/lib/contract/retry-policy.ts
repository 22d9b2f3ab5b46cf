/**
 * Rules for sending a write once more, by kind of write (money-safety.md#what-may-be-repeated). An attempt of which
 * nothing left may always be repeated.
 */

export interface RetryPolicy {
  /**
   * After no definite answer. `repeat`: the service recognises the id. `once`: so it does, while the deadline lasts.
   * `look-first`: only after a read without a trace. `stop`: never.
   */
  readonly unanswered: 'repeat' | 'once' | 'look-first' | 'stop'
  /** 429: the service did not take it. */
  readonly busy: 'repeat' | 'stop'
  /** True if a token that was not accepted is renewed once. */
  readonly renewsToken: boolean
}

/** Payout create: a repeat under the same id is an error, never a second payout. */
export const repeatable: RetryPolicy = { unanswered: 'repeat', busy: 'repeat', renewsToken: true }

/** Order create, refund, complete, user register, wallet create: a second one may not be recognised. */
export const never: RetryPolicy = { unanswered: 'stop', busy: 'repeat', renewsToken: false }

/** Order create with a card token: the charge runs at once. */
export const charge: RetryPolicy = { unanswered: 'stop', busy: 'stop', renewsToken: false }

/** Wallet finalize: the status ALREADY_FINALISED answers a second one. */
export const onceInTime: RetryPolicy = { unanswered: 'once', busy: 'repeat', renewsToken: false }

/** Cancel, delete, revoke. */
export const lookFirst: RetryPolicy = { unanswered: 'look-first', busy: 'repeat', renewsToken: false }
