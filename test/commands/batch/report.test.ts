import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  employees,
  type HandPayroll,
  painFile,
  payment,
  plannedPayroll,
  plannedSandboxPayroll,
  refusing,
  rowsIn,
} from '../../kit/batch.ts'
import { mustVerify } from '../../kit/payment.ts'
import { succeeds } from '../../kit/program.ts'
import { json } from '../../kit/service.ts'
import { checkPain002 } from '../../lib/batch/reports/check-pain002.ts'

const report = ({ planId }: { readonly planId: string }, ...more: readonly string[]) => [
  ...['batch', 'report', planId],
  ...more,
]

/** Four rows: one accepted, one refused, one unknown, one not sent. */
async function mixed(): Promise<HandPayroll> {
  const payroll = await plannedPayroll(employees(4), (request, count) => {
    if (request.path === '/api/distributor' && request.body.includes('"amount":3.25')) return { status: 502, body: '' }
    return refusing('"amount":2.25')(request, count)
  })
  const line = ['batch', 'run', payroll.planId, '--confirm', 'GEL 11', '--concurrency', '1', '--max-failures', '2']
  await payroll.run([...line, '--timeout', '2s'])
  return payroll
}

test('batch report: tells the sums of each state, every row once, and what is left to do', async () => {
  const payroll = await mixed()
  const ended = await succeeds(payroll.run(report(payroll)))
  const { standings, lines, next } = ended.json as {
    standings: readonly { standing: string; rows: number; totals: object }[]
    lines: readonly object[]
    next: readonly string[]
  }
  expect(standings.filter(({ rows }) => rows > 0)).toEqual([
    { standing: 'accepted', rows: 1, totals: { GEL: 1.25 } },
    { standing: 'unknown', rows: 1, totals: { GEL: 3.25 } },
    { standing: 'refused', rows: 1, totals: { GEL: 2.25 } },
    { standing: 'unsent', rows: 1, totals: { GEL: 4.25 } },
  ])
  expect(lines).toMatchObject([
    { row: 2, state: 'accepted', transactionId: '4711' },
    { row: 3, state: 'refused', code: 5042, why: expect.stringContaining('5042') },
    { row: 4, state: 'unknown', why: expect.any(String) },
    { row: 5, state: 'planned', journalId: null },
  ])
  expect(next).toHaveLength(4)
  expect(next[0]).toContain(`batch resume ${payroll.planId} --confirm 'GEL 11.00'`)
})

test('batch report: the table is cut at --limit and counts the other rows', async () => {
  const payroll = await mixed()
  const ended = await succeeds(payroll.run([...report(payroll, '--limit', '2'), '--output', 'table']))
  expect(ended.stdout).toContain('… and 2 more rows')
  expect(ended.stdout).toMatch(/accepted +1: GEL 1\.25/)
})

test('batch report: CSV and NDJSON have one line for each row', async () => {
  const payroll = await mixed()
  const csv = await succeeds(payroll.run([...report(payroll, '--format', 'csv'), '--output', 'table']))
  expect(rowsIn(csv.stdout).map(({ row, state, amount, code }) => [row, state, amount, code])).toEqual([
    ['2', 'accepted', '1.25', ''],
    ['3', 'refused', '2.25', '5042'],
    ['4', 'unknown', '3.25', ''],
    ['5', 'planned', '4.25', ''],
  ])
  const ndjson = await payroll.run([...report(payroll, '--format', 'ndjson'), '--output', 'table'])
  const lines = ndjson.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.map(({ row, amount }) => [row, amount])).toEqual([
    [2, 1.25],
    [3, 2.25],
    [4, 3.25],
    [5, 4.25],
  ])
})

test('batch report: the HTML page loads nothing, runs no script, and carries the head of the journal', async () => {
  const payroll = await mixed()
  const path = join(payroll.home, 'report.html')
  const ended = await payroll.run(report(payroll, '--format', 'html', '--out', path))
  expect(ended, ended.stderr).toMatchObject({ code: 0, json: { path, rows: 4 } })
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const page = readFileSync(path, 'utf8')
  expect(page).not.toMatch(/<script|<link rel="stylesheet|https?:|url\(/)
  expect(page).toContain('GEL 11.00')
  expect(page).toContain('<svg')
  expect(ended.json.journalHead).toMatch(/^\d+-[0-9a-f]{24}$/)
  expect(page).toContain(ended.json.journalHead)
  await mustVerify({ home: payroll.home }, '--head', String(ended.json.journalHead))
  const again = await payroll.run(report(payroll, '--format', 'html', '--out', path))
  expect(again).toMatchObject({ code: 2, error: { message: expect.stringContaining('already exists') } })
  expect((await payroll.run(report(payroll, '--format', 'html', '--out', path, '--overwrite'))).code).toBe(0)
})

test('batch report: HTML in a cell of the file is shown as text on the page', async () => {
  const payroll = await plannedPayroll([{ key: '<img src=x onerror=alert(1)>', amount: '1' }], refusing('Salary'))
  await payroll.batch('run', '--confirm', 'GEL 1')
  const ended = await payroll.run([...report(payroll, '--format', 'html'), '--output', 'table'])
  expect(ended.stdout).toContain('&lt;img src=x')
  expect(ended.stdout).not.toContain('<img')
})

test.each([
  ['csv', 'x<U+202E>y<U+009B>z'],
  ['ndjson', 'x\\u202ey\\u009bz'],
])('batch report --format %s at a terminal: characters that move it are made visible', async (format, shown) => {
  const payroll = await plannedPayroll([{ key: 'a', amount: '1' }], ({ path }) =>
    path === '/api/distributor' ? json({ message: 'x\u202Ey\u009Bz', statusCode: 5023 }, 400) : undefined,
  )
  await payroll.batch('run', '--confirm', 'GEL 1')
  const line = [...report(payroll, '--format', format), '--output', 'table', '--no-input']
  const ended = await payroll.run(line, { terminal: true })
  expect(ended.stdout, ended.stderr).toContain(shown)
  expect(ended.stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
})

test('batch report: pain.002 is refused for a CSV plan (2) and valid for a pain.001 plan', async () => {
  const payroll = await plannedSandboxPayroll(employees(1))
  const refused = await payroll.run([...report(payroll, '--format', 'pain.002'), '--out', join(payroll.home, 'x.xml')])
  expect(refused).toMatchObject({ code: 2, error: { message: expect.stringContaining('is the plan of a csv file') } })
  const path = join(payroll.home, 'pain.xml')
  writeFileSync(path, painFile({ payments: [payment('a', '1'), payment('b', '2')] }))
  const planned = await payroll.run(['batch', 'plan', path])
  const planId = String(planned.json.planId)
  const ended = await succeeds(payroll.run([...report({ planId }, '--format', 'pain.002'), '--output', 'table']))
  expect(checkPain002(ended.stdout)).toMatchObject({
    wrong: [],
    statuses: [
      ['a', 'PDNG'],
      ['b', 'PDNG'],
    ],
  })
})

test('batch report: --format csv with --json, and --out without --format, are usage errors (2)', async () => {
  const payroll = await plannedSandboxPayroll(employees(1))
  const both = await payroll.run(report(payroll, '--format', 'csv'))
  expect(both).toMatchObject({ code: 2, stdout: '', error: { message: expect.stringContaining('prints the report') } })
  const nowhere = await payroll.run(report(payroll, '--out', 'x'))
  expect(nowhere).toMatchObject({ code: 2, error: { message: expect.stringContaining('--out') } })
})
