import { expect, test } from 'vitest'
import { employees, sandboxPayroll } from '../../kit/batch/payroll.ts'
import { create } from '../../kit/payment.ts'

test('the counts of a plan add up to its rows, whatever was sent outside it', async () => {
  const payroll = sandboxPayroll(employees(4))
  await payroll.run(create({ profile: null, key: 'e-3', amount: '3.25', description: 'Salary' }))
  await payroll.plan()
  const ended = await payroll.run(['batch', 'status', payroll.planId])
  expect(ended, ended.stderr).toMatchObject({ code: 0, json: { rows: 4, accepted: 1, replayed: 1, planned: 3 } })
})
