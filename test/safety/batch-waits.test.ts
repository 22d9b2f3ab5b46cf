/** Rows that are opened ahead of a free lane: waiting for it takes nothing of their time, nor of the rate, nor of the hold on them. */
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { realClock } from '../../src/lib/edge.ts'
import { employees, handPayroll } from '../kit/batch/payroll.ts'

const consent = (rows: number) => ['--confirm', `GEL ${rows}`]

test('a row has its whole time from when it may leave', async () => {
  const payroll = await handPayroll(employees(8, { amount: '1' }), async ({ path }) => {
    if (path === '/api/distributor') await wait(2_500)
    return undefined
  })
  await payroll.plan()
  const line = ['--concurrency', '2', '--timeout', '4500ms']
  const ended = await payroll.run(['batch', 'run', payroll.planId, ...consent(8), ...line], { clock: realClock })
  expect(ended, ended.stderr).toMatchObject({ code: 0, json: { accepted: 8 } })
})

test('a row has no more than its time from when it has left', async () => {
  // Two rows are answered late, the next two never.
  const arrived: number[] = []
  const payroll = await handPayroll(employees(4, { amount: '1' }), async ({ path }) => {
    if (path !== '/api/distributor') return undefined
    arrived.push(performance.now())
    await wait(arrived.length <= 2 ? 2_500 : 60_000, undefined, { ref: false })
    return undefined
  })
  await payroll.plan()
  const line = ['--concurrency', '2', '--timeout', '4500ms']
  const ended = await payroll.run(['batch', 'run', payroll.planId, ...consent(4), ...line], { clock: realClock })
  const took = performance.now() - (arrived[2] ?? 0)
  expect(ended, ended.stderr).toMatchObject({ code: 9, json: { accepted: 2, unknown: 2 } })
  expect(took).toBeGreaterThan(4_300)
  expect(ended.error.message).toMatch(/no answer within 4\.[45]\d* s/)
})

test('a pause that the service asks for takes no row with it that had not left', async () => {
  let turnedAway = 0
  const payroll = await handPayroll(employees(24, { amount: '1' }), ({ path }, count) => {
    if (path !== '/api/distributor' || count !== 9) return undefined
    turnedAway += 1
    return { status: 429, headers: { 'retry-after': '8' }, body: '' }
  })
  await payroll.plan()
  // Together less than the pause.
  const line = ['--concurrency', '4', '--timeout', '3s', '--connect-timeout', '1s', '--answer-timeout', '2s']
  const ended = await payroll.run(['batch', 'run', payroll.planId, ...consent(24), ...line], { clock: realClock })
  expect(turnedAway).toBe(1)
  expect(ended, ended.stderr).toMatchObject({ code: 10, json: { accepted: 23, turnedAway: 1, unsent: 0, planned: 0 } })
})

test('behind a stall no more requests leave than the rate says', async () => {
  const arrived: number[] = []
  const payroll = await handPayroll(employees(50, { amount: '1' }), async ({ path }) => {
    if (path !== '/api/distributor') return undefined
    arrived.push(performance.now())
    if (arrived.length > 8 && arrived.length <= 16) await wait(2_000)
    return undefined
  })
  await payroll.plan()
  const line = ['--concurrency', '8', '--rate', '20/s']
  const ended = await payroll.run(['batch', 'run', payroll.planId, ...consent(50), ...line], { clock: realClock })
  expect(ended, ended.stderr).toMatchObject({ code: 0, json: { accepted: 50 } })
  const inOneSecond = arrived.map((start) => arrived.filter((at) => at >= start && at < start + 1_000).length)
  // A request that was late may be followed closely by the next one.
  expect(Math.max(...inOneSecond)).toBeLessThanOrEqual(30)
})

test('rows that a stopped run calls off are told as such, and not as a network that is away', async () => {
  let send: (signal: 'SIGINT') => void = () => undefined
  const payroll = await handPayroll(employees(20, { amount: '1' }), async ({ path }, count) => {
    if (path === '/api/distributor' && count === 6) send('SIGINT')
    if (path === '/api/distributor') await wait(200)
    return undefined
  })
  await payroll.plan()
  const ended = await payroll.run(['batch', 'run', payroll.planId, ...consent(20), '--concurrency', '2'], {
    clock: realClock,
    signals: (to) => {
      send = to
    },
  })
  expect(ended.code, ended.stderr).toBe(130)
  expect(ended.json.unsent).toBeGreaterThan(0)
  expect(ended.stdout + ended.stderr).not.toContain('network')
  const papers = await payroll.run(['batch', 'results', payroll.planId, '--dir', `${payroll.home}/papers`])
  expect(papers.code).toBe(0)
})
