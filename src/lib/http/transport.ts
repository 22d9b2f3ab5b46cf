/**
 * One request out, one answer in. No redirect is followed and nothing is repeated here: repeating is a decision about money
 * and belongs to the desk. "unsent" is a fact: it is said only if the request was never handed to a connected socket.
 */
import type { HttpAnswer, HttpRequest } from './message.ts'

/**
 * Given where a connection will do that has carried other requests; a repeat has its own: what broke the first may be the way.
 * Only an answer that took the request and repeats the id leaves the connection to the next one: if it comes twice, the copy
 * tells whose it is. A copy of any other one would be taken for the answer to the next request.
 */
export interface SharedLine {
  /** The id that the answer repeats. */
  readonly id: string
  readonly probe: Probe | null
}

/**
 * A read that changes nothing. Answers come in the order of their requests: where its own is the next one, the answer before it
 * was not another request's.
 */
export interface Probe {
  readonly request: HttpRequest
  /** True for an answer that only this read can have. */
  readonly isAnswer: (answer: HttpAnswer) => Promise<boolean>
}

export interface SendLimits {
  /** Milliseconds until the connection must stand, TLS included. */
  readonly connectTimeout: number
  /** Milliseconds until the whole answer must be there, counted from the start. */
  readonly answerTimeout: number
  readonly signal: AbortSignal
  /** Asked right before the first byte: a text is why nothing may leave any more. */
  readonly objection?: () => string | null
  /**
   * True for an answer that settles its request by itself. Any other one is believed only if nothing stands behind it: a gateway
   * that sends a request twice may pass on both answers.
   */
  readonly settles?: (answer: HttpAnswer) => Promise<boolean>
  readonly shares?: SharedLine
}

/** Parts of the time of a request, in milliseconds; null for one that it had not, or that was not seen. */
export interface Phases {
  /** The name of the service as an address. */
  readonly dns: number | null
  /** The connection, without its TLS. */
  readonly tcp: number | null
  readonly tls: number | null
  /** From the request that left until the first byte of its answer. */
  readonly firstByte: number | null
  /** From there until the end of the answer. */
  readonly rest: number | null
}

export type Transmission =
  | {
      readonly kind: 'answered'
      readonly answer: HttpAnswer
      readonly milliseconds: number
      readonly phases?: Phases
    }
  /** Not a byte of the request left. */
  | { readonly kind: 'unsent'; readonly why: string }
  /** The request left, in whole or in part, and no whole answer came. */
  | { readonly kind: 'unanswered'; readonly why: string }

/** Carries one request below a base URL. Never throws: what happened is in the Transmission. */
export type Transport = (baseUrl: string, request: HttpRequest, limits: SendLimits) => Promise<Transmission>

/** Another program's request: passed on to the byte, whatever it holds. */
export interface ForeignRequest {
  readonly method: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
}

/** Carries another program's request to an address. Never throws: what happened is in the Transmission. */
export type Relay = (address: URL, request: ForeignRequest, limits: SendLimits) => Promise<Transmission>
