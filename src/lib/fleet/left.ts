/** The end of a chunk, by the reason that ended it. */
import type { Stop } from '../batch/run/stop.ts'

export interface Left {
  /** False if another worker should take it. */
  readonly isDone: boolean
  /** The reason for which this machine cannot send now. */
  readonly trouble?: string
}

/** Null where the reason stops the plan for the fleet: it is no trouble of this machine's alone. */
export function leftBy(reason: Stop | null): Left | null {
  if (reason === null) return { isDone: true }
  if (reason.kind === 'signal') return { isDone: false }
  // Others may have another way to the service.
  if (reason.kind === 'enough') return reason.isOfHere ? { isDone: false, trouble: reason.why } : null
  const { kind, message } = reason.failure
  if (kind === 'unsent') return { isDone: false, trouble: message }
  return kind === 'credentials' ? { isDone: false } : null
}
