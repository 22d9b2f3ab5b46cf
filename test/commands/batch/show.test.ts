import { expect, test } from 'vitest'
import { employees, handPayroll, refusing } from '../../kit/batch/payroll.ts'
import { newHome, paydesk } from '../../kit/program/paydesk.ts'

test('rows are shown with what has become of them, and by state', async () => {
  const payroll = await handPayroll(employees(3), refusing('"amount":1.25'))
  await payroll.plan()
  await payroll.run(['batch', 'run', payroll.planId, '--confirm', 'GEL 6.75'])
  const refused = await payroll.run(['batch', 'show', payroll.planId, '--state', 'refused'])
  expect(refused.json).toMatchObject({
    rows: 3,
    shown: [{ row: 2, state: 'refused', key: 'e-1', because: expect.stringContaining('5042') }],
  })
  const all = await payroll.run(['batch', 'show', payroll.planId, '--limit', '2'])
  expect(all.json.shown).toHaveLength(2)
})

test('what is no plan id, and what is no plan, is said in one sentence', async () => {
  const home = newHome()
  const none = await paydesk(['batch', 'show', 'b-000000000000', '--json'], { home })
  expect(none).toMatchObject({ code: 6, error: { moneyMoved: 'no' } })
  expect(await paydesk(['batch', 'show', '../../x', '--json'], { home })).toMatchObject({ code: 2 })
})
