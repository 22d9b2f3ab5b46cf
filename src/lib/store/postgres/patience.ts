/** Waiting for a server that is away: what did not reach it, or was undone, is done again after a pause. */
import { doublingPause } from '../../backoff.ts'
import type { Clock } from '../../edge.ts'
import { isLost, isUndone } from './fault.ts'

/** Milliseconds, where no --timeout says otherwise. */
export const usualPatience = 60_000

const pauses = { base: 20, longest: 1_000 }

interface Waiting {
  /** Milliseconds of pauses, after which the last fault is told. */
  readonly patience: number
  readonly clock: Pick<Clock, 'sleep'>
  /** Ends the pauses at once. */
  readonly signal: AbortSignal | undefined
}

export async function patiently<Result>(
  work: () => Promise<Result>,
  { patience, clock, signal }: Waiting,
): Promise<Result> {
  for (let waited = 0, tries = 0; ; tries += 1) {
    const pause = doublingPause(tries, pauses)
    try {
      return await work()
    } catch (error) {
      if (!(isLost(error) || isUndone(error)) || waited + pause > patience || signal?.aborted) throw error
    }
    await clock.sleep(pause, signal).catch(() => undefined)
    waited += pause
  }
}
