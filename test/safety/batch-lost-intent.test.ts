/** A row whose intent was taken out of the store while it was at the service: it may have been paid, and is not told as planned. */
import { expect, test } from 'vitest'
import { employees, handPayroll } from '../kit/batch/payroll.ts'
import { tamper } from '../kit/store/tampered.ts'

test('a row that the service took, and whose intent is gone, is unknown (9)', async () => {
  let home = ''
  const payroll = await handPayroll(employees(3), ({ path, body }) => {
    if (path !== '/api/distributor' || !body.includes('2.25')) return undefined
    const { uniqueId } = JSON.parse(body) as { uniqueId: string }
    tamper(
      home,
      `delete from attempts where intent_id in (select id from intents where unique_id = '${uniqueId}');
       delete from intents where unique_id = '${uniqueId}'`,
    )
    return undefined
  })
  home = payroll.home
  await payroll.plan()
  const ended = await payroll.run(['batch', 'run', payroll.planId, '--confirm', 'GEL 6.75', '--concurrency', '1'])
  expect(ended, ended.stderr).toMatchObject({
    code: 9,
    json: { unknown: 1, planned: 0 },
    error: { moneyMoved: 'unknown' },
  })
})
