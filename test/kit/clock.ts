/** Clocks that do not make a test wait, and chance without pauses. */

import { setTimeout as wait } from 'node:timers/promises'
import { type Clock, type Random, realClock } from '../../src/lib/edge.ts'
import { cachedPairs } from './key-pairs.ts'
import { until } from './tools.ts'

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

/** Rounds of the event loop in which a request to a server of this process is answered, and its answer recorded. */
const rounds = 25

/** Resolves when what can happen in this process without time has happened. */
export async function settled(): Promise<void> {
  for (let round = 0; round < rounds; round += 1) await wait(1)
}

interface Sleeper {
  readonly until: number
  readonly wake: () => void
}

export interface SteppingClock extends Clock {
  /** Milliseconds since it was made. */
  passed(): number
}

export function steppingClock(): SteppingClock {
  const start = Date.now()
  let passed = 0
  let isStepping = false
  const sleepers = new Set<Sleeper>()
  const step = async () => {
    while (sleepers.size > 0) {
      await settled()
      const first = [...sleepers].reduce<Sleeper | null>(
        (least, each) => (least === null || each.until < least.until ? each : least),
        null,
      )
      if (first === null) break
      sleepers.delete(first)
      passed = Math.max(passed, first.until)
      first.wake()
    }
    isStepping = false
  }
  return {
    now: () => start + passed,
    steady: () => ({ boot: 'stepping', milliseconds: passed }),
    passed: () => passed,
    async sleep(milliseconds, signal) {
      signal?.throwIfAborted()
      await new Promise<void>((resolve, reject) => {
        const sleeper: Sleeper = { until: passed + Math.max(0, milliseconds), wake: resolve }
        sleepers.add(sleeper)
        if (!isStepping) {
          isStepping = true
          void step()
        }
        signal?.addEventListener(
          'abort',
          () => {
            if (sleepers.delete(sleeper)) reject(signal.reason)
          },
          { once: true },
        )
      })
    },
  }
}

/** The clock, with short naps between two looks; `looks` waits for so many of them. */
export function watchedNaps(clock: Clock): Clock & { looks(many?: number): Promise<void> } {
  let naps = 0
  return {
    ...clock,
    sleep: (milliseconds, signal) => {
      naps += 1
      return realClock.sleep(Math.min(milliseconds, 5), signal)
    },
    looks: (many = 5) => {
      const enough = naps + many
      return until('it looked again', () => naps >= enough)
    },
  }
}
