/** A moment as a flag takes it: on the clock of this machine, with a zone of its own, or so long ago. */

import type { Invocation } from '../invocation.ts'
import { momentTyped } from '../listing/period.ts'
import { zoneIn } from './zoned-time.ts'

/** ISO, UTC. Throws usage (2). */
export function typedMoment({ edge: { clock, env } }: Pick<Invocation, 'edge'>, flag: string, typed: string): string {
  return momentTyped(flag, typed, clock.now(), zoneIn(env))
}
