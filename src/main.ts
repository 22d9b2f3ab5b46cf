/** From argv to a command. What is thrown before a command could catch it is told here, in the same words and codes. */
import { Errors, run } from '@oclif/core'
import { misused } from './lib/command.ts'
import { type Edge, realEdge } from './lib/edge.ts'
import { Failure } from './lib/failure.ts'
import { Output } from './lib/terminal/output.ts'

function told(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (error instanceof Errors.CLIError) return misused(error)
  return new Failure('bug', error instanceof Error ? error.message : String(error))
}

/** Runs the program found at `root`. The exit code is set, never forced: the streams drain by themselves. */
export async function main(argv: string[], root: string, edge: Edge = realEdge()): Promise<void> {
  try {
    await run(argv, { root })
  } catch (error) {
    const machine = /(^| )(--json|--output[ =](json|ndjson))( |$)/.test(argv.join(' '))
    const form = machine ? 'json' : 'table'
    const output = new Output(edge, { form, fields: null, query: null, colour: 'auto', quiet: false })
    const failure = told(error)
    output.failure(failure)
    edge.exit(failure.exit)
  }
}
