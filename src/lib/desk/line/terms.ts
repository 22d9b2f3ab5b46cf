/** The terms on which a write is submitted: what it may follow, and how long it has. */
import type { AskedBefore } from '../guard.ts'

export interface RunLimits {
  /** Milliseconds since 1970. */
  readonly deadline: number
  /** Milliseconds that are left for sending, however the clock is set meanwhile. `hasLeft`: an attempt of this command has left. */
  readonly timeToSend: (hasLeft: boolean) => number
}

export interface SubmitOptions extends AskedBefore {
  readonly businessKey?: string | null
  /** True if the journal had nothing of it a moment ago: then it is asked once, when it decides. */
  readonly isNew?: boolean
  /** Asked before its first attempt leaves: true keeps it here. */
  readonly calledOff?: () => boolean
  /** Until when; the time of the command from now on, if not given. */
  readonly deadline?: number
  /** After this nothing is sent any more, though an answer may still be waited for and the service be asked. */
  readonly sendUntil?: number
}
