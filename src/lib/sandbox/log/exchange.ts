/** A request to the sandbox with its answer, before they are told and kept. */

import type { Operation } from '../../contract/operation.ts'
import type { HttpAnswer } from '../../http/message.ts'
import type { Fault } from '../faults/fault.ts'
import type { RequestFacts } from './facts.ts'

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
