/** The sandbox's table of what it was asked: for its window, and for `sandbox requests`. */
import type { Generated } from 'kysely'

export interface RequestRow {
  readonly request_id: Generated<number>
  readonly time: number
  readonly milliseconds: number
  readonly method: string
  readonly path: string
  /** The operation's name; null where the path means none. */
  readonly operation: string | null
  /** Client id, integrator id or wallet identifier, as it came; null where none did. */
  readonly identifier: string | null
  /** The request as JSON text, card tokens masked; null where it could not be read. */
  readonly plain: string | null
  /** The outline of its envelope, as JSON text; null where nothing is sealed. */
  readonly outline: string | null
  /** Null where no whole answer was sent. */
  readonly http: number | null
  readonly code: number | null
  /** The verdict, in words, and the rule of the specification that decided it. */
  readonly verdict: string
  readonly rule: string | null
  /** The answer as JSON text before it was sealed. */
  readonly answer: string | null
  /** Remarks on the unusual, as a JSON list of texts. */
  readonly remarks: string
  /** The fault that struck, such as "reset after". */
  readonly fault: string | null
}

export type NewRequest = Omit<RequestRow, 'request_id'>
export type KeptRequest = NewRequest & { readonly request_id: number }

export interface RequestTables {
  requests: RequestRow
}

export const requestTables = ['requests'] as const satisfies readonly (keyof RequestTables)[]
