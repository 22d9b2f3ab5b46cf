/**
 * A clock for sleepers side by side over real sockets: time stands while anything goes on in this process, and then
 * jumps to the first sleeper.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '../../../src/lib/edge.ts'

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
