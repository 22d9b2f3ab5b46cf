/** A sign-in that fails or a service that is away would stop every row: the run ends soon, and names the reason. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { employees, type HandPayroll, plannedPayroll } from '../kit/batch.ts'
import { hurriedClock } from '../kit/clock.ts'
import { type Answering, json, type Reply } from '../kit/service.ts'

const consent = (rows: number) => `GEL ${((rows * (rows + 1)) / 2 + rows / 4).toFixed(2)}`

const go = (payroll: HandPayroll, rows: number, ...more: readonly string[]) =>
  payroll.batch('run', '--confirm', consent(rows), '--concurrency', '1', '--timeout', '20s', ...more)

/** A plan whose sign-in is answered so. */
async function signingIn(rows: number, reply: Reply): Promise<HandPayroll> {
  const payroll = await plannedPayroll(employees(rows), ({ path }) => (path === '/api/auth' ? reply : undefined))
  rmSync(join(payroll.home, 'tokens'), { recursive: true, force: true })
  return payroll
}

test.each([
  ['502', { status: 502, body: '<html>' }],
  ['a page', { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' }],
  ['429', { status: 429, headers: { 'retry-after': '3600' }, body: '' }],
  ['a closed connection', 'reset'],
] as const)('batch run: a sign-in that ends with %s is named and stops it after ten rows (11)', async (_, reply) => {
  const payroll = await signingIn(40, reply)
  const ended = await go(payroll, 40)
  expect(ended, ended.stderr).toMatchObject({
    code: 11,
    json: { planned: 40, stopped: expect.stringMatching(/10 rows in a row could not be sent.*sign in/) },
    error: { moneyMoved: 'no', retry: 'same-id', message: expect.stringContaining('could not sign in') },
  })
  expect(payroll.service.seen.filter(({ path }) => path === '/api/auth').length).toBeLessThan(60)
  expect(payroll.service.creates).toEqual([])
})

test('batch run: a sign-in that fails (502) for a plan of three rows is named (11)', async () => {
  const ended = await go(await signingIn(3, { status: 502, body: '' }), 3)
  expect(ended, ended.stderr).toMatchObject({ code: 11, json: { planned: 3, stopped: null } })
  expect(ended.error.message).toContain('could not sign in')
})

test('batch run: a service that cannot be reached is named, and no money moved (11)', async () => {
  const payroll = await plannedPayroll(employees(3))
  await payroll.run(['payout', 'balance'])
  await payroll.service.stop()
  const ended = await go(payroll, 3)
  expect(ended, ended.stderr).toMatchObject({ code: 11, json: { accepted: 0 }, error: { moneyMoved: 'no' } })
  expect(ended.error.message).toMatch(/the last of those that are open: .*ECONNREFUSED/)
})

test.each([
  ['accepted', undefined, { accepted: 1, planned: 2 }, 'yes'],
  ['refused', json({ statusCode: 5023, message: 'no' }, 400), { refused: 1, planned: 2 }, 'no'],
] as const)('batch run: a sign-in that fails after a row was %s is named', async (_, first, counts, moneyMoved) => {
  const clock = hurriedClock()
  let isSent = false
  const answering: Answering = ({ path }) => {
    if (path === '/api/auth' && isSent) return { status: 502, body: '' }
    if (path !== '/api/distributor') return undefined
    isSent = true
    clock.skip(60 * 60 * 1000)
    return first
  }
  const payroll = await plannedPayroll(employees(3), answering, 'test', clock)
  const ended = await go(payroll, 3)
  expect(ended, ended.stderr).toMatchObject({
    code: 10,
    json: counts,
    error: { moneyMoved, message: expect.stringContaining('could not sign in') },
  })
})
