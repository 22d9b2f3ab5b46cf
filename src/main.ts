/** From argv to a command. What is thrown before a command could catch it is told here, in the same words and codes. */
import { Errors, run } from '@oclif/core'
import { misused } from './lib/cli/misused.ts'
import { Output } from './lib/cli/output/output.ts'
import { type Edge, realEdge } from './lib/edge.ts'
import { Failure } from './lib/failure.ts'
import { endedAtOnce, nothingSent } from './lib/signals.ts'

function told(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (error instanceof Errors.CLIError) return misused(error)
  return new Failure('bug', error instanceof Error ? error.message : String(error))
}

/** Runs the program found at `root`. The exit code is set, never forced: the streams drain by themselves. */
export async function main(argv: string[], root: string, edge: Edge = realEdge()): Promise<void> {
  let isOver = false
  const say = (failure: Failure, when?: 'at-once') => {
    const machine = /(^| )(--json|--output[ =](json|ndjson))( |$)/.test(argv.join(' '))
    const form = machine ? 'json' : 'table'
    const output = new Output(edge, { form, fields: null, query: null, colour: 'auto', quiet: false })
    output.failure(failure)
    edge.exit(failure.exit, when)
  }
  // Until a command listens by itself, and when it has ended: then its code is set, and only a slow reader is waited for.
  edge.onSignal((signal) => {
    if (isOver) edge.exit(Number(process.exitCode ?? 0), 'at-once')
    else say(endedAtOnce(signal, nothingSent), 'at-once')
  })
  try {
    await run(argv, { root })
  } catch (error) {
    say(told(error))
  } finally {
    isOver = true
  }
}
