/** The end of a run by ^C: what was definitely turned away and only waits is not sent again. And what another runner may be about to pay. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { realClock } from '../../src/lib/edge.ts'
import { employees, type HandPayroll, handPayroll } from '../kit/batch/payroll.ts'
import { builtPaydesk, start } from '../kit/program/built-paydesk.ts'
import { until } from '../kit/run/until.ts'
import { type Answering, json } from '../kit/service/service-by-hand.ts'

vi.setConfig({ testTimeout: 20_000 })

const line = ({ planId }: HandPayroll) => ['batch', 'run', planId, '--confirm', 'GEL 3.50', '--timeout', '2m']

/** Planned, and signed out since. */
async function planned(payroll: HandPayroll): Promise<void> {
  await payroll.plan()
  rmSync(join(payroll.home, 'tokens'), { recursive: true, force: true })
}

test('after ^C a row that was turned away and pauses is not sent again, nor does it hold the end up', async () => {
  let send: (signal: 'SIGINT') => void = () => undefined
  let stoppedAt = Number.NaN
  const answering: Answering = ({ path }, count) => {
    if (!path.startsWith('/api/distributor')) return undefined
    if (count === 1 && path === '/api/distributor') {
      setTimeout(() => {
        stoppedAt = performance.now()
        send('SIGINT')
      }, 300)
    }
    return { status: 429, headers: { 'retry-after': '8' }, body: '' }
  }
  const payroll = await handPayroll(employees(2), answering)
  await payroll.plan()
  const signals = (to: (signal: 'SIGINT') => void) => {
    send = to
  }
  const ended = await payroll.run(line(payroll), { signals, clock: realClock })
  // The service asked for 8 s.
  expect(performance.now() - stoppedAt).toBeLessThan(6_000)
  expect(ended, ended.stderr).toMatchObject({ code: 130, json: { unknown: 0, accepted: 0 } })
  expect(Number(ended.json.turnedAway) + Number(ended.json.planned)).toBe(2)
  expect(payroll.service.creates.length).toBeLessThanOrEqual(2)
})

test('after ^C no row leaves that only waited for its sign-in', async () => {
  let send: (signal: 'SIGINT') => void = () => undefined
  const answering: Answering = async ({ path }) => {
    if (path !== '/api/auth' || payroll.planId === '') return undefined
    send('SIGINT')
    await new Promise((resolve) => setTimeout(resolve, 300))
    return undefined
  }
  const payroll: HandPayroll = await handPayroll(employees(2), answering)
  await planned(payroll)
  const signals = (to: (signal: 'SIGINT') => void) => {
    send = to
  }
  const ended = await payroll.run(line(payroll), { signals })
  expect(ended, ended.stderr).toMatchObject({ code: 130, json: { planned: 2, accepted: 0 } })
  expect(payroll.service.creates).toEqual([])
})

describe('a sign-in that gets no answer does not hold up a run that was stopped', () => {
  test.each([
    ['before the first row', 1, 0],
    ['of rows whose token was refused', 2, 3],
  ])('%s', async (_, hangsFrom, most) => {
    let signIns = 0
    const payroll: HandPayroll = await handPayroll(employees(4, { amount: '1' }), ({ path }) => {
      if (path === '/api/distributor') return json({ statusCode: 5021, message: 'no' }, 401)
      if (path !== '/api/auth' || payroll.planId === '') return undefined
      signIns += 1
      return signIns < hangsFrom ? undefined : 'hang'
    })
    await planned(payroll)
    const argv = ['batch', 'run', payroll.planId, '-p', 'hand', '--confirm', 'GEL 4', '--output', 'table']
    const { child, end } = start([...argv, '--concurrency', '3'], payroll.home)
    await until('a sign-in hangs', () => signIns === hangsFrom)
    // Rows whose token was refused are recorded by then.
    await realClock.sleep(500)
    const stoppedAt = performance.now()
    child.kill('SIGINT')
    const ended = await end
    // A sign-in has 30 s for its answer.
    expect(performance.now() - stoppedAt, ended.stderr).toBeLessThan(10_000)
    expect(ended.code, ended.stderr).toBe(130)
    expect(ended.stderr).toContain('^C: no more rows are sent; none is on its way; a second ^C ends at once.')
    expect(ended.stdout).not.toMatch(/unknown|accepted/)
    expect(payroll.service.creates.length).toBe(most)
  })
})

test('while another runner signs in nobody says that no money has moved', async () => {
  let signingIn: () => void = () => undefined
  let goOn: () => void = () => undefined
  const began = new Promise<void>((resolve) => {
    signingIn = resolve
  })
  const asked = new Promise<void>((resolve) => {
    goOn = resolve
  })
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
  const after = await payroll.run(['batch', 'status', payroll.planId, '--bogus'])
  expect(after).toMatchObject({ code: 2, error: { moneyMoved: 'yes' } })
})

test('rows that another plan had on its way are looked at again before they are counted', async () => {
  let arrived: () => void = () => undefined
  let goOn: () => void = () => undefined
  const isThere = new Promise<void>((resolve) => {
    arrived = resolve
  })
  const asked = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const payroll = await handPayroll(employees(1), async ({ path, body }) => {
    if (path !== '/api/distributor') return undefined
    if (body.includes('2.25')) {
      goOn()
      await new Promise((resolve) => setTimeout(resolve, 1000))
      return undefined
    }
    arrived()
    await asked
    return undefined
  })
  await payroll.plan()
  const first = payroll.run(['batch', 'run', payroll.planId, '--confirm', 'GEL 1.25'])
  await isThere
  payroll.write(employees(2))
  await payroll.plan()
  const second = await builtPaydesk([...line(payroll), '-p', 'hand', '--json'], payroll.home)
  expect((await first).code).toBe(0)
  expect(second, second.stdout + second.stderr).toMatchObject({ code: 0 })
  expect(JSON.parse(second.stdout)).toMatchObject({ accepted: 2, sending: 0 })
})
