/** Files whose rows do not fit into memory at once. */
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { samplePieces } from '../../src/lib/sandbox/sample.ts'
import { builtPaydesk } from '../kit/process.ts'
import { temporaryDirectory } from '../kit/run/temporary.ts'

/** Megabytes of old space; all rows at once take more. */
const heap = 24

// Processes of the built program, on a machine that may be busy with others.
test.each([
  ['csv', 25_000],
  ['ndjson', 25_000],
  ['pain.001', 15_000],
] as const)(
  'batch check, %s of %d rows in a heap of 24 MB: every row is read (0)',
  { timeout: 120_000 },
  async (format, rows) => {
    const home = temporaryDirectory('large')
    const path = join(home, 'file')
    const file = openSync(path, 'w')
    for (const piece of samplePieces({ format, rows, seed: 1, isDamaged: false })) writeSync(file, String(piece))
    closeSync(file)
    const limited = { NODE_OPTIONS: `--max-old-space-size=${heap}` }
    const { code, stdout, stderr } = await builtPaydesk(['batch', 'check', path, '--json'], home, limited)
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ format, rows, refused: 0 })
  },
)
