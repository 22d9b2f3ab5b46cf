/** For what looks again and again: a test waits until it has looked, and not for a time in which it may have. */
import { type Clock, realClock } from '../../../src/lib/edge.ts'
import { until } from './until.ts'

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
