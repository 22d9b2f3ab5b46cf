/** From argv to an answer that is written down already, or to a command. */

import { answerTo, type ProgramParts, readCommandLine } from './lib/cli/program/answer.ts'
import { type Edge, realEdge } from './lib/edge.ts'

/** Runs the program that `find` finds. */
export async function main(
  argv: readonly string[],
  find: () => ProgramParts | Promise<ProgramParts>,
  edge: Edge = realEdge(),
): Promise<void> {
  try {
    await answer(argv, await find(), edge)
  } catch (error) {
    const { notStarted } = await import('./lib/cli/program/start.ts')
    notStarted(error, argv, edge)
  }
}

async function answer(argv: readonly string[], program: ProgramParts, edge: Edge): Promise<void> {
  const asked = readCommandLine(argv, program)
  if (asked.kind === 'version' || asked.kind === 'help') {
    // A reader that goes away (`| head -1`) has seen enough; a full disk has not taken it.
    edge.stdout.on('error', ({ code }: NodeJS.ErrnoException) => edge.exit(code === 'EPIPE' ? 0 : 1))
    edge.stdout.write(answerTo(asked, argv, program, edge))
    return
  }
  if (asked.kind === 'completion') {
    const { completeWord } = await import('./lib/cli/completion/complete.ts')
    const { places } = await import('./lib/paths.ts')
    const { startingConfig } = await import('./lib/cli/program/config.ts')
    edge.stdout.write(
      completeWord(asked.argv, program.completion(), () => places(edge.env, startingConfig(program, edge))),
    )
    return
  }
  const { start } = await import('./lib/cli/program/start.ts')
  await start(asked, argv, program, edge)
}
