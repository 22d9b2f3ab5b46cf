/**
 * Rows whose ids the service has from somebody else: another machine that ran the same file, or a request that was
 * sent twice on its way.
 */

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { employees, type HandPayroll, handPayroll, papersIn, plannedPayroll } from '../kit/batch.ts'
import { succeeds } from '../kit/program.ts'
import { json } from '../kit/service.ts'

const taken = json({ message: 'duplicate', statusCode: 5017 }, 400)
const amountIn = (body: string) => Number(JSON.parse(body).amount)

/** A service that has the rows with these sums already. */
const having = (rows: number, has: (amount: number) => boolean) =>
  handPayroll(employees(rows), ({ path, body }) =>
    path === '/api/distributor' && has(amountIn(body)) ? taken : undefined,
  )

const consent = (rows: number) => `GEL ${((rows * (rows + 1)) / 2 + rows / 4).toFixed(2)}`

const go = (command: string, payroll: HandPayroll, rows: number, ...more: readonly string[]) =>
  payroll.batch(command, '--confirm', consent(rows), ...more)

test('batch run: rows that another machine has paid (5017) are conflicts, the others are paid (10)', async () => {
  const payroll = await having(14, (amount) => amount < 13)
  await payroll.plan()
  const ended = await go('run', payroll, 14, '--concurrency', '1')
  expect(ended, ended.stderr).toMatchObject({
    code: 10,
    json: { accepted: 2, refused: 12, unknown: 0, planned: 0, conflicts: 12, stopped: null },
    error: { retry: 'never' },
  })
  expect(ended.error.message).toContain('12 of the refused are in conflict: the service already has its id')
  expect(String(ended.error.hints)).toMatch(/payout reconcile [0-9a-f-]{36} --transaction-id <n>/)
  expect(String(ended.error.hints)).not.toContain('batch resume')
  expect(payroll.service.creates).toHaveLength(14)
  for (const command of ['run', 'resume']) {
    expect(await go(command, payroll, 14)).toMatchObject({ code: 10, json: { conflicts: 12 } })
  }
  expect(payroll.service.creates).toHaveLength(14)
})

test('batch run, results, report, wait: a plan of conflicts only: money may have moved, and no hint resumes it (10)', async () => {
  const payroll = await having(2, () => true)
  await payroll.plan()
  const ended = await go('run', payroll, 2)
  expect(ended, ended.stderr).toMatchObject({ code: 10, json: { conflicts: 2 }, error: { moneyMoved: 'unknown' } })
  const dir = join(payroll.home, 'papers')
  await payroll.batch('results', '--dir', dir)
  const papers = papersIn(dir)
  expect([papers.ok, papers.refused, papers.unsent]).toEqual([[], [], []])
  const cells = {
    'paydesk:state': 'conflict',
    'paydesk:code': '5017',
    'paydesk:why': expect.stringContaining('may have moved'),
  }
  expect(papers.unknown).toMatchObject([cells, cells])
  const report = await payroll.batch('report')
  expect(report.json.standings).toContainEqual(expect.objectContaining({ standing: 'conflict', rows: 2 }))
  expect(String(report.json.next)).toContain('payout reconcile')
  expect(String(report.json.next)).not.toContain('batch resume')
  const waited = await payroll.batch('wait', '--timeout', '60s')
  expect(waited, waited.stderr).toMatchObject({ code: 10, error: { moneyMoved: 'unknown', retry: 'never' } })
  expect(String(waited.json.warnings)).toContain('2 of the refused rows are conflicts')
  expect(String(waited.error.hints)).not.toContain('batch resume')
})

test('batch run, resume: a row that was turned away (429) before its id was taken (5017) is a conflict (10)', async () => {
  let creates = 0
  const payroll = await plannedPayroll(employees(1), ({ path }) => {
    if (path !== '/api/distributor') return undefined
    creates += 1
    return creates === 1 ? { status: 429, headers: { 'retry-after': '1' }, body: '' } : taken
  })
  expect(await go('run', payroll, 1)).toMatchObject({ code: 10, json: { refused: 1, turnedAway: 0, conflicts: 1 } })
  expect(await go('resume', payroll, 1)).toMatchObject({ code: 10, json: { conflicts: 1 } })
  expect(payroll.service.creates).toHaveLength(2)
})

test('payout reconcile: a conflict of a plan is accepted, and the plan ends with 0', async () => {
  const payroll = await handPayroll(employees(1), ({ path, body }) => {
    if (path === '/api/distributor') return taken
    if (path !== '/api/distributor/details') return undefined
    const { uniqueId } = JSON.parse(payroll.service.creates[0]?.body ?? body)
    const value = { transactionId: 7, status: 'SUCCESS', amount: 1.25, currency: 'GEL', uniqueId }
    return json({ value: { ...value, toIban: 'GE29NB0000000101904917', paymentDescription: 'Salary' } })
  })
  await payroll.plan()
  expect(await go('run', payroll, 1)).toMatchObject({ code: 10 })
  await succeeds(payroll.run(['payout', 'reconcile', 'e-1', '--transaction-id', '7']))
  expect(await go('run', payroll, 1)).toMatchObject({ code: 0, json: { accepted: 1, refused: 0, conflicts: 0 } })
})

test('batch resume: rows whose answers have another sum stay unknown and are not sent again, the others are paid (9)', async () => {
  const payroll = await plannedPayroll(employees(12), ({ path, body }) => {
    if (path !== '/api/distributor' || amountIn(body) > 12) return undefined
    const { uniqueId, currency } = JSON.parse(body)
    return json({ transactionId: 5, status: 'INITIAL', statusDescription: 'x', uniqueId, amount: 1000, currency })
  })
  const first = await go('run', payroll, 12, '--concurrency', '1')
  expect(first, first.stderr).toMatchObject({ code: 9, json: { unknown: 10, planned: 2 } })
  expect(first.json.stopped).toContain('10 rows in a row had no definite answer')
  const second = await go('resume', payroll, 12)
  expect(second, second.stderr).toMatchObject({
    code: 9,
    json: { unknown: 11, accepted: 1, planned: 0, stopped: null },
  })
  expect(String(second.error.hints)).toContain('payout reconcile')
  expect(payroll.service.creates).toHaveLength(12)
  const third = await go('resume', payroll, 12)
  expect(third, third.stderr).toMatchObject({ code: 9, json: { unknown: 11 }, error: { retry: 'never' } })
  expect(String(third.error.hints)).not.toContain('batch resume')
  const waited = await payroll.batch('wait', '--timeout', '60s')
  expect(waited, waited.stderr).toMatchObject({ code: 9, json: { unknown: 11 }, error: { retry: 'never' } })
  const report = await payroll.batch('report')
  for (const hints of [String(waited.error.hints), String(report.json.next)]) {
    expect(hints).not.toContain('batch resume')
    expect(hints).toMatch(/Do not pay them again\. .* `paydesk payout reconcile <uniqueId> --transaction-id <n>/)
  }
})
