import { expect, test } from 'vitest'
import { employees, sandboxPayroll } from '../../kit/batch.ts'
import { impatient } from '../../kit/clock.ts'
import { addFault, clearFaults, ledgerOf } from '../../kit/world.ts'

test('batch resume: rows whose answers were lost are resolved under their ids, and the other rows are sent', async () => {
  const payroll = sandboxPayroll(employees(12), { random: impatient })
  await payroll.plan()
  await addFault(payroll.home, { kind: 'reset', at: 'after', times: 999 })
  const first = await payroll.run(['batch', 'run', payroll.planId, '--yes', '--timeout', '2s', '--concurrency', '4'])
  expect(first.code, first.stderr).toBe(9)
  await clearFaults(payroll.home)
  const second = await payroll.run(['batch', 'resume', payroll.planId, '--yes'])
  expect(second.code, second.stderr).toBe(0)
  const { accepted, exists } = second.json
  expect(Number(accepted) + Number(exists)).toBe(12)
  const paid = await ledgerOf(payroll.home)
  expect(paid).toHaveLength(12)
  expect(paid.every(({ executions }) => executions === 1)).toBe(true)
})
