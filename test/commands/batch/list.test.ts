import { expect, test } from 'vitest'
import { employees, plannedSandboxPayroll } from '../../kit/batch.ts'
import { hurriedClock } from '../../kit/clock.ts'
import { newHome, paydesk } from '../../kit/program.ts'

test('batch list: without a plan it says how to make one', async () => {
  const ended = await paydesk(['batch', 'list'], { home: newHome() })
  expect(ended).toMatchObject({ code: 0, stdout: 'No plans. `batch plan <file>` makes one.\n' })
})

test('batch list: plans are listed newest first, with their rows, totals and whether they are stale or discarded', async () => {
  const clock = hurriedClock()
  const payroll = await plannedSandboxPayroll(employees(2), { clock })
  const first = payroll.planId
  clock.skip(25 * 60 * 60 * 1000)
  payroll.write(employees(3))
  await payroll.plan()
  const second = payroll.planId
  await payroll.run(['batch', 'discard', second])
  const plans = JSON.parse((await payroll.run(['batch', 'list'])).stdout)
  expect(plans).toMatchObject([
    { planId: second, rows: 3, isStale: false, isDiscarded: true },
    { planId: first, rows: 2, isStale: true, isDiscarded: false, file: 'payroll.csv', totals: { GEL: 3.5 } },
  ])
  const table = await payroll.run(['batch', 'list', '--output', 'table'])
  expect(table.stdout).toMatch(/ discarded$/m)
  expect(table.stdout).toMatch(/ expired$/m)
})
