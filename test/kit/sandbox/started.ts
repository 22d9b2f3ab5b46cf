/** `sandbox start`: in this process, or as a process of its own where its end by a signal matters. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { cleanEnv, node, program } from '../program/built-paydesk.ts'
import { startStaying } from '../program/staying.ts'

interface Ready {
  readonly event: string
  readonly url: string
  readonly pid: number
  readonly dashboard: string
  readonly authority: string | null
}

const argvOf = (flags: readonly string[]) => ['sandbox', 'start', '--port', '0', '--json', ...flags]

/** In this process. Ends with the test at the latest. */
export async function startedHere(home: string, ...flags: readonly string[]) {
  const { ready, end } = await startStaying(argvOf(flags), { home })
  return { ready: ready as Ready, end }
}

/** As a process of its own. Ends with the test at the latest. */
export async function started(home: string, ...flags: string[]) {
  const child = spawn(node, [program, ...argvOf(flags)], {
    env: cleanEnv(home),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (piece) => {
    stdout += String(piece)
  })
  child.stderr.on('data', (piece) => {
    stderr += String(piece)
  })
  const closed = once(child, 'close')
  while (!stdout.includes('\n')) {
    await Promise.race([
      once(child.stdout, 'data'),
      closed.then(() => Promise.reject(new Error(`it ended: ${stderr}`))),
    ])
  }
  const ready = JSON.parse(stdout) as Ready
  const end = async (signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL') => {
    child.kill(signal)
    const [code] = await closed
    return { code, stdout, stderr }
  }
  return { ready, end, pid: child.pid, send: (signal: 'SIGSTOP' | 'SIGCONT') => child.kill(signal) }
}
