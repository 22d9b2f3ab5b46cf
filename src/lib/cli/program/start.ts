/** Starts a command. An error that is thrown before the command could catch it is told here, in the same words and codes. */
import type { Edge } from '../../edge.ts'
import type { Failure } from '../../failure.ts'
import { places as placesIn } from '../../paths.ts'
import { endedAtOnce } from '../../signals.ts'
import { asFailure, unloadable } from '../as-failure.ts'
import { earlyLine, stoppedAtStart, typedOutput } from '../flags/typed-line.ts'
import { Output } from '../output/output.ts'
import type { Meaning, ProgramParts, Startable } from './answer.ts'

/** Made when it is needed: the first output hears of a stream that cannot be written, and that is the command's. */
function outputOf(argv: readonly string[], edge: Edge): Output {
  return new Output(edge, typedOutput(earlyLine(argv)))
}

type Wanted = Exclude<Meaning, { readonly kind: 'version' | 'help' }>

function loaded(program: ProgramParts, id: string): Startable {
  try {
    return program.load(id).default
  } catch (error) {
    throw unloadable(error)
  }
}

async function run(wanted: Wanted, argv: readonly string[], program: ProgramParts, edge: Edge): Promise<void> {
  if (wanted.kind === 'none') {
    const { unknownCommand } = await import('../usage/unknown-command.ts')
    throw unknownCommand(argv, program.commands)
  }
  if (wanted.kind === 'exit-codes') {
    const { exitCodes, exitCodesView } = await import('../help/explain.ts')
    return outputOf(argv, edge).document(exitCodes(), exitCodesView(exitCodes()))
  }
  const { startingConfig } = await import('./config.ts')
  if (wanted.kind === 'completion') {
    const { completeWord } = await import('../completion/complete.ts')
    const places = () => placesIn(edge.env, startingConfig(program, edge))
    edge.stdout.write(completeWord(wanted.argv, program.completion(), places))
    return
  }
  const Command = loaded(program, wanted.id)
  Command.id = wanted.id
  await new Command([...wanted.argv], startingConfig(program, edge), edge)._run()
}

/** Tells how a program ended that no command was started of. */
function last(failure: Failure, argv: readonly string[], edge: Edge, when?: 'at-once'): void {
  outputOf(argv, edge).failure(failure)
  edge.exit(failure.exit, when)
}

/** A program of which a part is missing says which. */
export function reportNotStarted(error: unknown, argv: readonly string[], edge: Edge): void {
  last(asFailure(unloadable(error)), argv, edge)
}

/** The exit code is set, never forced: the streams drain by themselves. */
export async function start(wanted: Wanted, argv: readonly string[], program: ProgramParts, edge: Edge): Promise<void> {
  let isOver = false
  // Until a command listens by itself, and when it has ended: then its code is set, and only a slow reader is waited for.
  edge.onSignal((signal) => {
    if (isOver) edge.exit(Number(process.exitCode ?? 0), 'at-once')
    else last(endedAtOnce(signal, stoppedAtStart(argv)), argv, edge, 'at-once')
  })
  try {
    await run(wanted, argv, program, edge)
  } catch (error) {
    last(asFailure(error), argv, edge)
  } finally {
    isOver = true
  }
}
