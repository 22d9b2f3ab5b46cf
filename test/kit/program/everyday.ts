/**
 * A command as its user runs it: every day in this process, on a clock that jumps over every pause; as a process of the built
 * program where everything is tried. For tests of what a command does, not of the process that it is.
 */
import { isWhole } from '../run/whole.ts'
import { builtPaydesk } from './built-paydesk.ts'
import { hurriedClock, impatient } from './hurried.ts'
import { type Ended, paydesk } from './paydesk.ts'

/** One clock for all commands of a home: time goes on between them. */
const clocks = new Map<string, ReturnType<typeof hurriedClock>>()

function clockOf(home: string) {
  const clock = clocks.get(home) ?? hurriedClock()
  clocks.set(home, clock)
  return clock
}

export async function everydayPaydesk(
  argv: readonly string[],
  home: string,
): Promise<Pick<Ended, 'stdout' | 'stderr'> & { readonly code: number | null }> {
  if (isWhole) return builtPaydesk(argv, home)
  return paydesk(argv, { home, clock: clockOf(home), random: impatient })
}
