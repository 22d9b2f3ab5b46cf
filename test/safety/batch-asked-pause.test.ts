/** A service asks for a pause (429, Retry-After), and the run is stopped: rows without an answer are sent again behind the pause, at the rate. */
import { expect, test } from 'vitest'
import { employees, plannedPayroll } from '../kit/batch.ts'
import { steppingClock } from '../kit/clock.ts'
import { signalLine, until } from '../kit/tools.ts'

const atOnce = 8

/** Of 3 s, 1 s and 1 s, and 3 s in reserve: a row is held for 8 s. */
const shortTimes = ['--timeout', '3s', '--connect-timeout', '1s', '--answer-timeout', '1s']

/** The first answer of every row is lost. */
async function stoppedInPause(seconds: number, later: number) {
  const clock = steppingClock()
  const seen = new Set<string>()
  const afterwards: number[] = []
  let [askedAt, isStopped] = [Number.NaN, false]
  const { send, signals } = signalLine()
  const payroll = await plannedPayroll(employees(12, { amount: '1' }), ({ path, body }) => {
    if (path !== '/api/distributor') return undefined
    const { uniqueId } = JSON.parse(body)
    if (!seen.has(uniqueId)) {
      seen.add(uniqueId)
      return 'reset'
    }
    if (!Number.isNaN(askedAt)) {
      if (isStopped) afterwards.push(clock.passed() - askedAt)
      return undefined
    }
    askedAt = clock.passed()
    void clock.sleep(later).then(() => {
      isStopped = true
      send('SIGINT')
    })
    return { status: 429, headers: { 'retry-after': String(seconds) }, body: '' }
  })
  const line = ['--confirm', 'GEL 12', '--concurrency', String(atOnce), ...shortTimes, '--output', 'table']
  const running = payroll.run(['batch', 'run', payroll.planId, ...line], { clock, signals })
  await until('the service asks for a pause', () => !Number.isNaN(askedAt))
  return { ended: await running, afterwards }
}

test.each([
  ['longer than --timeout', 9, 5_000, 4],
  ['longer than the lease of a row', 13, 10_000, 3],
])(
  'batch run: ^C in a pause of the service that is %s: rows without an answer are sent again when it is over (130)',
  async (_, seconds, later, left) => {
    const { ended, afterwards } = await stoppedInPause(seconds, later)
    expect(ended.code, ended.stderr).toBe(130)
    const told = /each may take 3 s \(--timeout\), after the (\d+) s that the service asks for; /
    expect(told.exec(ended.stderr)?.[1], ended.stderr).toBe(String(left))
    expect(ended.stdout).toMatch(/accepted +7\nunknown +1\nplanned +4\n/)
    // The others were on their way when the service asked for the pause.
    expect(afterwards.length).toBeGreaterThan(0)
    expect(Math.min(...afterwards)).toBeGreaterThanOrEqual(seconds * 1_000)
  },
)

test('batch run --rate: rows whose answers are lost are sent again at the rate, behind the end of the run, too (9)', async () => {
  const clock = steppingClock()
  const arrived: number[] = []
  const payroll = await plannedPayroll(employees(16, { amount: '1' }), ({ path }) => {
    if (path !== '/api/distributor') return undefined
    arrived.push(clock.passed())
    return 'reset'
  })
  const line = ['--confirm', 'GEL 16', '--rate', '4/s', ...shortTimes]
  const ended = await payroll.run(['batch', 'run', payroll.planId, ...line], { clock })
  expect(ended.code, ended.stderr).toBe(9)
  const between = arrived.slice(1).map((at, before) => at - Number(arrived[before]))
  expect(arrived.length).toBeGreaterThan(16)
  expect(Math.min(...between), between.join(' ')).toBeGreaterThanOrEqual(250)
})
