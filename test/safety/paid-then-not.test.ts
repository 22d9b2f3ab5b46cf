/** A payment that was told as paid, and later as ended unpaid: one of the two is wrong, and it is never paid anew on that word. */
import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { employees, type HandPayroll, handPayroll } from '../kit/batch/payroll.ts'
import { until } from '../kit/run/until.ts'
import { handDesk, handOrder } from '../kit/service/hand-desk.ts'
import { handPayout } from '../kit/service/hand-payout.ts'
import { type Answering, json } from '../kit/service/service-by-hand.ts'

const details = { amount: 12.5, currency: 'GEL', toIban: 'GE29NB0000000101904917', uniqueId: handOrder }
const shown = { ...details, paymentDescription: 'Salary, November', createdAt: '2026-11-20T10:00:00.123456789' }

/** A payout that the service answers and shows as these statuses say, one after the other. */
async function payout(answered: string, ...shows: readonly string[]) {
  let status = answered
  const left = [...shows]
  const desk = await handPayout(({ method, path }) => {
    if (method === 'POST' && path === '/api/distributor') {
      return json({ value: { transactionId: 4711, status, statusDescription: status, uniqueId: handOrder } })
    }
    if (method !== 'GET') return undefined
    status = left.shift() ?? status
    return json({ value: { ...shown, transactionId: 4711, status, statusDescription: status } })
  })
  expect((await desk.pay()).code).toBe(0)
  const show = (next: string) => {
    status = next
  }
  return { ...desk, show }
}

describe('a payout', () => {
  test.each([
    ['that was answered SUCCESS', 'SUCCESS', ['FAILED']],
    ['that was read as SUCCESS', 'INITIAL', ['SUCCESS', 'REJECTED']],
  ] as const)('%s is not denied by a later read of its end', async (_what, answered, shows) => {
    const desk = await payout(answered, ...shows)
    for (const _ of shows.slice(1)) expect((await desk.run('payout', 'get', '4711')).code).toBe(0)
    const ended = await desk.run('payout', 'wait', handOrder)
    expect(ended.code, ended.stderr).toBe(9)
    expect(ended.error).toMatchObject({ moneyMoved: 'unknown' })
    expect(ended.error.message).toContain(`answered SUCCESS, and shows ${shows.at(-1)} since`)
    expect(ended.error.hints).toContainEqual(expect.stringContaining('Never pay it anew'))
    // The read itself works; it tells of both.
    const read = await desk.run('payout', 'get', '4711')
    expect(read, read.stderr).toMatchObject({ code: 0, json: { status: shows.at(-1) } })
    expect(read.json.warnings).toEqual([expect.stringContaining(`answered SUCCESS, and shows ${shows.at(-1)} since`)])
    // Until the service says again that it is paid, so does nobody here; and nothing is sent.
    for (const more of [{}, { wait: true }] as const) {
      const again = await desk.pay(more)
      expect(again.code, again.stderr).toBe(9)
      expect(again.error).toMatchObject({ moneyMoved: 'unknown' })
    }
    desk.show('SUCCESS')
    expect((await desk.run('payout', 'wait', handOrder)).code).toBe(0)
    const agreed = await desk.pay()
    expect(agreed.code, agreed.stderr).toBe(0)
    expect([agreed.json.replayed, desk.creates()]).toEqual([true, 1])
  })

  test.each([
    ['a wait', ['wait', handOrder]],
    ['a reconciliation', ['reconcile', handOrder, '--transaction-id', '4711']],
  ])('that ended unpaid from the start is refused by %s, as before', async (_by, line) => {
    const desk = await payout('INITIAL', 'FAILED')
    const ended = await desk.run('payout', ...line)
    expect(ended.code, ended.stderr).toBe(5)
    expect(ended.error).toMatchObject({ moneyMoved: 'no' })
  })

  test('that was answered as paid is in doubt for the command itself when its wait reads another end', async () => {
    const desk = await payout('INITIAL', 'INITIAL', 'SUCCESS', 'REJECTED')
    expect((await desk.run('payout', 'get', '4711')).code).toBe(0)
    expect((await desk.run('payout', 'get', '4711')).code).toBe(0)
    const ended = await desk.pay({ wait: true })
    expect(ended.code, ended.stderr).toBe(9)
    expect(ended.error).toMatchObject({ moneyMoved: 'unknown' })
  })
})

test('an order that was read as paid is not denied by a later read of its end', async () => {
  let status = 'SUCCESS'
  const { run } = await handDesk(({ name, request }) => {
    const { integratorOrderId } = request
    if (name === 'order.create') return { value: { integratorOrderId, urlForQR: 'https://pay.example/1' } }
    return { value: { integratorOrderId, status } }
  })
  const made = await run('order', 'create', '--amount', '12.50', '--receiver-id', handOrder, '--key', 'o', '--yes')
  expect(made.code, made.stderr).toBe(0)
  expect((await run('order', 'wait', 'o')).code).toBe(0)
  status = 'FAILED'
  const ended = await run('order', 'wait', 'o')
  expect(ended.code, ended.stderr).toBe(9)
  expect(ended.error).toMatchObject({ moneyMoved: 'unknown' })
  const read = await run('order', 'status', 'o')
  expect(read, read.stderr).toMatchObject({ code: 0, json: { status: 'FAILED' } })
  expect(read.json.warnings).toEqual([expect.stringContaining('answered SUCCESS, and shows FAILED since')])
})

test('an order that was answered as paid is in doubt for the command itself when its wait reads another end', async () => {
  let status = 'FAILED'
  const desk = await handDesk(({ name, request: { integratorOrderId } }) => ({
    value: { integratorOrderId, status: name === 'order.create' ? 'SUCCESS' : status },
  }))
  const card = `${desk.home}/card`
  writeFileSync(card, '454d428e-4419-4cee-aa68-eae36cc82c81', { mode: 0o600 })
  const charge = ['order', 'create', '--amount', '12.50', '--receiver-id', handOrder, '--card-token-file', card]
  for (const more of [['--wait'], ['--wait'], []]) {
    const ended = await desk.run(...charge, '--key', 'c', '--yes', ...more)
    expect(ended, ended.stdout).toMatchObject({ code: 9, stdout: '', error: { moneyMoved: 'unknown' } })
    expect(ended.error.message).toContain('answered SUCCESS, and shows FAILED since')
  }
  status = 'SUCCESS'
  expect((await desk.run('order', 'wait', 'c')).code).toBe(0)
  expect(desk.count('order.create')).toBe(1)
})

test('of two reads side by side the later one does not undo that it was paid', async () => {
  let second: () => void = () => undefined
  const isSecond = new Promise<void>((resolve) => {
    second = resolve
  })
  let reads = 0
  const value = (status: string) =>
    json({ value: { ...shown, transactionId: 4711, status, statusDescription: status } })
  const desk = await handPayout(async ({ method, path }) => {
    if (method === 'POST' && path === '/api/distributor') {
      return json({ value: { transactionId: 4711, status: 'INITIAL', statusDescription: '', uniqueId: handOrder } })
    }
    if (path !== '/api/distributor/details') return undefined
    reads += 1
    if (reads > 1) return value('SUCCESS')
    await isSecond
    return value('REJECTED')
  })
  expect((await desk.pay()).code).toBe(0)
  const late = desk.run('payout', 'get', '4711')
  await until('the first read is on its way', () => reads === 1)
  expect((await desk.run('payout', 'get', '4711')).code).toBe(0)
  second()
  await late
  const again = await desk.pay()
  expect(again.code, again.stderr).toBe(9)
  expect(again.error).toMatchObject({ moneyMoved: 'unknown' })
})

test('a reconciliation that reads another end than the journal knows is no success', async () => {
  const desk = await payout('SUCCESS', 'REJECTED')
  const ended = await desk.run('payout', 'reconcile', handOrder, '--transaction-id', '4711')
  expect(ended.code, ended.stderr).toBe(9)
  expect(ended.error).toMatchObject({ moneyMoved: 'unknown' })
})

test('a row of a file is in doubt for every command, until the service says again that it is paid', async () => {
  let status = 'SUCCESS'
  const details: Answering = ({ path, query }) => {
    if (path !== '/api/distributor/details') return undefined
    const sent = JSON.parse(payroll.service.creates[0]?.body ?? '{}')
    return json({ value: { ...shown, ...sent, transactionId: Number(/\d+/.exec(query)?.[0]), status } })
  }
  const payroll: HandPayroll = await handPayroll(employees(1), details)
  await payroll.plan()
  const line = ['batch', 'run', payroll.planId, '--confirm', 'GEL 1.25']
  expect((await payroll.run(line)).code).toBe(0)
  const waiting = ['batch', 'wait', payroll.planId, '--timeout', '5s']
  const first = await payroll.run(waiting)
  expect(first, first.stderr).toMatchObject({ code: 0, json: { paid: 1 } })
  status = 'FAILED'
  expect((await payroll.run(['payout', 'wait', 'e-1'])).code).toBe(9)
  const second = await payroll.run(waiting)
  expect(second, second.stderr).toMatchObject({ code: 9, json: { paid: 0, notPaid: 0, unknown: 1 } })
  const again = await payroll.run(line)
  expect(again, again.stderr).toMatchObject({ code: 9, json: { accepted: 0, unknown: 1 } })
  const report = await payroll.run(['batch', 'report', payroll.planId, '--format', 'csv', '--output', 'table'])
  expect(report.stdout).toContain('shows FAILED since')
  expect(payroll.service.creates).toHaveLength(1)
  status = 'SUCCESS'
  expect((await payroll.run(waiting)).code).toBe(0)
  expect((await payroll.run(line)).code).toBe(0)
})

test('a question about a payout of another machine that the service refuses denies nothing', async () => {
  const refused = { statusCode: 5005, message: 'No permission', exceptionGroup: 1 }
  const desk = await handPayout(({ method }) => (method === 'GET' ? json(refused, 400) : undefined))
  const ended = await desk.run('payout', 'get', '4711')
  expect(ended.code, ended.stderr).not.toBe(0)
  expect(ended.error).toMatchObject({ moneyMoved: 'unknown' })
})
