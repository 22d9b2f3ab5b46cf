/** What a room brings to the sandbox. The core knows rooms by this alone; `sandbox.ts` puts them together. */
import type { Move } from './clock/due.ts'
import type { EventHandlers } from './events.ts'
import type { Route } from './handler.ts'

export interface Room {
  /** The operations that it answers. */
  readonly routes?: readonly Route[]
  /** What time does in it by itself. */
  readonly moves?: readonly Move[]
  /** What it does when something happens in another room. */
  readonly on?: EventHandlers
}
