/** One run of a command: what every part of the command line is given, and what is opened once in it. */

import type { Edge } from '../edge.ts'
import type { Naming } from '../hint.ts'
import type { Places } from '../paths.ts'
import type { StoppedFacts } from '../signals.ts'
import type { TypedLine } from './flags/typed-line.ts'
import type { Output } from './output/output.ts'

export interface Invocation {
  readonly id: string | undefined
  readonly version: string
  readonly edge: Edge
  /** The places of all files. Throws Failure('credentials') where others may write there. */
  readonly places: Places
  readonly output: Output
  readonly signal: AbortSignal
  /** True if a person can be asked: there is a terminal for the answers and one for the questions. */
  readonly canAsk: boolean
  /** The names that a line to paste must have to ask as the profile of this run. */
  readonly naming: Naming
  /** The words typed behind the command, whether or not oclif could read them. */
  readonly line: TypedLine
  /** What `make` gives for this run: made when it is first asked for. */
  readonly once: <Made>(make: (invocation: Invocation) => Made) => Made
  /** True if what was done stands even if its result cannot be shown as asked: then a wrong --query must not say "no" (2). */
  acts: boolean
  /** The last words about money of a command that is ended at once; null before the journal is asked, and while no payment is in play. */
  lastWords: (() => StoppedFacts | null) | null
  /** The warnings so far, which stand in the document or in the failure. */
  readonly warnings: Set<string>
  /** Adds a thing to be closed when the command has ended, however it ended; the last opened is closed first. */
  readonly closeAtEnd: (close: () => Promise<void>) => void
}
