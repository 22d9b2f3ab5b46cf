/** One run of a command, as the capabilities that it is composed of see it. */

import type { Edge } from '../edge.ts'
import type { Failure } from '../failure.ts'
import type { Naming } from '../hint.ts'
import type { Places } from '../paths.ts'
import type { StoppedFacts } from '../signals.ts'
import type { TypedLine } from './flags/typed-line.ts'
import type { Output } from './output/output.ts'

/** The say that a capability has in how its command ends. */
export interface Capability {
  /** True where what was done stands even if it cannot be shown as asked: then a wrong --fields must not say "no" (2). */
  readonly acts?: boolean
  /** The last words about money of a command that is ended at once. Null where no intent is in play. */
  readonly standing?: () => StoppedFacts | null
  /** The failure with what is known of the payment that it is about, where it ended the command before that was looked at. */
  readonly placed?: (failure: Failure) => Promise<Failure>
}

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
  /** Gives a capability its say in how the command ends. */
  readonly attach: (capability: Capability) => void
  /** The words typed behind the command, whether or not oclif could read them. */
  readonly line: TypedLine
  /** Adds a line to the warnings: of the document, or of the failure. */
  readonly beside: (line: string) => void
  /** Adds a thing to be closed when the command has ended, however it ended; the last opened is closed first. */
  readonly closeAtEnd: (close: () => Promise<void>) => void
}
