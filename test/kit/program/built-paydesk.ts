/** Runs the built program as a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { temporaryPlaces } from '../run/temporary.ts'
import { untimed } from './untimed.ts'

/** True if another program than that of the clone is tried: one that was installed, say. */
export const isOtherProgram = process.env.PAYDESK_TRIED_PROGRAM !== undefined
/** Of the clone, unless another one, an installed one say, is to be tried, or another Node. */
export const program = process.env.PAYDESK_TRIED_PROGRAM ?? join(import.meta.dirname, '..', '..', '..', 'bin', 'run.js')
export const node = process.env.PAYDESK_TRIED_NODE ?? process.execPath

export interface ProcessEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  /** Without the time, key and id before each line. */
  readonly stderr: string
  /** The lines of stderr as they stand in a log. */
  readonly log: string
}

export interface Running {
  readonly child: ChildProcess
  readonly end: Promise<ProcessEnd>
}

/** The environment of a user without any setting but PAYDESK_HOME. */
export function cleanEnv(home: string, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: home, PAYDESK_HOME: home, ...temporaryPlaces(), ...more }
}

export function start(argv: readonly string[], home: string, env: Readonly<Record<string, string>> = {}): Running {
  const child = spawn(node, [program, ...argv], {
    env: cleanEnv(home, env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
  const end = new Promise<ProcessEnd>((resolve) => {
    child.on('close', (code, signal) =>
      resolve({
        code,
        signal,
        stdout: Buffer.concat(out).toString('utf8'),
        stderr: untimed(Buffer.concat(err).toString('utf8')),
        log: Buffer.concat(err).toString('utf8'),
      }),
    )
  })
  return { child, end }
}

export function builtPaydesk(
  argv: readonly string[],
  home: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ProcessEnd> {
  return start(argv, home, env).end
}
