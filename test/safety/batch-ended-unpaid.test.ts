/** A row whose payment has ended unpaid is told so by every command of its plans, and of another plan that has it, too. */
import { expect, test } from 'vitest'
import { employees, type HandPayroll, handPayroll } from '../kit/batch.ts'
import { json } from '../kit/service.ts'

/** A service that takes rows and shows the first of them as in this status. */
async function showing(status: string) {
  const payroll: HandPayroll = await handPayroll(employees(1), ({ path }) => {
    if (path !== '/api/distributor/details') return undefined
    const { description, ...sent } = JSON.parse(payroll.service.creates[0]?.body ?? '{}')
    const about = { ...sent, paymentDescription: description, createdAt: null }
    return json({ value: { transactionId: 4711, status, statusDescription: 'closed account', ...about } })
  })
  return payroll
}

const go = (payroll: HandPayroll, consent: string) => payroll.batch('run', '--confirm', consent)

test('batch wait, run, discard, status: a plan whose accepted row has FAILED since ends with 10, and no money moved', async () => {
  const payroll = await showing('FAILED')
  await payroll.plan()
  expect((await go(payroll, 'GEL 1.25')).code).toBe(0)
  const first = payroll.planId
  const waited = await payroll.run(['batch', 'wait', first, '--timeout', '60s'])
  expect(waited, waited.stderr).toMatchObject({ code: 10, json: { notPaid: 1 }, error: { moneyMoved: 'no' } })
  const told = {
    code: 10,
    json: { accepted: 1, notPaid: 1 },
    error: {
      moneyMoved: 'no',
      retry: 'never',
      message: expect.stringContaining('1 of the accepted ended without a payment'),
    },
  }
  const again = await go(payroll, 'GEL 1.25')
  expect(again, again.stderr).toMatchObject(told)
  expect(String(again.error.hints)).toContain('need a new id')
  payroll.write([
    { key: 'e-1', amount: '1.25' },
    { key: 'e-9', amount: '9' },
  ])
  await payroll.plan()
  const other = await go(payroll, 'GEL 10.25')
  expect(other, other.stderr).toMatchObject({
    ...told,
    json: { accepted: 2, notPaid: 1 },
    error: { moneyMoved: 'yes' },
  })
  expect(String(other.json.warnings)).not.toContain('paid then')
  for (const early of [
    ['discard', first, '--bogus'],
    ['run', first, '--bogus'],
  ]) {
    expect(await payroll.run(['batch', ...early])).toMatchObject({ code: 2, error: { moneyMoved: 'no' } })
  }
  expect((await payroll.run(['batch', 'status', first])).json).toMatchObject({ accepted: 1, notPaid: 1 })
})

test('batch resume: accepted rows that have FAILED are counted as accepted, not paid, beside unknown rows (9)', async () => {
  const payroll: HandPayroll = await handPayroll(employees(8), ({ path, query, body }) => {
    if (path === '/api/distributor') {
      const { uniqueId, amount } = JSON.parse(body)
      if (amount > 6) return 'reset'
      return json({ transactionId: Math.floor(amount), uniqueId, status: 'INITIAL', statusDescription: 'x' })
    }
    if (path !== '/api/distributor/details') return undefined
    const transactionId = Number(new URLSearchParams(query).get('transaction_id'))
    const requests = payroll.service.creates.map((each) => JSON.parse(each.body))
    const { description, ...sent } = requests.find(({ amount }) => Math.floor(amount) === transactionId)
    const status = transactionId < 4 ? 'FAILED' : 'PENDING'
    const about = { ...sent, paymentDescription: description, createdAt: null }
    return json({ value: { transactionId, status, statusDescription: 'x', ...about } })
  })
  await payroll.plan()
  const line = ['--confirm', 'GEL 38', '--timeout', '60s']
  expect(await payroll.batch('run', ...line)).toMatchObject({ code: 9, json: { unknown: 3 } })
  await payroll.batch('wait', '--timeout', '60s')
  const ended = await payroll.batch('resume', ...line)
  expect(ended, ended.stderr).toMatchObject({ code: 9, json: { accepted: 5, unknown: 3, notPaid: 3 } })
  expect(ended.error.message).toContain('5 accepted, 3 unknown; 3 of the accepted ended without a payment')
  const { stdout } = await payroll.batch('status', '--output', 'table')
  expect(stdout).toMatch(/ended unpaid +3 of the accepted/)
})
