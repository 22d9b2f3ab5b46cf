/** Runs commands in this process: the real command class over the real sandbox, with streams, clock and environment given in. */

import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import { PassThrough } from 'node:stream'
import { Config } from '@oclif/core'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect, onTestFinished } from 'vitest'
import { toJSONSchema, type z } from 'zod'
import type { PaydeskCommand } from '../../src/lib/cli/command.ts'
import { type Clock, type Edge, type Random, realClock, realEdge } from '../../src/lib/edge.ts'
import type { Published } from '../../src/lib/result.ts'
import { cachedPairs } from './key-pairs.ts'
import { untimed } from './process.ts'
import { temporaryDirectory } from './run/temporary.ts'
import { until } from './tools.ts'

/** test/schemas.test.ts checks once that the schemas are schemas; here most of the time would go into it. */
const quickly = { validateSchema: false, meta: false, code: { optimize: false } }
const ajv = new Ajv2020({ strict: false, allErrors: true, ...quickly })
const compiled = new Map<z.ZodType, ValidateFunction>()

function validator(result: z.ZodType): ValidateFunction {
  const known = compiled.get(result)
  if (known) return known
  const made = ajv.compile(toJSONSchema(result, { unrepresentable: 'any' }))
  compiled.set(result, made)
  return made
}

const inWords = ({ instancePath, message }: ErrorObject) => `${instancePath || 'it'} ${message}`

/** A stream prints a document in each line. */
function documentsIn(text: string): unknown[] {
  try {
    return [JSON.parse(text)]
  } catch {
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  }
}

/** The whole result is printed only where no part of it was asked for. */
function isWhole(argv: readonly string[]): boolean {
  return argv.includes('--json') && !argv.some((each) => /^--(fields|query|output)\b/.test(each))
}

/** Throws where a document is none that the command's `result` describes. */
export async function requireWithinLimits(
  argv: readonly string[],
  result: Published | undefined,
  text: string,
): Promise<void> {
  if (!isWhole(argv) || text.trim() === '' || !result) return
  const validators = [await result()].flat().map(validator)
  for (const document of documentsIn(text)) {
    if (validators.some((fits) => fits(document))) continue
    const complaints = validators.flatMap(({ errors }) => errors ?? []).map(inWords)
    throw new Error(`${argv.join(' ')}: what it printed does not fit its result: ${complaints.join('; ')}`)
  }
}

const root = join(import.meta.dirname, '..', '..')

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

/** A command that is expected to end with 0. */
export async function succeeds<Of extends { readonly code: number | null; readonly stderr: string }>(
  running: Promise<Of>,
): Promise<Of> {
  const ended = await running
  expect(ended.code, ended.stderr).toBe(0)
  return ended
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
  await requireWithinLimits(argv, Command.result, stdoutText)
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

export interface Staying {
  /** Its first line, as JSON. */
  readonly ready: unknown
  /** Ends it by SIGTERM. */
  readonly end: () => Promise<Ended>
}

/** Gives back the command once it has printed a line. It ends with the test at the latest. */
export async function startStaying(argv: readonly string[], around: Surroundings): Promise<Staying> {
  let [stdout, isOver] = ['', false]
  let send: (signal: 'SIGTERM') => void = () => undefined
  const running = paydesk(argv, {
    ...around,
    signals: (to) => {
      send = to
    },
    printed: (text) => {
      stdout = text
    },
  }).finally(() => {
    isOver = true
  })
  const end = async () => {
    send('SIGTERM')
    return await running
  }
  onTestFinished(async () => void (await end()))
  await until(`${argv.join(' ')} is ready`, () => stdout.includes('\n') || isOver)
  if (!stdout.includes('\n')) throw new Error(`it ended: ${(await running).stderr}`)
  return { ready: JSON.parse(stdout), end }
}

/** For one test. Gives back the addresses that were opened so far, in order. */
export function standInBrowser(): () => readonly string[] {
  const directory = temporaryDirectory('browser')
  const [program, seen] = [join(directory, 'browser'), join(directory, 'seen')]
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$1" >>'${seen}'\n`)
  chmodSync(program, 0o700)
  const before = env.BROWSER
  env.BROWSER = program
  onTestFinished(() => {
    if (before === undefined) delete env.BROWSER
    else env.BROWSER = before
  })
  // A line that has its end: the file is there before the first byte is.
  return () => (existsSync(seen) ? readFileSync(seen, 'utf8').split('\n').slice(0, -1) : [])
}

/** A person at the terminal, answering one question after the other. */

export type Step = readonly [question: RegExp, keys: string]

/** For `dialogue` of `paydesk()`: types the keys of a step when its question has been drawn, and the next step after that. */
export function answers(...steps: readonly Step[]): (screen: string, type: (keys: string) => void) => void {
  let at = 0
  let looked = 0
  return (screen, type) => {
    const step = steps[at]
    if (!step?.[0].test(screen.slice(looked))) return
    at += 1
    looked = screen.length
    // The question is drawn before its keys are heard.
    setTimeout(() => type(step[1]), 20)
  }
}

/** Runs a command at a terminal, where a person answers its questions. */
export function atTerminal(argv: readonly string[], around: Surroundings, ...steps: readonly Step[]): Promise<Ended> {
  return paydesk(argv, { ...around, terminal: true, dialogue: answers(...steps) })
}
