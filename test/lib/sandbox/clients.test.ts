/** Clients in three languages against the sandbox in a process of its own: each of the two forms of answers at least once. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env, execPath } from 'node:process'
import { expect, test } from 'vitest'
import { realClock } from '../../../src/lib/edge.ts'
import { writeJson } from '../../../src/lib/json.ts'
import { javaClient, javascriptClient, phpClient, shapes } from '../../clients/clients.ts'
import { briskClock } from '../../kit/clock.ts'
import { isMissing, python } from '../../kit/process.ts'
import { fileSandbox, freshDirectory, served } from '../../kit/sandbox/stand.ts'

// Each client starts dozens of processes that pay, and waits until orders and payouts end.
const slow = { timeout: 180_000 }

test.skipIf(javaClient.isMissing)('a client in Java goes through all areas, with answers as documented', slow, () =>
  javaClient.check('documented'),
)

test('a client in JavaScript goes through all areas, with answers as recorded', slow, () =>
  javascriptClient.check('recorded'),
)

test.skipIf(phpClient.isMissing)('a client in PHP goes through all areas, with answers as documented', slow, () =>
  phpClient.check('documented'),
)

const program = join(import.meta.dirname, '../../clients/area_a.py')
const missing = isMissing('import json', 'the independent client did not check payouts')

test.skipIf(missing).each(shapes)(
  'a client written in Python from the specification alone finds nothing wrong, with answers as %s',
  // Hundreds of requests, each on a connection of its own.
  { timeout: 110_000 },
  async (shape) => {
    const directory = freshDirectory()
    // The client looks every 50 ms: a second of the sandbox, in which no payout skips a status.
    const sandbox = await fileSandbox(directory, briskClock())
    const { url } = await served(sandbox, { shape })
    const world = join(directory, 'world.json')
    writeFileSync(world, writeJson(await sandbox.world()))
    const child = spawn(python, ['-B', program, url, world, shape], {
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: 100_000,
    })
    let output = ''
    child.stdout.on('data', (piece) => {
      output += String(piece)
    })
    await once(child, 'close')
    const lines = output.trim().split('\n')
    expect(lines.filter((line) => line.startsWith('FAIL'))).toEqual([])
    const { passed, failed } = JSON.parse(lines.at(-1) ?? '{}')
    expect(failed).toBe(0)
    expect(passed).toBeGreaterThan(300)
  },
)

const ordersProgram = join(import.meta.dirname, '../../clients/area_bcd.py')
const desk = join(import.meta.dirname, '../../../bin/run.js')
const lacksCryptography = isMissing(
  'import cryptography',
  'the independent client did not check orders, wallet and cards',
)

const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`

test.skipIf(lacksCryptography).each(shapes)(
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
    const child = spawn(
      python,
      ['-B', ordersProgram, '--url', url, '--world', world, '--payer', payer, '--shape', shape],
      { stdio: ['ignore', 'pipe', 'pipe'], env: { ...env, PAYDESK_HOME: home }, timeout: 300_000 },
    )
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
