/** The built program, and programs of other languages, in processes of their own. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { env, stderr } from 'node:process'
import { onTestFinished } from './run/at-end.ts'
import { temporaryPlaces } from './run/temporary.ts'

/** True if another program than that of the clone is tried: one that was installed, say. */
export const isOtherProgram = process.env.PAYDESK_TRIED_PROGRAM !== undefined
/** Of the clone, unless another one, an installed one say, is to be tried, or another Node. */
export const program = process.env.PAYDESK_TRIED_PROGRAM ?? join(import.meta.dirname, '..', '..', 'bin', 'run.js')
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
  const child = spawn(node, [program, ...argv], { env: cleanEnv(home, env), stdio: ['ignore', 'pipe', 'pipe'] })
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

/** What a command wrote for a log, without the time, key and id that stand before each line where there is no terminal. */

const before = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d (?:key=(?:"(?:[^"\\]|\\.)*"|\S+) )?(?:id=\S+ )?/gm

/** "2026-11-20T14:03:25+04:00 key=emp-17 warning: …" → "warning: …", of every line. */
export function untimed(text: string): string {
  return text.replace(before, '')
}

/** True if a test has to be skipped. `trial` is what the program must be able to do. */
export function isMissingProgram(program: string, trial: readonly string[], whatIsNotChecked: string): boolean {
  if (spawnSync(program, trial).status === 0) return false
  const cannot = `${program} cannot do "${trial.join(' ')}"`
  if (env.PAYDESK_NEVER_SKIP) throw new Error(`${cannot}, and PAYDESK_NEVER_SKIP is set`)
  stderr.write(`\n*** SKIPPED: ${cannot}: ${whatIsNotChecked} ***\n\n`)
  return true
}

export const python = env.PYTHON ?? 'python3'

/** True if a test has to be skipped. `needs` is a line that Python must be able to run, such as `import cryptography`. */
export const isMissing = (needs: string, whatIsNotChecked: string) =>
  isMissingProgram(python, ['-c', needs], whatIsNotChecked)

/** The name that another process would give itself. */
const script = `
  const { readFileSync } = require('node:fs')
  const stat = process.platform === 'linux' ? readFileSync('/proc/self/stat', 'utf8') : ''
  const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  process.stdout.write(require('node:os').hostname() + '/' + process.pid + '/' + start)
  setInterval(() => {}, 1000)
`

export async function otherProcess() {
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const [name] = await once(child.stdout, 'data')
  return { child, name: String(name) }
}
