/** From argv to a command. What is thrown before a command could catch it is told here, in the same words and codes. */
import { type Interfaces, run } from '@oclif/core'
import { stoppedAtStart } from './lib/cli/desk/earlier.ts'
import { typedForm } from './lib/cli/flags/typed.ts'
import { Output } from './lib/cli/output/output.ts'
import { asFailure } from './lib/cli/thrown.ts'
import { type Edge, realEdge } from './lib/edge.ts'
import type { Failure } from './lib/failure.ts'
import { endedAtOnce } from './lib/signals.ts'

type Program = Interfaces.LoadOptions

/** Runs the program that `find` finds. The exit code is set, never forced: the streams drain by themselves. */
export async function main(
  argv: string[],
  find: () => Program | Promise<Program>,
  edge: Edge = realEdge(),
): Promise<void> {
  let isOver = false
  const say = (failure: Failure, when?: 'at-once') => {
    const output = new Output(edge, { form: typedForm(argv), fields: null, query: null, colour: 'auto', quiet: false })
    output.failure(failure)
    edge.exit(failure.exit, when)
  }
  // Until a command listens by itself, and when it has ended: then its code is set, and only a slow reader is waited for.
  edge.onSignal((signal) => {
    if (isOver) edge.exit(Number(process.exitCode ?? 0), 'at-once')
    else say(endedAtOnce(signal, stoppedAtStart(argv)), 'at-once')
  })
  try {
    await run(argv, await find())
  } catch (error) {
    say(asFailure(error))
  } finally {
    isOver = true
  }
}
