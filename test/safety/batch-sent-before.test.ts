/** A new message with last month's ids and sums pays nothing: its papers say which rows were sent before, when and by which plan. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { painFile, payment } from '../kit/batch/pain.ts'
import { below, checkPain002, textOf } from '../kit/batch/pain002.ts'
import { papersIn } from '../kit/batch/papers.ts'
import { handPayroll, type Payroll, sandboxPayroll } from '../kit/batch/payroll.ts'
import { create } from '../kit/payment.ts'
import { hurriedClock } from '../kit/program/hurried.ts'
import { json } from '../kit/service/service-by-hand.ts'
import { ledgerOf } from '../kit/world.ts'

/** Plans and runs a pain.001 of these payments as the message of a month. */
async function paid(payroll: Payroll, month: string, payments: readonly string[], sum: string) {
  const path = join(payroll.home, `${month}.xml`)
  writeFileSync(path, painFile({ payments }).replace('m-1', month))
  const planned = await payroll.run(['batch', 'plan', path])
  expect(planned.code, planned.stderr).toBe(0)
  const planId = String(planned.json.planId)
  const ran = await payroll.run(['batch', 'run', planId, '--confirm', sum])
  expect(ran.code, ran.stderr).toBe(0)
  return planId
}

async function twoMonths() {
  const payroll = sandboxPayroll([], { clock: hurriedClock() })
  const november = await paid(payroll, 'november', [payment('e-1', '12.50')], 'GEL 12.50')
  await payroll.run(['sandbox', 'clock', 'advance', '1d'])
  await payroll.run(['batch', 'wait', november])
  const december = await paid(payroll, 'december', [payment('e-1', '12.50'), payment('e-2', '3')], 'GEL 15.50')
  await payroll.run(['sandbox', 'clock', 'advance', '1d'])
  return { payroll, november, december }
}

test('batch wait: says which rows were paid before the plan was made, when and by which plan, and that nothing moved now', async () => {
  const { payroll, november, december } = await twoMonths()
  const own = await payroll.run(['batch', 'wait', november])
  expect(own.json, own.stderr).toMatchObject({ paid: 1, replayed: 0, replayedTotals: {}, warnings: [] })
  const waited = await payroll.run(['batch', 'wait', december])
  expect(waited, waited.stderr).toMatchObject({
    code: 0,
    json: { paid: 2, replayed: 1, replayedTotals: { GEL: 12.5 } },
  })
  expect(String(waited.json.warnings)).toMatch(
    new RegExp(
      `1 row was sent before this plan was made; nothing was paid again for it: row 1: at 20\\S+Z by ${november} \\(november.xml\\), j-`,
    ),
  )
  const drawn = await payroll.run(['batch', 'wait', december, '--output', 'table'])
  expect(drawn.stdout).toMatch(/^sent before +1 row \(GEL 12\.50\); nothing moved for it now$/m)
  expect(await ledgerOf(payroll.home)).toHaveLength(2)
})

test('batch results, batch report: a row that an earlier plan has paid says so, with the plan and the moment', async () => {
  const { payroll, november, december } = await twoMonths()
  const papers = join(payroll.home, 'papers')
  const results = await payroll.run(['batch', 'results', december, '--dir', papers])
  expect(results.json, results.stderr).toMatchObject({ replayed: 1 })
  expect(String(results.json.warnings)).toContain(`by ${november} (november.xml)`)
  const [before, now] = papersIn(papers).ok
  expect(before?.['paydesk:why']).toMatch(
    new RegExp(`^sent before this plan was made: at .* by ${november} .*; not paid again$`),
  )
  expect(now?.['paydesk:why']).toBe('')
  const report = await payroll.run(['batch', 'report', december])
  expect(report.json, report.stderr).toMatchObject({
    replayed: 1,
    lines: [
      { sentByPlan: november, sentBefore: expect.stringMatching(/^20.*Z$/) },
      { sentByPlan: null, sentBefore: null, why: null },
    ],
  })
  const page = await payroll.run(['batch', 'report', december, '--format', 'html', '--output', 'table'])
  expect(page.stdout).toContain(`by ${november} (november.xml)`)
})

test('pain.002: a payment that an earlier message has made is told with AddtlInf, in the group and in the payment', async () => {
  const { payroll, november, december } = await twoMonths()
  const papers = join(payroll.home, 'papers')
  await payroll.run(['batch', 'results', december, '--dir', papers])
  const { report, wrong } = checkPain002(readFileSync(join(papers, 'pain.002.xml'), 'utf8'))
  expect(wrong).toEqual([])
  const [before, now] = below(report, 'OrgnlPmtInfAndSts', 'TxInfAndSts')
  expect(before && textOf(before, 'StsRsnInf', 'AddtlInf')).toContain('sent before this plan was made: at ')
  const lines = below(before ?? report, 'StsRsnInf', 'AddtlInf').map(({ text }) => text)
  expect(lines.join(' ')).toContain(november)
  expect(lines.join(' ')).toContain('nothing moved now')
  expect(now && below(now, 'StsRsnInf')).toEqual([])
  expect(textOf(report, 'OrgnlGrpInfAndSts', 'StsRsnInf', 'AddtlInf')).toContain(
    'Of 2 payments 1 was sent before this message, and nothing moved for it now',
  )
})

test('batch report: a row that a single payout has sent names no plan, and one that was turned away before is the plan’s own', async () => {
  let isAway = true
  const payroll = await handPayroll(
    [
      { key: 'k-1', amount: '1' },
      { key: 'k-2', amount: '2' },
    ],
    ({ path, body }) => {
      if (path !== '/api/distributor' || !body.includes('"amount":2') || !isAway) return undefined
      return json({ message: 'later', statusCode: 429 }, 429)
    },
  )
  const single = (key: string, amount: string) =>
    payroll.run([
      ...create({ profile: null, key, amount, description: 'Salary', yes: null, confirm: `GEL ${amount}.00` }),
      '--timeout',
      '1s',
    ])
  expect((await single('k-1', '1')).code).toBe(0)
  expect((await single('k-2', '2')).code).toBe(5)
  isAway = false
  const planned = await payroll.plan()
  expect(planned.code, planned.stderr).toBe(0)
  const ran = await payroll.run(['batch', 'run', payroll.planId, '--confirm', 'GEL 3.00'])
  expect(ran.code, ran.stderr).toBe(0)
  const report = await payroll.run(['batch', 'report', payroll.planId])
  expect(report.json, report.stderr).toMatchObject({
    lines: [
      { sentByPlan: null, sentBefore: expect.stringMatching(/^20.*Z$/), why: expect.stringContaining('by no plan') },
      { sentByPlan: null, sentBefore: null },
    ],
  })
})
