/** Time and chance that do not make a test wait: a clock that jumps over every sleep, and pauses without jitter. */
import type { Clock, Random } from '../../../src/lib/edge.ts'
import { cachedPairs } from '../key-pairs.ts'

export interface HurriedClock extends Clock {
  /** Lets time pass. */
  skip(milliseconds: number): void
  /** Sets the clock ahead, or back: no time passes. */
  set(milliseconds: number): void
}

/** A clock that runs with the real one and jumps ahead instead of sleeping. `start` is where it stands now. */
export function hurriedClock(start = Date.now()): HurriedClock {
  let ahead = start - Date.now()
  let wrong = 0
  return {
    now: () => Date.now() + ahead + wrong,
    steady: () => ({ boot: 'hurried', milliseconds: Date.now() + ahead }),
    async sleep(milliseconds, signal) {
      signal?.throwIfAborted()
      ahead += milliseconds
    },
    skip(milliseconds) {
      ahead += milliseconds
    },
    set(milliseconds) {
      wrong += milliseconds
    },
  }
}

/** Every pause between repeats takes no time. */
export const impatient: Random = { ...cachedPairs, fraction: () => 0 }
