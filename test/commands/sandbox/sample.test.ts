import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { magicDescriptions } from '../../../src/lib/sandbox/accounts/fixtures.ts'
import { kindsOf } from '../../../src/lib/sandbox/sample.ts'
import { readWhole } from '../../kit/batch.ts'
import { newHome, paydesk } from '../../kit/program.ts'
import { temporaryDirectory } from '../../kit/run/temporary.ts'

const sample = (...argv: string[]) => paydesk(['sandbox', 'sample', ...argv], { home: newHome() })
const check = (path: string) => paydesk(['batch', 'check', path, '--json'], { home: newHome() })
const newPath = (name = 'sample') => join(temporaryDirectory('sample'), name)

interface Told {
  readonly rows: number
  readonly refused: number
  readonly complaints: readonly { readonly row: number | null; readonly message: string }[]
}

const formats = ['csv', 'ndjson', 'xlsx', 'pain.001'] as const

describe.each(formats)('sandbox sample --format %s', (format) => {
  test(`sandbox sample --format ${format}: a sample passes batch check and has every magic description`, async () => {
    const path = newPath()
    const { code, json } = await sample('--rows', '200', '--format', format, '--out', path, '--json')
    expect([code, json]).toEqual([0, { file: path, format, rows: 200, seed: 1, damaged: 0 }])
    const checked = await check(path)
    expect(checked.code, checked.stdout).toBe(0)
    expect(checked.json).toMatchObject({ format, rows: 200, refused: 0 })
    const { rows } = await readWhole(readFileSync(path))
    expect(new Set(rows.map(({ key }) => key)).size).toBe(200)
    const texts = new Set(rows.map(({ request }) => request.description))
    for (const { description } of magicDescriptions) expect(texts).toContain(description)
    expect(new Set(rows.map(({ request }) => request.currency))).toEqual(new Set(['GEL', 'USD']))
  })

  test(`sandbox sample --format ${format}: --damaged gives one mistake for each damaged row and no other`, async () => {
    const path = newPath()
    const kinds = kindsOf[format].length
    expect((await sample('--rows', '200', '--format', format, '--damaged', '--out', path)).stdout).toContain(
      `200 payouts, ${kinds} of them damaged, are in `,
    )
    const { code, stdout } = await check(path)
    const { rows, refused, complaints } = JSON.parse(stdout) as Told
    expect([code, rows, refused]).toEqual([2, 200, kinds])
    const ofRows = complaints.filter(({ row }) => row !== null)
    expect(new Set(ofRows.map(({ row }) => row)).size).toBe(kinds)
    // One fault, one complaint: a person mends what is said.
    expect(ofRows).toHaveLength(kinds)
  })
})

test('sandbox sample: the same seed gives the same file, another seed another', async () => {
  const [one, same, other] = [await sample(), await sample('--seed', '1'), await sample('--seed', '2')]
  expect(one.stdout).toBe(same.stdout)
  expect(one.stdout).not.toBe(other.stdout)
  expect(one.stdout.trimEnd().split('\n')).toHaveLength(1001)
  const [first, again] = [newPath('a.xlsx'), newPath('b.xlsx')]
  for (const out of [first, again]) await sample('--format', 'xlsx', '--rows', '5', '--out', out)
  expect(readFileSync(first).equals(readFileSync(again))).toBe(true)
})

test('sandbox sample: the file is private to its owner (0600) and never overwrites another (2)', async () => {
  const path = newPath()
  await sample('--rows', '2', '--out', path)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const before = readFileSync(path, 'utf8')
  const again = await sample('--rows', '3', '--out', path)
  expect(again.code).toBe(2)
  expect(again.stderr).toContain('already exists and is never overwritten')
  expect(readFileSync(path, 'utf8')).toBe(before)
})

test.each([
  [['--rows', '0'], /0/],
  [['--rows', '50001', '--format', 'xlsx'], /at most 50000 of xlsx/],
  [['--rows', '5', '--damaged'], /needs more than \d+ rows of csv/],
  [['--json'], /add --out/],
  [['--out', '/nowhere/a.csv'], /there is no such directory/],
] as const)('sandbox sample: %j is refused (2) and nothing is written', async (argv, words) => {
  const ended = await sample(...argv)
  expect([ended.code, ended.stdout]).toEqual([2, ''])
  expect(ended.stderr).toMatch(words)
  expect(existsSync('/nowhere')).toBe(false)
})

test('sandbox sample: a workbook is not written to a terminal (2)', async () => {
  const ended = await paydesk(['sandbox', 'sample', '--format', 'xlsx'], { home: newHome(), terminal: true })
  expect([ended.code, ended.stdout]).toEqual([2, ''])
})
