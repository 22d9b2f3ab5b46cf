/** What the log is told of a request on its way through the service. It is never part of an answer. */
import type { KeyObject } from 'node:crypto'
import type { Operation } from '../../contract/operation.ts'
import type { Scheme } from '../../envelope/scheme.ts'
import type { HttpAnswer } from '../../http/message.ts'
import type { Fault } from '../faults.ts'
import type { HandlerOutcome } from '../shape.ts'

export interface RequestFacts {
  /** Client id, integrator id or wallet identifier, as it came. */
  readonly who?: unknown
  /** The payload of an envelope that opened, as it came, and what opened it. */
  readonly opened?: { readonly payload: Record<string, unknown>; readonly scheme: Scheme }
  /** The key and the scheme of an envelope that did not open: the reason is looked for later, when the answer is out. */
  readonly unopened?: {
    readonly key: KeyObject
    readonly setting: Scheme
    /** The scheme that it is sealed with, where that alone is wrong. */
    readonly used: Scheme | null
  }
  readonly cause?: string | null
  /** Remarks on the unusual, which may be accepted. Later ones are added to earlier ones. */
  readonly remarks?: readonly string[]
  /** True if it was done, where a refusal is no error but a status in the answer. */
  readonly executed?: boolean
  readonly outcome?: HandlerOutcome
}

/** Takes down what is known by now; later facts join earlier ones. */
export type RecordFacts = (facts: RequestFacts) => void

export const recordNothing: RecordFacts = () => undefined

/** A request as it came: of any method, to any path. */
export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly query: readonly (readonly [name: string, value: string])[]
  readonly body: string | null
}

export interface Exchange {
  readonly time: number
  readonly milliseconds: number
  readonly asked: ReceivedRequest
  readonly operation: Operation | null
  readonly facts: RequestFacts
  /** The service's own answer, before a fault changed it; null where it saw no request. */
  readonly decision: HttpAnswer | null
  /** The HTTP status that was sent; null where no whole answer was. */
  readonly http: number | null
  readonly fault: Pick<Fault, 'at' | 'kind'> | null
}
