import { expect, test } from 'vitest'
import { employees, plannedPayroll, plannedSandboxPayroll } from '../../kit/batch.ts'
import { hurriedClock, impatient } from '../../kit/clock.ts'
import { succeeds } from '../../kit/program.ts'
import { addFault, clearFaults, ledgerOf } from '../../kit/world.ts'

test('batch resume: rows whose answers were lost are resolved under their ids, and the other rows are sent', async () => {
  const payroll = await plannedSandboxPayroll(employees(12), { random: impatient })
  await addFault(payroll.home, { kind: 'reset', at: 'after', times: 999 })
  const first = await payroll.batch('run', '--yes', '--timeout', '2s', '--concurrency', '4')
  expect(first.code, first.stderr).toBe(9)
  await clearFaults(payroll.home)
  const second = await succeeds(payroll.batch('resume', '--yes'))
  const { accepted, exists } = second.json
  expect(Number(accepted) + Number(exists)).toBe(12)
  const paid = await ledgerOf(payroll.home)
  expect(paid).toHaveLength(12)
  expect(paid.every(({ executions }) => executions === 1)).toBe(true)
})

test('batch resume: no row is sent when the time of --timeout is over; the rest stays planned (10)', async () => {
  const clock = hurriedClock()
  let slow = 0
  const payroll = await plannedPayroll(
    employees(6, { amount: '10' }),
    ({ path }) => {
      if (path === '/api/distributor') clock.skip(slow)
      return undefined
    },
    'test',
    clock,
  )
  slow = 40_000
  const line = [payroll.planId, '--confirm', 'GEL 60', '--concurrency', '1', '--timeout', '60s']
  const ended = await payroll.run(['batch', 'resume', ...line])
  expect(ended).toMatchObject({
    code: 10,
    json: { accepted: 2, planned: 4, stopped: 'the time of --timeout was over' },
  })
  slow = 0
  expect(await payroll.run(['batch', 'resume', ...line])).toMatchObject({ code: 0, json: { accepted: 6 } })
})
