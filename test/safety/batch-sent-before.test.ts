/** A new message with last month's ids and sums pays nothing: its papers say which rows were sent before, when and by which plan. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Payroll, painFile, papersIn, payment, sandboxPayroll } from '../kit/batch.ts'
import { hurriedClock } from '../kit/clock.ts'
import { succeeds } from '../kit/program.ts'
import { ledgerOf } from '../kit/world.ts'

/** Plans and runs a pain.001 of these payments as the message of a month. */
async function paid(payroll: Payroll, month: string, payments: readonly string[], sum: string) {
  const path = join(payroll.home, `${month}.xml`)
  writeFileSync(path, painFile({ payments }).replace('m-1', month))
  const planned = await succeeds(payroll.run(['batch', 'plan', path]))
  const planId = String(planned.json.planId)
  await succeeds(payroll.run(['batch', 'run', planId, '--confirm', sum]))
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
