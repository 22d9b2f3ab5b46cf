/** ^C while rows wait for a pause or a sign-in, and what is said of rows that another run may be about to pay. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { employees, type HandPayroll, handPayroll, plannedPayroll } from '../kit/batch.ts'
import { steppingClock } from '../kit/clock.ts'
import { builtPaydesk, start } from '../kit/process.ts'
import type { Ended } from '../kit/program.ts'
import { type Answering, json } from '../kit/service.ts'
import { gate, signalLine, until } from '../kit/tools.ts'

// Most start processes of the built program.
vi.setConfig({ testTimeout: 30_000 })

const line = ({ planId }: HandPayroll) => ['batch', 'run', planId, '--confirm', 'GEL 3.50', '--timeout', '2m']

/** Longer than the test: a sign-in without an answer is not given up before. */
const patiently = ['--timeout', '10m', '--answer-timeout', '5m']

/** Planned, and signed out since. */
async function planned(payroll: HandPayroll): Promise<void> {
  await payroll.plan()
  rmSync(join(payroll.home, 'tokens'), { recursive: true, force: true })
}

test('batch run: ^C while a row that was turned away (429) pauses: it is not sent again, and not waited for (130)', async () => {
  const clock = steppingClock()
  const { send, signals } = signalLine()
  let stoppedAt = Number.NaN
  const answering: Answering = ({ path }, count) => {
    if (!path.startsWith('/api/distributor')) return undefined
    if (count === 1 && path === '/api/distributor') {
      void clock.sleep(300).then(() => {
        stoppedAt = clock.passed()
        send('SIGINT')
      })
    }
    return { status: 429, headers: { 'retry-after': '8' }, body: '' }
  }
  const payroll = await plannedPayroll(employees(2), answering)
  const ended = await payroll.run(line(payroll), { signals, clock })
  // The service asked for 8 s.
  expect(clock.passed() - stoppedAt).toBeLessThan(6_000)
  expect(ended, ended.stderr).toMatchObject({ code: 130, json: { unknown: 0, accepted: 0 } })
  expect(Number(ended.json.turnedAway) + Number(ended.json.planned)).toBe(2)
  expect(payroll.service.creates.length).toBeLessThanOrEqual(2)
})

test.each([
  ['before the first row', 1, 0],
  ['behind rows whose token was refused', 2, 3],
])('batch run: ^C while the sign-in %s gets no answer ends the run at once (130)', async (_, hangsFrom, most) => {
  let signIns = 0
  const payroll: HandPayroll = await handPayroll(employees(4, { amount: '1' }), ({ path }) => {
    if (path === '/api/distributor') return json({ statusCode: 5021, message: 'no' }, 401)
    if (path !== '/api/auth' || payroll.planId === '') return undefined
    signIns += 1
    return signIns < hangsFrom ? undefined : 'hang'
  })
  await planned(payroll)
  const argv = ['batch', 'run', payroll.planId, '-p', 'hand', '--confirm', 'GEL 4', '--output', 'table']
  const { child, end } = start([...argv, '--concurrency', '3', ...patiently], payroll.home)
  await until('a sign-in hangs', () => signIns === hangsFrom)
  await until('rows whose token was refused are recorded', async () => {
    const { json: counts } = await payroll.batch('status')
    return counts.turnedAway === most
  })
  child.kill('SIGINT')
  const ended = await end
  expect(ended.code, ended.stderr).toBe(130)
  expect(ended.stderr).toContain('^C: no more rows are sent; none is in flight; a second ^C ends at once.')
  expect(ended.stdout).not.toMatch(/unknown|accepted/)
  expect(payroll.service.creates.length).toBe(most)
})

test('batch run, status: while another process runs the plan and signs in, money may move (12, 2)', async () => {
  const { opened: began, open: signingIn } = gate()
  const { opened: asked, open: goOn } = gate()
  const payroll: HandPayroll = await handPayroll(employees(2), async ({ path }) => {
    if (path !== '/api/auth' || payroll.planId === '') return undefined
    signingIn()
    await asked
    return undefined
  })
  await planned(payroll)
  const first = payroll.run(line(payroll))
  await began
  const other = await builtPaydesk([...line(payroll), '-p', 'hand', '--json'], payroll.home)
  const early = await builtPaydesk(['batch', 'status', payroll.planId, '--bogus', '--json'], payroll.home)
  goOn()
  expect((await first).code).toBe(0)
  expect(other, other.stderr).toMatchObject({ code: 12 })
  expect(early, early.stderr).toMatchObject({ code: 2 })
  for (const { stderr } of [other, early]) {
    expect(JSON.parse(stderr)).toMatchObject({ error: { moneyMoved: 'unknown' } })
  }
  const after = await payroll.batch('status', '--bogus')
  expect(after).toMatchObject({ code: 2, error: { moneyMoved: 'yes' } })
})

test('batch run: a row that another plan had on its way is counted as accepted once that plan has paid it (0)', async () => {
  const { opened: isThere, open: arrived } = gate()
  const { opened: asked, open: goOn } = gate()
  let first: Promise<Ended> | undefined
  const payroll = await plannedPayroll(employees(1), async ({ path, body }) => {
    if (path !== '/api/distributor') return undefined
    if (body.includes('2.25')) {
      goOn()
      await first
      return undefined
    }
    arrived()
    await asked
    return undefined
  })
  first = payroll.batch('run', '--confirm', 'GEL 1.25')
  await isThere
  payroll.write(employees(2))
  await payroll.plan()
  const second = await builtPaydesk([...line(payroll), '-p', 'hand', '--json'], payroll.home)
  expect((await first)?.code).toBe(0)
  expect(second, second.stdout + second.stderr).toMatchObject({ code: 0 })
  expect(JSON.parse(second.stdout)).toMatchObject({ accepted: 2, sending: 0 })
})
