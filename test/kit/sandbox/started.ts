// `sandbox start` as a process of its own: the command whose end by a signal matters.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const root = join(import.meta.dirname, '../../..')

/** Ends with the test at the latest. */
export async function started(home: string, ...flags: string[]) {
  const script = join(root, 'bin/dev.js')
  const argv = ['--import', 'tsx', script, 'sandbox', 'start', '--port', '0', '--json', ...flags]
  const child = spawn(process.execPath, argv, {
    env: { ...process.env, PAYDESK_HOME: home },
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
  const ready = JSON.parse(stdout) as {
    event: string
    url: string
    pid: number
    dashboard: string
    authority: string | null
  }
  const end = async (signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL') => {
    child.kill(signal)
    const [code] = await closed
    return { code, stdout, stderr }
  }
  return { ready, end, pid: child.pid, send: (signal: 'SIGSTOP' | 'SIGCONT') => child.kill(signal) }
}
