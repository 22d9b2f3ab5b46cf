/** The start of the program: prints a version or help that the build has already written, or starts a command. */

import { answerTo, type ProgramParts, readCommandLine } from './lib/cli/program/answer.ts'
import { type Edge, realEdge } from './lib/edge.ts'

/** Runs the program. `find` loads its parts: built ones (bin/run.js) or sources (bin/dev.js). */
export async function main(
  argv: readonly string[],
  find: () => ProgramParts | Promise<ProgramParts>,
  edge: Edge = realEdge(),
): Promise<void> {
  try {
    await answer(argv, await find(), edge)
  } catch (error) {
    const { reportNotStarted } = await import('./lib/cli/program/start.ts')
    reportNotStarted(error, argv, edge)
  }
}

async function answer(argv: readonly string[], program: ProgramParts, edge: Edge): Promise<void> {
  const asked = readCommandLine(argv, program)
  if (asked.kind === 'version' || asked.kind === 'help') {
    // EPIPE: the reader has seen enough (`| head -1`). Any other error, such as a full disk, is a failure.
    edge.stdout.on('error', ({ code }: NodeJS.ErrnoException) => edge.exit(code === 'EPIPE' ? 0 : 1))
    edge.stdout.write(answerTo(asked, argv, program, edge))
    return
  }
  const { start } = await import('./lib/cli/program/start.ts')
  await start(asked, argv, program, edge)
}
