/** Payments between a plan and its run: the duplicate check of rows, and plans of one name. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type HandPayroll, handPayroll, type PayrollRow } from '../kit/batch.ts'
import { create } from '../kit/payment.ts'
import { succeeds } from '../kit/program.ts'
import { json } from '../kit/service.ts'

const live = (rows: readonly PayrollRow[]) => handPayroll(rows, undefined, 'live')
const run = ({ run: go }: HandPayroll, planId: string, sum: string) => go(['batch', 'run', planId, '--confirm', sum])

test('batch run, live: a row is not paid after another plan has paid a row alike (7), unless --allow-duplicates', async () => {
  const payroll = await live([{ amount: '12.50' }])
  await payroll.plan('--name', 'nov')
  const first = payroll.planId
  payroll.write([{ amount: '12.50', description: 'Pay' }])
  expect((await payroll.plan('--name', 'november')).code).toBe(0)
  expect((await run(payroll, first, 'GEL 12.50')).code).toBe(0)
  const second = await run(payroll, payroll.planId, 'GEL 12.50')
  expect(second, second.stderr).toMatchObject({ code: 7, json: { accepted: 0, planned: 1 } })
  expect(second.error.message).toMatch(/other payouts like its rows were sent: row 2: j-\w+ of/)
  expect(String(second.error.hints)).not.toContain('batch resume')
  expect(payroll.service.creates).toHaveLength(1)
  expect((await payroll.batch('discard')).code).toBe(0)
  expect((await payroll.plan('--name', 'november')).code).toBe(7)
  await succeeds(payroll.plan('--name', 'november', '--allow-duplicates'))
  expect((await run(payroll, payroll.planId, 'GEL 12.50')).code).toBe(0)
  expect(payroll.service.creates).toHaveLength(2)
})

test.each([
  ['', undefined, 0],
  [' in conflict', () => json({ message: 'exists', statusCode: 5017 }, 400), 7],
])('batch run, live: a row is not paid after a payout alike%s (7)', async (_what, answer, code) => {
  let isFirst = true
  const answering = ({ path }: { path: string }) => {
    if (path !== '/api/distributor' || !isFirst || !answer) return undefined
    isFirst = false
    return answer()
  }
  const payroll = await handPayroll([{ amount: '1.25' }], answering, 'live')
  await payroll.plan('--name', 'nov')
  const paid = await payroll.run(create({ profile: null, key: 'k', amount: '1.25', yes: null, confirm: 'GEL 1.25' }))
  expect(paid.code, paid.stderr).toBe(code)
  const ended = await run(payroll, payroll.planId, 'GEL 1.25')
  expect(ended, ended.stderr).toMatchObject({ code: 7 })
  expect(payroll.service.creates).toHaveLength(1)
})

test('batch run, live: rows alike of the plan itself are paid (0), and a row with a key like another payout is not (7)', async () => {
  const payroll = await live([{ amount: '3' }, { amount: '3' }])
  await payroll.plan('--name', 'nov', '--allow-duplicates')
  const paid = await run(payroll, payroll.planId, 'GEL 6.00')
  expect(paid, paid.stderr).toMatchObject({ code: 0, json: { accepted: 2 } })
  payroll.write([{ key: 'e-1', amount: '4' }])
  await payroll.plan()
  await payroll.run(create({ profile: null, key: 'k', amount: '4', yes: null, confirm: 'GEL 4.00' }))
  expect((await run(payroll, payroll.planId, 'GEL 4.00')).code).toBe(7)
})

const [typo, mended] = [
  { amount: '70', description: 'Slary' },
  { amount: '70', description: 'Salary' },
]
const other = { amount: '80' }

test('batch plan --name, live: an edited file is refused (7) while the first plan of that name has rows to pay that it lacks', async () => {
  const payroll = await live([typo, other])
  await payroll.plan('--name', 'nov')
  const first = payroll.planId
  payroll.write([mended, other])
  const planned = await payroll.plan('--name', 'nov')
  expect(planned, planned.stderr).toMatchObject({ code: 7, stdout: '' })
  expect(planned.error.message).toContain(`${first} (payroll.csv), its row 2`)
  expect((await payroll.plan('--name', 'nov', '--allow-duplicates')).code).toBe(0)
  await payroll.batch('discard')
  await payroll.run(['batch', 'discard', first])
  expect((await payroll.plan('--name', 'nov')).code).toBe(0)
})

test('batch plan --name: a file that lacks rows of other plans of that name is warned of, one that only has more rows is not', async () => {
  const payroll = await handPayroll([typo, other])
  await payroll.plan('--name', 'nov')
  const first = payroll.planId
  payroll.write([typo, other, { amount: '90' }])
  expect(String((await payroll.plan('--name', 'nov')).json.warnings)).not.toContain('same name')
  payroll.write([mended, other])
  const warned = String((await payroll.plan('--name', 'nov')).json.warnings)
  expect(warned).toContain('2 plans of the same name have rows that are not paid yet and not in this file')
  expect(warned).toContain(first)
})

test('batch plan: a row without a beneficiary name is warned of', async () => {
  const payroll = await handPayroll([{ amount: '3' }])
  const path = join(payroll.home, 'nameless.csv')
  writeFileSync(path, 'key,amount,currency,description,toIban\ne-1,3.00,GEL,Salary,GE29NB0000000101904917\n')
  const planned = await payroll.run(['batch', 'plan', path])
  expect(String(planned.json.warnings)).toContain('1 row has no beneficiaryName; some banks reject')
})
