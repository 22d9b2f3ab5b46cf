/** The connections of a run: first attempts share some, and a repeat has its own. */
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { employees, handPayroll } from '../kit/batch/payroll.ts'
import type { Seen } from '../kit/service/service-by-hand.ts'

const idOf = ({ body }: Seen): string => JSON.parse(body).uniqueId

test('first attempts share connections, each repeat has one that carried nothing before', async () => {
  // Every fourth row is met by a gateway in trouble, once.
  const met = new Set<string>()
  const payroll = await handPayroll(employees(24, { amount: '1' }), (seen) => {
    if (seen.path !== '/api/distributor' || met.has(idOf(seen))) return undefined
    met.add(idOf(seen))
    return met.size % 4 === 0 ? { status: 502, body: '<html>' } : undefined
  })
  await payroll.plan()
  const ended = await payroll.run(['batch', 'run', payroll.planId, '--confirm', 'GEL 24', '--concurrency', '4'])
  expect(ended, ended.stderr).toMatchObject({ code: 0, json: { accepted: 24 } })
  const { creates } = payroll.service
  const isRepeat = (at: number) => creates.slice(0, at).some((before) => idOf(before) === idOf(creates[at] as Seen))
  const repeats = creates.filter((_, at) => isRepeat(at))
  const firsts = creates.filter((_, at) => !isRepeat(at))
  expect(repeats).toHaveLength(6)
  expect(firsts).toHaveLength(24)
  expect(new Set(firsts.map(({ from }) => from)).size).toBeLessThanOrEqual(4)
  for (const { from } of repeats) expect(payroll.service.seen.filter((each) => each.from === from)).toHaveLength(1)
})

test('a service that ends each connection behind its answer gets each row once', async () => {
  const payroll = await handPayroll(employees(12, { amount: '1' }), ({ path, body }) => {
    if (path !== '/api/distributor') return undefined
    const text = JSON.stringify({ transactionId: 1, status: 'INITIAL', uniqueId: JSON.parse(body).uniqueId })
    return { raw: `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}` }
  })
  await payroll.plan()
  const ended = await payroll.run(['batch', 'run', payroll.planId, '--confirm', 'GEL 12', '--concurrency', '2'])
  expect(ended, ended.stderr).toMatchObject({ code: 0, json: { accepted: 12, unknown: 0 } })
  expect(new Set(payroll.service.creates.map(idOf)).size).toBe(12)
})

test('no more requests are on their way than --concurrency says, and what was opened ahead stays here after ^C', async () => {
  let send: (signal: 'SIGINT') => void = () => undefined
  let [underWay, most] = [0, 0]
  const payroll = await handPayroll(employees(20, { amount: '1' }), async ({ path }, count) => {
    if (path !== '/api/distributor') return undefined
    underWay += 1
    most = Math.max(most, underWay)
    // Long enough for the rows behind it to be opened.
    await wait(150)
    if (count === 6) send('SIGINT')
    await wait(100)
    underWay -= 1
    return undefined
  })
  await payroll.plan()
  const ended = await payroll.run(['batch', 'run', payroll.planId, '--confirm', 'GEL 20', '--concurrency', '3'], {
    signals: (tell) => {
      send = tell
    },
  })
  expect(ended).toMatchObject({ code: 130, json: { accepted: 6, unsent: 3, planned: 11, unknown: 0 } })
  expect(most).toBe(3)
  expect(payroll.service.creates).toHaveLength(6)
  const more = await payroll.run(['batch', 'resume', payroll.planId, '--confirm', 'GEL 20', '--concurrency', '3'])
  expect(more, more.stderr).toMatchObject({ code: 0, json: { accepted: 20 } })
  expect(new Set(payroll.service.creates.map(idOf)).size).toBe(20)
  expect(payroll.service.creates).toHaveLength(20)
})
