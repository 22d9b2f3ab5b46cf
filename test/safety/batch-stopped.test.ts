/** A run that is stopped by ^C or by itself: what was definitely not executed is not sent again. */

import { expect, test } from 'vitest'
import { employees, plannedPayroll } from '../kit/batch.ts'
import { steppingClock } from '../kit/clock.ts'
import { succeeds } from '../kit/program.ts'
import { json } from '../kit/service.ts'
import { gate, signalLine } from '../kit/tools.ts'

const busy = (seconds: number) => ({ status: 429, headers: { 'retry-after': String(seconds) }, body: '' })

/** Rows at the service at once. */
const atOnce = 8

/**
 * The first ones are turned away, and ask for their next turn a second later; by then another one has been told to
 * wait for so many seconds.
 */
async function stoppedBehindPause(seconds: number, last: 'signal' | 'failure', ...line: readonly string[]) {
  const clock = steppingClock()
  let [arrived, afterwards, stoppedAt] = [0, 0, Number.NaN]
  const { send, signals } = signalLine()
  const { opened: together, open: complete } = gate()
  const payroll = await plannedPayroll(employees(24, { amount: '1' }), async ({ path }) => {
    if (path !== '/api/distributor') return undefined
    arrived += 1
    if (!Number.isNaN(stoppedAt)) afterwards += 1
    const number = arrived
    if (number === atOnce) complete()
    await together
    if (number < atOnce) return busy(number === 1 ? seconds : 1)
    if (number > atOnce) return undefined
    await clock.sleep(2_000)
    stoppedAt = clock.passed()
    if (last === 'signal') send('SIGINT')
    return last === 'signal' ? busy(1) : json({ message: 'no', statusCode: 5042 }, 400)
  })
  const given = ['--confirm', 'GEL 24', '--concurrency', String(atOnce), ...line]
  const ended = await payroll.run(['batch', 'run', payroll.planId, ...given], { clock, signals })
  return { ended, afterwards, took: clock.passed() - stoppedAt }
}

test.each([
  ['^C', 130, 'signal', [], { turnedAway: 8 }],
  ['^C, at a rate,', 130, 'signal', ['--rate', '40/s'], { turnedAway: 8 }],
  ['--max-failures', 10, 'failure', ['--max-failures', '1'], { turnedAway: 7, refused: 1 }],
] as const)(
  'batch run: rows that were turned away and wait are not sent again when %s stops the run (%i)',
  async (_, code, last, line, counts) => {
    const { ended, afterwards, took } = await stoppedBehindPause(30, last, ...line)
    expect(ended.code, ended.stderr).toBe(code)
    expect(ended.json).toMatchObject({ accepted: 0, unknown: 0, unsent: 0, planned: 16, ...counts })
    expect(afterwards).toBe(0)
    expect(took).toBeLessThan(15_000)
  },
)

test('batch run --rate: unknown rows are sent again behind ^C, at the rate of the run (130)', async () => {
  const clock = steppingClock()
  const arrived: number[] = []
  const seen = new Set<string>()
  const { send, signals } = signalLine()
  const { opened: afterStop, open: stopped } = gate()
  const payroll = await plannedPayroll(employees(12, { amount: '1' }), async ({ path, body }) => {
    if (path !== '/api/distributor') return undefined
    arrived.push(clock.passed())
    const { uniqueId } = JSON.parse(body)
    if (seen.has(uniqueId)) return undefined
    seen.add(uniqueId)
    if (seen.size === 5) {
      send('SIGINT')
      stopped()
    }
    await afterStop
    return 'reset'
  })
  const line = ['--concurrency', '8', '--rate', '2/s']
  const ended = await payroll.run(['batch', 'run', payroll.planId, '--confirm', 'GEL 12', ...line], { clock, signals })
  expect(ended.code, ended.stderr).toBe(130)
  expect(ended.json).toMatchObject({ accepted: 5, unknown: 0 })
  expect(arrived).toHaveLength(10)
  const inOneSecond = arrived.map((start) => arrived.filter((at) => at >= start && at < start + 1_000).length)
  expect(Math.max(...inOneSecond)).toBeLessThanOrEqual(4)
})

test.each([
  ['from the first row on', 0, 16],
  // Those that are on their way when it begins, those that were opened ahead, and the ten that end the run.
  ['in the middle of a run', 40, 42],
])('batch run: a service that loses every answer %s: the other rows stay planned (9)', async (_, answered, most) => {
  const arrived = new Set<string>()
  const payroll = await plannedPayroll(employees(200, { amount: '1' }), async ({ path, body }) => {
    if (path !== '/api/distributor') return undefined
    arrived.add(JSON.parse(body).uniqueId)
    return arrived.size > answered ? 'reset' : undefined
  })
  const ended = await payroll.batch('run', '--confirm', 'GEL 200', '--concurrency', '16')
  expect(ended.code, ended.stderr).toBe(9)
  expect(ended.stderr).toContain('10 rows in a row had no definite answer')
  expect(ended.json.accepted).toBe(answered)
  expect(ended.json.unknown).toBeLessThanOrEqual(most)
  expect(arrived.size).toBe(answered + Number(ended.json.unknown))
})

test('batch run: a service that loses the first answer to each row and then answers: all rows are paid (0)', async () => {
  const asked = new Map<string, number>()
  const payroll = await plannedPayroll(employees(60, { amount: '1' }), async ({ path, body }) => {
    if (path !== '/api/distributor') return undefined
    const { uniqueId } = JSON.parse(body)
    asked.set(uniqueId, (asked.get(uniqueId) ?? 0) + 1)
    return asked.get(uniqueId) === 1 ? 'reset' : undefined
  })
  const ended = await succeeds(payroll.batch('run', '--confirm', 'GEL 60', '--concurrency', '16'))
  expect(ended.json).toMatchObject({ accepted: 60, unknown: 0 })
})

test('batch run: rows that are turned away (429) and rows that are lost by turns stop the run, and both are named (9)', async () => {
  const payroll = await plannedPayroll(employees(40), ({ path, body }) => {
    if (path !== '/api/distributor') return undefined
    return Math.floor(Number(JSON.parse(body).amount)) % 2 === 1 ? busy(3) : 'reset'
  })
  const line = ['--confirm', 'GEL 830', '--concurrency', '1', '--timeout', '2s']
  const ended = await payroll.batch('run', ...line)
  expect(ended, ended.stderr).toMatchObject({ code: 9, json: { turnedAway: 10, unknown: 9, planned: 21 } })
  expect(ended.json.stopped).toContain('19 rows in a row could not be sent (10) or had no definite answer (9)')
})
