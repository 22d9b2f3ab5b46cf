import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeJson } from '../../../src/lib/json.ts'
import { briskClock } from '../../kit/program/hurried.ts'
import { isMissing, python } from '../../kit/program/python.ts'
import { shapes } from '../../kit/sandbox/client.ts'
import { fileSandbox, freshDirectory, served } from '../../kit/sandbox/stand.ts'

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
