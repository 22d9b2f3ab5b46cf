/** Commands that were stopped between what they wrote at last and what they told. */

import { attemptOf } from '../../src/lib/journal/intent.ts'
import { isOpen } from '../../src/lib/journal/verdict.ts'
import type { Ended } from './trade.ts'
import type { World } from './world.ts'

/**
 * True where another process of a team has tried again what this one had given free by its last write, with the end of each attempt
 * before it: what it told was true when it was decided, and no program can look after its last look.
 */
export async function wasOvertaken(world: World, { about, wroteAt }: Ended): Promise<boolean> {
  if (!world.isPlayed('team')) return false
  for (const id of about) {
    const attempts = (await world.attempts(id)).map(attemptOf)
    const before = attempts.filter(({ startedAt }) => Date.parse(startedAt) <= wroteAt)
    if (before.length > 0 && before.length < attempts.length && !before.some(isOpen)) return true
  }
  return false
}
