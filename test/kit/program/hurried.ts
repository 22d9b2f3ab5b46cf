/** Time and chance that do not make a test wait: a clock that jumps over every sleep, and pauses without jitter. */
import { type Clock, type Random, realClock } from '../../../src/lib/edge.ts'
import { cachedPairs } from '../key-pairs.ts'

export interface HurriedClock extends Clock {
  /** Lets time pass. */
  skip(milliseconds: number): void
  /** Sets the clock ahead, or back: no time passes. */
  set(milliseconds: number): void
  /** The machine starts anew; or the home goes on, on another machine of that name, which has been up for so many milliseconds. */
  startAnew(machine?: string, up?: number): void
}

function clockOver(real: () => number, start: number): HurriedClock {
  let ahead = start - real()
  let wrong = 0
  let [machine, starts, since] = ['this', 1, 0]
  return {
    now: () => real() + ahead + wrong,
    steady: () => ({ boot: `hurried ${starts}`, milliseconds: real() + ahead - since, machine }),
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
    startAnew(on = machine, up = 0) {
      machine = on
      starts += 1
      since = real() + ahead - up
    },
  }
}

/** A clock that runs with the real one and jumps ahead instead of sleeping. `start` is where it stands now. */
export function hurriedClock(start = Date.now()): HurriedClock {
  return clockOver(() => Date.now(), start)
}

/** The same, but it stands still: a millisecond passes each time that somebody looks, so nothing depends on the machine. */
export function stillClock(start = Date.now()): HurriedClock {
  let looks = 0
  return clockOver(() => {
    looks += 1
    return looks
  }, start)
}

/** A clock on which twenty seconds pass in one: pauses between repeats stay pauses, for what goes on beside them. */
export function briskClock(): Clock {
  const [start, pace] = [Date.now(), 20]
  const now = () => start + (Date.now() - start) * pace
  return {
    now,
    steady: () => ({ boot: 'brisk', milliseconds: now(), machine: 'this' }),
    sleep: (milliseconds, signal) => realClock.sleep(milliseconds / pace, signal),
  }
}

/** Every pause between repeats takes no time. */
export const impatient: Random = { ...cachedPairs, fraction: () => 0 }
