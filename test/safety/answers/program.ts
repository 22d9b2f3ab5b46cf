/** The program that a story is told with: its command in this process, under a hurried clock, or as it was built. */

import { hurriedClock, impatient } from '../../kit/clock.ts'
import { builtPaydesk } from '../../kit/process.ts'
import { paydesk } from '../../kit/program.ts'
import type { Step } from './expected.ts'
import type { Ended } from './judge.ts'

export interface Program {
  readonly run: (argv: readonly string[], home: string) => Promise<Ended>
  /** Lets time pass. */
  readonly wait: (milliseconds: number) => void
  /** The commands it can be asked for. */
  readonly steps: readonly Step[]
}

/** Real commands and real sockets; time alone is hurried. */
export function hurried(): Program {
  const clock = hurriedClock()
  return {
    run: (argv, home) => paydesk(argv, { home, clock, random: impatient }),
    wait: (milliseconds) => clock.skip(milliseconds),
    steps: ['first', 'again', 'lost', 'resume', 'late', 'last'],
  }
}

/** As a process of its own, whose clock cannot be hurried. */
export function built(): Program {
  return {
    run: (argv, home) => builtPaydesk([...argv, ...(argv[0] === 'journal' ? [] : ['--timeout', '2s'])], home),
    wait: () => undefined,
    steps: ['first', 'again', 'lost', 'resume'],
  }
}
