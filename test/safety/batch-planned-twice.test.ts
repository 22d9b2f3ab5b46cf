/** One file, two plans: the same rows under other ids would be paid twice, so the second plan is refused, and a run looks again. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type HandPayroll, handPayroll, type Payroll, refusing, sandboxPayroll } from '../kit/batch.ts'
import { hurriedClock } from '../kit/clock.ts'
import { beneficiaryIban, create } from '../kit/payment.ts'
import { succeeds } from '../kit/program.ts'

const header = 'employee,contract,amount,currency,description,toIban,beneficiaryName'
const rowOf = (employee: string, contract: string, amount: string) =>
  `${employee},${contract},${amount},GEL,Salary,${beneficiaryIban},Nino Beridze`
const salaries = [header, rowOf('e-1', 'c-1', '12.50'), rowOf('e-2', 'c-2', '13.50'), ''].join('\n')

/** Plans a text as a file with columns that only `--key-column` reads. */
function planning(payroll: Payroll) {
  const map = join(payroll.home, 'map.yaml')
  writeFileSync(map, 'ignore: [employee, contract]\n')
  return (text: string, key: string | null, ...more: readonly string[]) => {
    const file = join(payroll.home, 'salaries.csv')
    writeFileSync(file, text)
    const keyed = key === null ? [] : ['--key-column', key]
    return payroll.run(['batch', 'plan', file, '--map', map, ...keyed, ...more])
  }
}

/** The same rows as a spreadsheet may save them: other columns first, semicolons, a byte order mark, sums in another form. */
const resaved = `\uFEFF${[
  'toIban;contract;employee;amount;currency;description;beneficiaryName',
  'GE29 NB00 0000 0101 9049 17;c-2;e-2;13.5;GEL;Salary;Nino Beridze',
  'GE29 NB00 0000 0101 9049 17;c-1;e-1;12.5;GEL;Salary;Nino Beridze',
  '',
].join('\r\n')}`

test.each([
  ['the same bytes', salaries, []],
  ['the same bytes under another name', salaries, ['--name', 'other']],
  ['the same rows, saved anew', resaved, []],
  ['one of its rows among new ones', [header, rowOf('e-9', 'c-9', '1'), rowOf('e-2', 'c-2', '13.50')].join('\n'), []],
])('batch plan: a file planned by one key column is refused (7) by another one: %s', async (_what, text, more) => {
  const payroll = sandboxPayroll([])
  const plan = planning(payroll)
  const first = await succeeds(plan(salaries, 'employee'))
  const second = await plan(text, 'contract', ...more)
  expect(second, second.stderr).toMatchObject({ code: 7, stdout: '', error: { moneyMoved: 'no' } })
  expect(second.error.message).toContain(String(first.json.planId))
  expect(String(second.error.hints)).toContain('--again "<reason>"')
  expect(await payroll.run(['batch', 'list'])).toMatchObject({ json: [{ planId: first.json.planId }] })
})

test('batch plan: a file whose rows were paid by another plan is refused (7) and says that money moved', async () => {
  const payroll = sandboxPayroll([])
  const plan = planning(payroll)
  const { planId } = (await plan(salaries, 'employee')).json
  expect((await payroll.run(['batch', 'run', String(planId), '--yes'])).code).toBe(0)
  await payroll.run(['batch', 'discard', String(planId)])
  const second = await plan(resaved, 'contract')
  expect(second, second.stderr).toMatchObject({ code: 7 })
  expect(second.error.message).toMatch(/b-\w+ \(salaries.csv, at .*\): row [23] is its row [23] \(accepted\)/)
  expect(second.error.moneyMoved).not.toBe('no')
  await succeeds(plan(resaved, 'contract', '--again', 'a bonus'))
})

test('batch plan: a file whose other plan was discarded unsent is planned (0)', async () => {
  const payroll = sandboxPayroll([])
  const plan = planning(payroll)
  const { planId } = (await plan(salaries, 'employee')).json
  await payroll.run(['batch', 'discard', String(planId)])
  await succeeds(plan(salaries, 'contract'))
})

test('batch plan: rows without keys are refused (7) by default, and planned under another --name', async () => {
  const payroll = sandboxPayroll([])
  const plan = planning(payroll)
  await succeeds(plan(salaries, null))
  expect(await plan(resaved, null)).toMatchObject({ code: 7 })
  expect(await plan(salaries, 'employee')).toMatchObject({ code: 7 })
  await succeeds(plan(salaries, null, '--name', '2026-12'))
})

test('batch plan: rows that were definitely refused are planned by another key, and refused.csv as it is', async () => {
  const payroll = await handPayroll([], refusing('Salary'))
  const plan = planning(payroll)
  const { planId } = (await plan(salaries, 'employee')).json
  expect((await payroll.run(['batch', 'run', String(planId), '--confirm', 'GEL 26.00'])).code).toBe(10)
  const papers = join(payroll.home, 'papers')
  expect((await payroll.run(['batch', 'results', String(planId), '--dir', papers])).code).toBe(0)
  const map = join(payroll.home, 'map.yaml')
  const given = ['batch', 'plan', join(papers, 'refused.csv'), '--map', map]
  const back = await succeeds(payroll.run([...given, '--key-column', 'employee']))
  expect(await payroll.run(['batch', 'discard', String(back.json.planId)])).toMatchObject({ code: 0 })
  await succeeds(plan(salaries, 'contract'))
})

test('batch plan: an expired plan is not renewed (7) while its file was planned once more and paid', async () => {
  const clock = hurriedClock()
  const payroll = sandboxPayroll([], { clock })
  const plan = planning(payroll)
  expect((await plan(salaries, null, '--name', 'nov')).code).toBe(0)
  const again = await plan(salaries, null, '--name', 'nov', '--again', 'lost')
  expect((await payroll.run(['batch', 'run', String(again.json.planId), '--yes'])).code).toBe(0)
  clock.skip(25 * 60 * 60 * 1000)
  const renewed = await plan(salaries, null, '--name', 'nov')
  expect(renewed, renewed.stderr).toMatchObject({ code: 7 })
  expect(renewed.error.message).toContain(String(again.json.planId))
})

const agreed = (planId: unknown, ...more: readonly string[]) =>
  ['batch', 'run', String(planId), '--confirm', 'GEL 26.00', ...more] as const

/** Two plans of the same payments under other ids and other words, so that no file is the other. */
async function twoPlans(payroll: HandPayroll) {
  const plan = planning(payroll)
  const first = await plan(salaries, 'employee')
  const second = await plan(salaries.replaceAll('Salary', 'Wage'), 'contract')
  for (const each of [first, second]) expect(each.code, each.stderr).toBe(0)
  return [first.json.planId, second.json.planId] as const
}

test('batch run: on a live profile rows with keys like payouts since planning stop it (7) unless --allow-duplicates is given', async () => {
  const payroll = await handPayroll([], undefined, 'live')
  const [first, second] = await twoPlans(payroll)
  expect((await payroll.run(agreed(first))).code).toBe(0)
  const stopped = await payroll.run(agreed(second))
  expect(stopped, stopped.stderr).toMatchObject({ code: 7, json: { accepted: 0, planned: 2 } })
  expect(stopped.error.message).toMatch(/other payouts like its rows were sent: row 2: j-/)
  expect(String(stopped.error.hints)).toContain('--allow-duplicates')
  expect(payroll.service.creates).toHaveLength(2)
  const meant = await payroll.run(agreed(second, '--allow-duplicates'))
  expect(meant, meant.stderr).toMatchObject({ code: 0, json: { accepted: 2 } })
  expect(String(meant.json.warnings)).toContain('other payouts like its rows were sent')
  expect(payroll.service.creates).toHaveLength(4)
})

test('batch run: on a test profile it warns of payouts since planning and of other plans with rows alike, and pays', async () => {
  const payroll = await handPayroll([])
  const [first, second] = await twoPlans(payroll)
  const before = await payroll.run(agreed(first))
  expect(before, before.stderr).toMatchObject({ code: 0 })
  expect(String(before.json.warnings)).toMatch(
    new RegExp(
      `${second} \\(salaries.csv\\) is not paid yet and has the same rows as this plan: row 2 here looks like its row 2`,
    ),
  )
  const after = await payroll.run(agreed(second))
  expect(after, after.stderr).toMatchObject({ code: 0, json: { accepted: 2 } })
  expect(String(after.json.warnings)).toContain('other payouts like its rows were sent: row 2: j-')
})

test('batch run: a payout that comes while a plan runs stops it (7) before the row that it looks like', async () => {
  let other: Promise<{ readonly code: number }> | null = null
  const payroll: HandPayroll = await handPayroll(
    [],
    async ({ path, body }) => {
      if (path !== '/api/distributor' || !body.includes('Salary') || other) return undefined
      const flags = { profile: null, amount: '13.50', yes: null, confirm: 'GEL 13.50', description: 'By hand' }
      other = payroll.run(create(flags))
      await other
      return undefined
    },
    'live',
  )
  const plan = planning(payroll)
  const planned = await plan(salaries, 'employee')
  const ended = await payroll.run(agreed(planned.json.planId, '--concurrency', '1'))
  expect(ended, ended.stderr).toMatchObject({ code: 7, json: { accepted: 1, planned: 1 } })
  expect(String(ended.json.stopped)).toMatch(/other payouts like its rows were sent: row 3: j-/)
  expect(await other).toMatchObject({ code: 0 })
  expect(payroll.service.creates).toHaveLength(2)
})

test('batch run: of two plans alike that run at once on a live profile each row is paid once', async () => {
  const payroll = await handPayroll([], undefined, 'live')
  const plans = await twoPlans(payroll)
  const ends = await Promise.all(plans.map((planId) => payroll.run(agreed(planId))))
  for (const { code, stderr } of ends) expect([0, 7, 10], stderr).toContain(code)
  const accepted = ends.map(({ json }) => Number(json.accepted))
  expect(accepted.reduce((sum, each) => sum + each, 0)).toBe(2)
  expect(payroll.service.creates).toHaveLength(2)
})
