/** Files that are larger than the memory they are read in. */
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { samplePieces } from '../../src/lib/sandbox/sample/write.ts'
import { builtPaydesk } from '../kit/program/built-paydesk.ts'
import { temporaryDirectory } from '../kit/run/temporary.ts'

/** Megabytes of old space; all rows at once would take several times as much. */
const heap = 32

test.each([
  ['csv', 120_000],
  ['ndjson', 100_000],
  ['pain.001', 40_000],
] as const)('%s of %d rows', { timeout: 120_000 }, async (format, rows) => {
  const home = temporaryDirectory('large')
  const path = join(home, 'file')
  const file = openSync(path, 'w')
  for (const piece of samplePieces({ format, rows, seed: 1, isDamaged: false })) writeSync(file, String(piece))
  closeSync(file)
  const limited = { NODE_OPTIONS: `--max-old-space-size=${heap}` }
  const { code, stdout, stderr } = await builtPaydesk(['batch', 'check', path, '--json'], home, limited)
  expect(code, stderr).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ format, rows, refused: 0 })
})
