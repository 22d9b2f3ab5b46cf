/** One command of paydesk as a process of its own, as a person or a script would start it. */
import { spawn } from 'node:child_process'

export interface Program {
  /** The file that Node runs: the program's own. */
  readonly file: string
  readonly env: Readonly<Record<string, string>>
  /** The directory of the scenario, in which it runs: its files lie beside it. */
  readonly directory: string
  /** Milliseconds that a command may take. */
  readonly patience: number
  readonly signal: AbortSignal
}

export interface Ended {
  /** Null where it had to be killed. */
  readonly exit: number | null
  readonly stdout: string
  readonly stderr: string
}

const longest = 10 * 1024 * 1024

export function runProgram(
  argv: readonly string[],
  { file, env, directory, patience, signal }: Program,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...process.execArgv, file, ...argv], {
      env,
      cwd: directory,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: patience,
      killSignal: 'SIGKILL',
      signal,
    })
    const heard = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (piece: string) => {
        if (heard[name].length < longest) heard[name] += piece
      })
    }
    child.once('error', reject)
    child.once('close', (exit) => resolve({ exit, ...heard }))
  })
}
