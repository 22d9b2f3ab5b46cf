import { expect, test } from 'vitest'
import { employees, sandboxPayroll } from '../../kit/batch/payroll.ts'
import { ledgerOf } from '../../kit/world.ts'

test('a plan that was discarded sends nothing, until the file is planned again', async () => {
  const payroll = sandboxPayroll(employees(2))
  await payroll.plan()
  const { planId } = payroll
  expect((await payroll.run(['batch', 'discard', planId])).json).toMatchObject({ planId, planned: 2 })
  const refused = await payroll.run(['batch', 'run', planId, '--yes'])
  expect(refused).toMatchObject({ code: 12, error: { message: expect.stringContaining('discarded') } })
  expect(await ledgerOf(payroll.home)).toEqual([])
  expect((await payroll.plan()).json).toMatchObject({ planId, renewed: true })
  expect((await payroll.run(['batch', 'run', planId, '--yes'])).code).toBe(0)
})
