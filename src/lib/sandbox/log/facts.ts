/** Facts of a request, found on its way through the service: for the log, and never part of an answer. */
import type { KeyObject } from 'node:crypto'
import type { Scheme } from '../../envelope/scheme.ts'
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
  /** The cause of a refusal in words, where its answer does not tell it. */
  readonly cause?: string | null
  /** Remarks on the unusual, which may be accepted. Later ones are added to earlier ones. */
  readonly remarks?: readonly string[]
  readonly outcome?: HandlerOutcome
}

/** Takes down what is known by now; later facts join earlier ones. */
export type RecordFacts = (facts: RequestFacts) => void

export const recordNothing: RecordFacts = () => undefined
