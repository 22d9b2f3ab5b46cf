/** Waiting for a server that is away: what did not reach it, or was undone, is done again after a pause. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isLost, isUndone } from './fault.ts'

const shortestPause = 20
const longestPause = 1_000

/** `patience`: milliseconds of pauses, after which the last fault is told; a signal that fires ends them at once. */
export async function patiently<Result>(
  work: () => Promise<Result>,
  patience: number,
  signal: AbortSignal | undefined,
): Promise<Result> {
  for (let waited = 0, pause = shortestPause; ; pause = Math.min(pause * 2, longestPause)) {
    try {
      return await work()
    } catch (error) {
      if (!(isLost(error) || isUndone(error)) || waited + pause > patience || signal?.aborted) throw error
    }
    await sleep(pause, undefined, signal ? { signal } : {}).catch(() => undefined)
    waited += pause
  }
}
