/** A pause that the service asks for holds whatever of a run still leaves, though the run ends, and however long the others have waited. */
import { describe, expect, test, vi } from 'vitest'
import { realClock } from '../../src/lib/edge.ts'
import { employees, handPayroll } from '../kit/batch/payroll.ts'
import { until } from '../kit/run/until.ts'

vi.setConfig({ testTimeout: 60_000 })

const atOnce = 8

/** Little of it, so that a pause is longer than a row has. */
const shortTimes = ['--timeout', '3s', '--connect-timeout', '1s', '--answer-timeout', '1s']

/**
 * The first answer of every row is lost. The first of them that comes again is told to wait for so many seconds; ^C comes so many
 * milliseconds later. Gives the times of those that came behind ^C, counted from when the service asked for the pause.
 */
async function stoppedInPause(seconds: number, later: number) {
  const seen = new Set<string>()
  const afterwards: number[] = []
  let [askedAt, isStopped] = [Number.NaN, false]
  let send: (signal: 'SIGINT') => void = () => undefined
  const payroll = await handPayroll(employees(12, { amount: '1' }), ({ path, body }) => {
    if (path !== '/api/distributor') return undefined
    const { uniqueId } = JSON.parse(body)
    if (!seen.has(uniqueId)) {
      seen.add(uniqueId)
      return 'reset'
    }
    if (!Number.isNaN(askedAt)) {
      if (isStopped) afterwards.push(performance.now() - askedAt)
      return undefined
    }
    askedAt = performance.now()
    return { status: 429, headers: { 'retry-after': String(seconds) }, body: '' }
  })
  await payroll.plan()
  const line = ['--confirm', 'GEL 12', '--concurrency', String(atOnce), ...shortTimes, '--output', 'table']
  const running = payroll.run(['batch', 'run', payroll.planId, ...line], {
    clock: realClock,
    signals: (to) => {
      send = to
    },
  })
  await until('the service asks for a pause', () => !Number.isNaN(askedAt))
  await realClock.sleep(later)
  isStopped = true
  send('SIGINT')
  return { ended: await running, afterwards }
}

describe('rows without an answer keep to a pause of the service behind ^C', () => {
  test.each([
    ['that comes when they have waited longer than a row has', 9, 5_000, 4],
    // Of 3 s, 1 s and 1 s, and 3 s in reserve.
    ['that comes when the hold on them is over', 13, 10_000, 3],
  ])('%s, and are told so', async (_, seconds, later, left) => {
    const { ended, afterwards } = await stoppedInPause(seconds, later)
    expect(ended.code, ended.stderr).toBe(130)
    const told = /that takes 3 s for each at most \(--timeout\), after the (\d+) s that the service asks for; /
    // Perhaps begun.
    expect([left, left + 1], ended.stderr).toContain(Number(told.exec(ended.stderr)?.[1]))
    expect(ended.stdout).toMatch(/accepted +7\nunknown +1\nplanned +4\n/)
    // The others were on their way when the service asked for the pause.
    expect(afterwards.length).toBeGreaterThan(0)
    expect(Math.min(...afterwards)).toBeGreaterThan(seconds * 1_000 - 100)
  })
})

test('rows that are asked for again behind the end of a run keep to its rate, however long they have waited', async () => {
  const arrived: number[] = []
  const payroll = await handPayroll(employees(16, { amount: '1' }), ({ path }) => {
    if (path !== '/api/distributor') return undefined
    arrived.push(performance.now())
    return 'reset'
  })
  await payroll.plan()
  const line = ['--confirm', 'GEL 16', '--rate', '4/s', ...shortTimes]
  const ended = await payroll.run(['batch', 'run', payroll.planId, ...line], { clock: realClock })
  expect(ended.code, ended.stderr).toBe(9)
  const between = arrived.slice(1).map((at, before) => at - Number(arrived[before]))
  expect(arrived.length).toBeGreaterThan(16)
  // One that is late is made up for.
  expect(Math.min(...between), between.map(Math.round).join(' ')).toBeGreaterThan(100)
})
