/** The parts of a room of the sandbox. The core knows rooms by this alone; `sandbox.ts` puts them together. */
import type { Move } from './clock/due.ts'
import type { EventHandlers } from './events.ts'
import type { Route } from './handler.ts'

export interface Room {
  /** The operations that it answers. */
  readonly routes?: readonly Route[]
  /** The moves that time makes in it by itself. */
  readonly moves?: readonly Move[]
  /** Its reactions to events in other rooms. */
  readonly on?: EventHandlers
}
