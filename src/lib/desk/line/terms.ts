/** The terms on which a write is submitted: what it may follow, and how long it has. */
import type { AskedBefore } from '../guard.ts'

/** The reason for which nothing leaves that was called off, in words. */
export const outOfTurn = 'the run ended before its turn'

/** Milliseconds that an attempt, or its answer, waits for a read beside it. */
export const timeForRead = 5_000

export interface RunLimits {
  /** Milliseconds since 1970; it moves on while the write waits for its place. */
  readonly deadline: () => number
  /**
   * Milliseconds that are left for sending, however the clock is set meanwhile. `isUnderWay`: an attempt of this command may have been
   * executed.
   */
  readonly timeToSend: (isUnderWay: boolean) => number
  /** True where it was called off: nothing of it is to leave, unless an attempt of this command may have been executed. */
  readonly calledOff: () => boolean
  /** The journal id of another write that it may follow, whatever came of that; null for none. */
  readonly allowed: string | null
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
