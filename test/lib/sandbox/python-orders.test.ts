import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env, execPath } from 'node:process'
import { expect, test } from 'vitest'
import { realClock } from '../../../src/lib/edge.ts'
import { writeJson } from '../../../src/lib/json.ts'
import { isMissing, python } from '../../kit/program/python.ts'
import { shapes } from '../../kit/sandbox/client.ts'
import { fileSandbox, freshDirectory, served } from '../../kit/sandbox/stand.ts'

const program = join(import.meta.dirname, '../../clients/area_bcd.py')
const desk = join(import.meta.dirname, '../../../bin/run.js')
const missing = isMissing('import cryptography', 'the independent client did not check orders, wallet and cards')

const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`

test.skipIf(missing).each(shapes)(
  'a client of orders, wallet and cards written in Python from the specification alone finds nothing wrong, with answers as %s',
  { timeout: 310_000 },
  async (shape) => {
    const home = freshDirectory()
    const directory = join(home, 'sandbox')
    mkdirSync(directory, { mode: 0o700 })
    const sandbox = await fileSandbox(directory, realClock)
    const { url } = await served(sandbox, { shape })
    const world = join(home, 'world.json')
    writeFileSync(world, writeJson(await sandbox.wholeWorld()))
    const payer = [execPath, desk, 'sandbox', 'trigger'].map(quoted).join(' ')
    const child = spawn(python, ['-B', program, '--url', url, '--world', world, '--payer', payer, '--shape', shape], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...env, PAYDESK_HOME: home },
      timeout: 300_000,
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (piece: string) => {
        output += piece
      })
    const [exitCode] = await once(child, 'close')
    expect(exitCode, output).toBe(0)
    expect(Number(/^(\d+) checks, 0 failed$/m.exec(output)?.[1]), output).toBeGreaterThan(400)
  },
)
