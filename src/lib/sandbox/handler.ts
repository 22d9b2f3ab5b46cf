/** The contract of every operation's handler: a request and the sandbox's surroundings in, an outcome out. */

import { type Circumstances, type Operation, type Violation, violationInWords } from '../contract/operation.ts'
import type { Clock } from '../edge.ts'
import type { HttpAnswer, HttpRequest } from '../http/message.ts'
import { shortened } from '../limits.ts'
import type { Store } from '../store/engine/store.ts'
import type { SandboxTables } from '../store/sandbox/schema.ts'
import type { DueMoves } from './clock/due.ts'
import type { RecordFacts } from './log/facts.ts'
import type { HandlerOutcome, Shape } from './shape.ts'
import type { WorldSettings } from './world/settings.ts'

export interface Surroundings extends DueMoves {
  readonly store: Store<SandboxTables>
  readonly clock: Clock
  readonly shape: Shape
  /** The world that it happens in. */
  readonly worldId: string
  /** Settings of that world: what it accepts. */
  readonly settings: WorldSettings
  /** The address below which payers find their pages, without a slash at its end. */
  readonly payersAt: string
  /** Tells the log what a request turns out to be. */
  readonly record: RecordFacts
}

export type Handler = (http: HttpRequest, around: Surroundings) => Promise<HandlerOutcome>

/** A handler together with the wire: what it gives back is what is sent. */
export type Answerer = (http: HttpRequest, around: Surroundings) => Promise<HttpAnswer>

/** An operation of the contract, and what answers it. */
export type Route = readonly [operation: Operation, answer: Answerer]

/** The circumstances of a request whose rules depend on nothing but the day. */
export function anybody(now: number): Circumstances {
  return { permits: new Set(), orderType: null, now }
}

/** Violations in one sentence that names every field; cut, since a body may hold field names of any length. */
export function violationsInWords(violations: readonly Violation[]): string {
  return shortened(violations.map(violationInWords).join('; '))
}
