/** Rows that are opened before a lane is free: the wait for a lane takes nothing of their time, of the rate, or of their lease. */

import { expect, test } from 'vitest'
import { realClock } from '../../src/lib/edge.ts'
import { employees, plannedPayroll } from '../kit/batch.ts'
import { steppingClock } from '../kit/clock.ts'
import { signalLine } from '../kit/tools.ts'

const consent = (rows: number) => ['--confirm', `GEL ${rows}`]

test('batch run: the time of a row begins when it may leave, not while it waits for a free lane (0)', async () => {
  const clock = steppingClock()
  const payroll = await plannedPayroll(employees(8, { amount: '1' }), async ({ path }) => {
    if (path === '/api/distributor') await clock.sleep(2_500)
    return undefined
  })
  const line = ['--concurrency', '2', '--timeout', '4500ms']
  const ended = await payroll.run(['batch', 'run', payroll.planId, ...consent(8), ...line], { clock })
  expect(ended, ended.stderr).toMatchObject({ code: 0, json: { accepted: 8 } })
})

test('batch run: a row without an answer has no more than --timeout from when it left (9)', async () => {
  // Two rows are answered late, the next two never. The limits of a request are of real time.
  const arrived: number[] = []
  const payroll = await plannedPayroll(employees(4, { amount: '1' }), async ({ path }) => {
    if (path !== '/api/distributor') return undefined
    arrived.push(performance.now())
    if (arrived.length > 2) return 'hang'
    await realClock.sleep(300)
    return undefined
  })
  const line = ['--concurrency', '2', '--timeout', '3s']
  const ended = await payroll.run(['batch', 'run', payroll.planId, ...consent(4), ...line], { clock: realClock })
  const took = performance.now() - (arrived[2] ?? 0)
  expect(ended, ended.stderr).toMatchObject({ code: 9, json: { accepted: 2, unknown: 2 } })
  expect(took).toBeGreaterThan(2_800)
  expect(ended.error.message).toMatch(/no answer within (2\.9\d*|3) s/)
})

test('batch run --rate: behind a stall of the service no more requests leave than the rate says (0)', async () => {
  const clock = steppingClock()
  const arrived: number[] = []
  const payroll = await plannedPayroll(employees(50, { amount: '1' }), async ({ path }) => {
    if (path !== '/api/distributor') return undefined
    arrived.push(clock.passed())
    if (arrived.length > 8 && arrived.length <= 16) await clock.sleep(2_000)
    return undefined
  })
  const line = ['--concurrency', '8', '--rate', '20/s']
  const ended = await payroll.run(['batch', 'run', payroll.planId, ...consent(50), ...line], { clock })
  expect(ended, ended.stderr).toMatchObject({ code: 0, json: { accepted: 50 } })
  const inOneSecond = arrived.map((start) => arrived.filter((at) => at >= start && at < start + 1_000).length)
  // A request that was late may be followed closely by the next one.
  expect(Math.max(...inOneSecond)).toBeLessThanOrEqual(22)
})

test('batch run: rows that ^C calls off are unsent, and no network is blamed (130)', async () => {
  const clock = steppingClock()
  const { send, signals } = signalLine()
  const payroll = await plannedPayroll(employees(20, { amount: '1' }), async ({ path }, count) => {
    if (path === '/api/distributor' && count === 6) send('SIGINT')
    if (path === '/api/distributor') await clock.sleep(200)
    return undefined
  })
  const ended = await payroll.run(['batch', 'run', payroll.planId, ...consent(20), '--concurrency', '2'], {
    clock,
    signals,
  })
  expect(ended.code, ended.stderr).toBe(130)
  expect(ended.json.unsent).toBeGreaterThan(0)
  expect(ended.stdout + ended.stderr).not.toContain('network')
  const papers = await payroll.batch('results', '--dir', `${payroll.home}/papers`)
  expect(papers.code).toBe(0)
})
