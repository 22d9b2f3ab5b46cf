/** A command in this process, on a clock that jumps over every pause. */
import { hurriedClock, impatient } from './hurried.ts'
import { type Ended, paydesk } from './paydesk.ts'

/** One clock for all commands of a home: time goes on between them. */
const clocks = new Map<string, ReturnType<typeof hurriedClock>>()

export function hurriedPaydesk(argv: readonly string[], home: string): Promise<Ended> {
  const clock = clocks.get(home) ?? hurriedClock()
  clocks.set(home, clock)
  return paydesk(argv, { home, clock, random: impatient })
}
