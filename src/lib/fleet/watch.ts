/** The look of a worker at a plan while it has rows of it in work: nothing new is sent of one that was stopped or taken back. */
import type { Stopping } from '../batch/run/stop.ts'
import type { Clock } from '../edge.ts'
import { Failure } from '../failure.ts'
import type { Fleet } from './fleet.ts'

/** Milliseconds between two looks. */
const betweenLooks = 1_000

/** Milliseconds after which a look is too old to send by: this process slept, and may be taken for gone. */
const oldestLook = 10_000

/** Milliseconds after which nothing leaves by it: a worker that was not seen for a minute is gone, and notes itself each 15 s. */
const overAfter = 30_000

export interface Watch {
  /** Resolves if the next row may be sent. */
  readonly ask: () => Promise<void>
  /** True where others may take this worker for gone by now. */
  readonly isOver: () => boolean
  readonly end: () => void
}

/** Milliseconds that no setting of the clock moves, where the system has such. */
export function steadyNow(clock: Clock): number {
  return clock.steady()?.milliseconds ?? clock.now()
}

/** Ends `stopping` when the plan is no longer the workers' to send. `since`: the steady moment before it was read that it is. */
export function watched(
  fleet: Pick<Fleet, 'handed'>,
  planId: string,
  stopping: Stopping,
  clock: Clock,
  since: number,
): Watch {
  let last = since
  const look = async () => {
    // An answer that was slept over is an old one.
    const asked = steadyNow(clock)
    const handed = await fleet.handed(planId)
    last = Math.max(last, asked)
    const why = handed === null ? 'it was taken back' : handed.stopped
    if (why !== null) stopping.because({ kind: 'enough', why })
  }
  const over = new AbortController()
  const looking = async () => {
    while (!over.signal.aborted) {
      await clock.sleep(betweenLooks, over.signal).catch(() => undefined)
      if (!over.signal.aborted) await look().catch(() => undefined)
    }
  }
  void looking()
  return {
    async ask() {
      while (steadyNow(clock) - last > oldestLook && !stopping.reason) {
        await look().catch((error) => {
          if (!(error instanceof Failure)) throw error
          stopping.because({ kind: 'failure', failure: error })
        })
      }
      if (stopping.reason) throw new Error('nothing more of the plan is sent')
    },
    isOver: () => steadyNow(clock) - last > overAfter,
    end: () => over.abort(),
  }
}
