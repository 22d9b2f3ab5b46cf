/**
 * Runs a command of paydesk in this process: the real command class, the real sandbox over real sockets, with
 * streams, clock and environment given in.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { Config } from '@oclif/core'
import type { PaydeskCommand } from '../../../src/lib/cli/command.ts'
import { type Clock, type Edge, type Random, realClock, realEdge } from '../../../src/lib/edge.ts'
import type { Published } from '../../../src/lib/result.ts'
import { cachedPairs } from '../key-pairs.ts'
import { temporaryDirectory } from '../run/temporary.ts'
import { mustFit } from './printed.ts'
import { untimed } from './untimed.ts'

const root = join(import.meta.dirname, '..', '..', '..')

export interface Surroundings {
  /** PAYDESK_HOME. */
  readonly home: string
  readonly env?: Record<string, string>
  /** The text on stdin; a terminal if `terminal` is set. */
  readonly stdin?: string
  readonly terminal?: boolean
  /** Its width; 100 if not given. */
  readonly columns?: number
  readonly clock?: Clock
  readonly random?: Random
  /** What happens again and again, such as a line of progress; by the machine's clock if not given. */
  readonly every?: Edge['every']
  /** Hands out what sends a signal to the command. */
  readonly signals?: (send: (signal: 'SIGINT' | 'SIGTERM') => void) => void
  /** Sees what the command draws on stderr, and may type. */
  readonly dialogue?: (screen: string, type: (keys: string) => void) => void
  /** Sees all that stdout holds so far. */
  readonly printed?: (text: string) => void
}

export interface Ended {
  readonly code: number
  readonly stdout: string
  /** Without the time, key and id before each line. */
  readonly stderr: string
  /** The lines of stderr as they stand in a log. */
  readonly log: string
  /** stdout as JSON. */
  readonly json: Record<string, unknown>
  /** The error line on stderr. */
  readonly error: Record<string, unknown>
}

/** A new empty home. */
export function newHome(): string {
  return temporaryDirectory('test')
}

interface CommandClass {
  new (argv: string[], config: Config, edge: Edge): PaydeskCommand<unknown>
  readonly result?: Published
  id?: string
}

const fileOf = (words: readonly string[]) => join(root, 'src', 'commands', `${words.join('/')}.ts`)

/** The words of argv that name its command; none where no file bears them. */
function nameIn(argv: readonly string[]): readonly string[] {
  const length = [3, 2, 1].find((each) => each <= argv.length && existsSync(fileOf(argv.slice(0, each))))
  return argv.slice(0, length ?? 0)
}

/** False for what the program tells by itself, such as its help. */
export const isCommand = (argv: readonly string[]) => nameIn(argv).length > 0 && !argv.includes('--help')

async function commandOf(argv: readonly string[]): Promise<{ command: CommandClass; rest: string[] }> {
  const name = nameIn(argv)
  if (name.length === 0) throw new Error(`there is no command ${argv.join(' ')}`)
  const module = (await import(fileOf(name))) as { default: CommandClass }
  // As the program names it when it dispatches to it.
  module.default.id ??= name.join(':')
  return { command: module.default, rest: argv.slice(name.length) }
}

let config: Promise<Config> | undefined

function collect(stream: PassThrough): () => string {
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  return () => Buffer.concat(chunks).toString('utf8')
}

export async function paydesk(argv: readonly string[], around: Surroundings): Promise<Ended> {
  config ??= Config.load({ root })
  const { command: Command, rest } = await commandOf(argv)
  const terminal = around.terminal ?? false
  const stream = () => Object.assign(new PassThrough(), { isTTY: terminal, columns: around.columns ?? 100, rows: 40 })
  const [stdin, stdout, stderr] = [stream(), stream(), stream()]
  // As process.stderr: what is piped into it (inquirer's screen) does not end it.
  stderr.end = () => stderr
  const [out, err] = [collect(stdout), collect(stderr)]
  if (around.dialogue) stderr.on('data', () => around.dialogue?.(err(), (keys) => stdin.write(keys)))
  if (around.printed) stdout.on('data', () => around.printed?.(out()))
  if (!terminal) stdin.end(around.stdin ?? '')
  let code = -1
  const edge: Edge = {
    env: { PAYDESK_HOME: around.home, ...around.env },
    stdin,
    stdout,
    stderr,
    clock: around.clock ?? realClock,
    random: around.random ?? cachedPairs,
    every: around.every ?? realEdge().every,
    onSignal: (tell) => {
      around.signals?.(tell)
      return () => undefined
    },
    exit: (given, when) => {
      if (when !== 'when-idle') code = given
    },
  }
  await new Command([...rest], await config, edge)._run()
  const [stdoutText, stderrText] = [out(), err()]
  await mustFit(argv, Command.result, stdoutText)
  return {
    code,
    stdout: stdoutText,
    stderr: untimed(stderrText),
    log: stderrText,
    get json() {
      return JSON.parse(stdoutText) as Record<string, unknown>
    },
    get error() {
      return (JSON.parse(stderrText) as { error: Record<string, unknown> }).error
    },
  }
}
