/** A process that is there until it is killed, and the name that it has as a holder. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

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
