/** A row whose intent is deleted from the store while it is at the service: it may have been paid. */
import { expect, test } from 'vitest'
import { employees, handPayroll } from '../kit/batch.ts'
import { tamper } from '../kit/store.ts'

test('batch run: a row whose intent is deleted while it is at the service is unknown (9), not planned', async () => {
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
