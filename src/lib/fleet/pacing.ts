/** The pace of a worker's rows: the fleet's turns, what the service asks of this machine, and what the fleet has been told meanwhile. */

import { unlessAborted } from '../backoff.ts'
import { Pace } from '../batch/run/pace.ts'
import type { RunParts } from '../batch/run/run.ts'
import type { Clock } from '../edge.ts'
import type { Turns } from './turns.ts'

/**
 * `rate`: rows a second of the fleet; null for as many as there are. `machine` is held while the service asks this machine for
 * patience. `ask` resolves when it is known whether the fleet still sends.
 */
export function pacing(
  turns: Turns,
  machine: Pace,
  ask: () => Promise<void>,
  clock: Clock,
  rate: number | null,
): RunParts['pace'] {
  // The rows of a chunk keep to the rate by themselves, too: behind a stall their turns lie close together.
  const own = new Pace(clock, rate)
  const opened = (until: AbortSignal) => machine.opened(until).then(() => unlessAborted(ask(), until))
  return {
    soon: own.soon,
    get closedFor() {
      return machine.closedFor
    },
    pass: opened,
    async mayLeave(until) {
      // A row that is open leaves though the store of the turns is away by now.
      await unlessAborted(turns.pass(until), until).catch(() => until.throwIfAborted())
      await own.mayLeave(until)
    },
    opened,
    left: () => own.left(),
  }
}
