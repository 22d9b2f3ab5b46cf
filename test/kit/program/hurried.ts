/** Time and chance that do not make a test wait: a clock that jumps over every sleep, and pauses without jitter. */
import type { Clock, Random } from '../../../src/lib/edge.ts'
import { cachedPairs } from '../key-pairs.ts'

/** A clock that runs with the real one and jumps ahead instead of sleeping. `start` is where it stands now. */
export function hurriedClock(start = Date.now()): Clock & { skip(milliseconds: number): void } {
  let ahead = start - Date.now()
  return {
    now: () => Date.now() + ahead,
    steady: () => ({ boot: 'hurried', milliseconds: Date.now() + ahead }),
    async sleep(milliseconds, signal) {
      signal?.throwIfAborted()
      ahead += milliseconds
    },
    skip(milliseconds) {
      ahead += milliseconds
    },
  }
}

/** Every pause between repeats takes no time. */
export const impatient: Random = { ...cachedPairs, fraction: () => 0 }
