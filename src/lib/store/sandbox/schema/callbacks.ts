/** The sandbox's tables of what it tells integrators: callbacks, and the attempts to deliver them. */
import type { Generated } from 'kysely'

export interface CallbackRow {
  readonly callback_id: Generated<number>
  readonly order_id: string
  readonly integrator_id: string
  readonly kind: 'payment' | 'subscription'
  readonly url: string
  /** The payload as JSON text, and the body as it is sent: sealed, or the same. */
  readonly plain: string
  readonly body: string
  readonly sealed: 0 | 1
  readonly state: 'waiting' | 'delivered' | 'given-up'
  /** The time of the next try; null when it is not tried any more. */
  readonly due: number | null
  readonly created: number
  /** The play that made it: a duplicate, with its original, or an edit. Null where the service sent it by itself. */
  readonly note: string | null
}

export interface CallbackAttemptRow {
  readonly callback_id: number
  readonly number: number
  readonly time: number
  /** Null where no answer came. */
  readonly http: number | null
  /** The reason why it was no success, in words. */
  readonly why: string | null
  readonly milliseconds: number
  /** The body of the answer, shortened and without secrets; null where no answer came. */
  readonly reply: string | null
}

export interface SentCallbackTables {
  callbacks: CallbackRow
  callback_attempts: CallbackAttemptRow
}

/** Children before their parents. */
export const callbackTables = [
  'callback_attempts',
  'callbacks',
] as const satisfies readonly (keyof SentCallbackTables)[]
