/** A clock that is set back between plan and run: refusals before the plan and refusals of the run stay apart. */
import { expect, test } from 'vitest'
import { employees, handPayroll, refusing } from '../kit/batch.ts'
import { hurriedClock } from '../kit/clock.ts'

const hour = 60 * 60 * 1000

test('batch run: a row that was refused stays refused though the clock was set back before the run, and is not sent again (10)', async () => {
  const clock = hurriedClock()
  const payroll = await handPayroll(employees(2), refusing('2.25'), 'test', clock)
  await payroll.plan()
  clock.skip(-2 * hour)
  const line = ['batch', 'run', payroll.planId, '--confirm', 'GEL 3.50']
  const first = await payroll.run(line)
  expect(first, first.stderr).toMatchObject({ code: 10, json: { accepted: 1, refused: 1, planned: 0, replayed: 0 } })
  const sent = payroll.service.creates.length
  const second = await payroll.run(line)
  expect(second, second.stderr).toMatchObject({ code: 10, json: { accepted: 1, refused: 1, planned: 0, replayed: 0 } })
  expect(payroll.service.creates).toHaveLength(sent)
})

test('batch run: a row that was refused before it was planned anew is sent, though the clock was set back behind the refusal (0)', async () => {
  let isRefusing = true
  const clock = hurriedClock()
  const payroll = await handPayroll(
    employees(2),
    (exchange, count) => (isRefusing ? refusing('2.25')(exchange, count) : undefined),
    'test',
    clock,
  )
  await payroll.plan()
  await payroll.run(['batch', 'run', payroll.planId, '--confirm', 'GEL 3.50'])
  isRefusing = false
  clock.skip(-2 * hour)
  payroll.write(employees(3))
  await payroll.plan()
  const ended = await payroll.run(['batch', 'run', payroll.planId, '--confirm', 'GEL 6.75'])
  expect(ended, ended.stderr).toMatchObject({ code: 0, json: { accepted: 3, refused: 0, replayed: 1 } })
})
