/**
 * The tables of received callbacks. Requests as they came over the wire (`received`) are only ever added to; their openings
 * stand beside them, one row each, so that nothing can be opened twice.
 */

import type { Generated, Kysely, Transaction } from 'kysely'
import type { Schema } from '../engine/store.ts'
import { receivedCallbacks } from './migrations/001-received.ts'

export interface ReceivedRow {
  /** The order in which they were stored. */
  readonly seq: Generated<number>
  readonly id: string
  readonly received_at: string
  readonly remote: string
  /** The profile of the listener; null where it had none. */
  readonly profile: string | null
  readonly method: string
  /** Path and query as they stood in the start line. */
  readonly target: string
  /** A JSON list of [name, value], as they came. */
  readonly headers: string
  /** The exact bytes. */
  readonly body: Uint8Array
  readonly body_digest: string
}

export interface OpenedRow {
  readonly seq: number
  readonly opened_at: string
  readonly how: string
  readonly scheme: string | null
  /** The reason why it could not be opened or read. */
  readonly why: string | null
  readonly kind: string
  readonly order_id: string | null
  readonly transaction_id: string | null
  readonly subscription_id: string | null
  readonly status: string | null
  /** A text that is the same for two callbacks about the same event. */
  readonly about: string | null
  /** The id of the first that said the same. */
  readonly duplicate_of: string | null
  readonly signature: string | null
  /** Its fields as JSON text, tokens of cards masked; null where it cannot be read. */
  readonly fields: string | null
}

/** One callback on its way to one target. */
export interface DeliveryRow {
  readonly seq: number
  readonly target: string
  readonly state: string
  /** Milliseconds since 1970. */
  readonly due: number
  readonly tries: number
  readonly since: number
}

export interface DeliveryAttemptRow {
  readonly number: Generated<number>
  readonly seq: number
  readonly target: string
  /** `forward` by the listener, or `replay` by hand. */
  readonly by: string
  /** 1 where what was sent is not what came. */
  readonly edited: number
  readonly started_at: string
  readonly milliseconds: number
  readonly outcome: string
  readonly http: number | null
  readonly why: string | null
}

export interface CallbackTables {
  received: ReceivedRow
  opened: OpenedRow
  deliveries: DeliveryRow
  delivery_attempts: DeliveryAttemptRow
}

export type CallbackReader = Kysely<CallbackTables>
export type CallbackWriter = Transaction<CallbackTables>

export const callbackSchema: Schema = { title: 'the store of callbacks', migrations: [receivedCallbacks] }
