/** The pace of a run under its lease: before a row leaves it is known that no other process has the plan. */

import { unlessAborted } from '../../backoff.ts'
import type { Departing } from '../../batch/run/pace.ts'
import type { RunParts } from '../../batch/run/run.ts'

/** `ask` may wait for a store that is busy: rows that have not left yet do not wait with it when the run ends. */
export function leasedPace(pace: Departing, ask: () => Promise<void>): RunParts['pace'] {
  const opened = (until: AbortSignal) => pace.opened(until).then(() => unlessAborted(ask(), until))
  return {
    soon: pace.soon,
    get closedFor() {
      return pace.closedFor
    },
    pass: opened,
    mayLeave: (until) => pace.mayLeave(until),
    opened,
    left: () => pace.left(),
  }
}
