/** The connections of a run: first attempts share some, a repeat has one of its own, and an answer is believed only for its own row. */

import { expect, test } from 'vitest'
import { employees, handPayroll, plannedPayroll } from '../kit/batch.ts'
import { settled } from '../kit/clock.ts'
import { bytesOf, type Seen } from '../kit/service.ts'
import { signalLine } from '../kit/tools.ts'

const idOf = ({ body }: Seen): string => JSON.parse(body).uniqueId

test('batch run: first attempts share connections, each repeat has one that carried nothing before (0)', async () => {
  // Every fourth row is met by a gateway in trouble, once.
  const met = new Set<string>()
  const payroll = await plannedPayroll(employees(24, { amount: '1' }), (seen) => {
    if (seen.path !== '/api/distributor' || met.has(idOf(seen))) return undefined
    met.add(idOf(seen))
    if (met.size % 4 !== 0) return undefined
    return { status: 502, body: '<html>' }
  })
  const ended = await payroll.batch('run', '--confirm', 'GEL 24', '--concurrency', '4')
  expect(ended, ended.stderr).toMatchObject({ code: 0, json: { accepted: 24 } })
  const { creates } = payroll.service
  const isRepeat = (at: number) => creates.slice(0, at).some((before) => idOf(before) === idOf(creates[at] as Seen))
  const repeats = creates.filter((_, at) => isRepeat(at))
  const firsts = creates.filter((_, at) => !isRepeat(at))
  expect(repeats).toHaveLength(6)
  expect(firsts).toHaveLength(24)
  const connections = [...new Set(firsts.map(({ from }) => from))]
  expect(connections.length).toBeLessThan(24)
  for (const { from } of repeats) expect(payroll.service.seen.filter((each) => each.from === from)).toHaveLength(1)
})

const refusal = bytesOf('400 Bad Request', { statusCode: 5023, message: 'no' })

function runOf(planId: string, rows: number, atOnce: number): string[] {
  return ['batch', 'run', planId, '--confirm', `GEL ${rows}`, '--concurrency', `${atOnce}`]
}

test('batch run: a refusal on a reused connection is asked once more on a fresh one, and then it is believed (10)', async () => {
  const payroll = await handPayroll(employees(6, { amount: '1' }), ({ path, body }) => {
    if (path !== '/api/distributor') return undefined
    const { uniqueId, description } = JSON.parse(body)
    if (description === 'wrong') return { raw: refusal, isKept: true }
    return { raw: bytesOf('200 OK', { transactionId: 1, status: 'INITIAL', uniqueId }), isKept: true }
  })
  payroll.write(employees(6, { amount: '1' }).map((row, at) => (at === 3 ? { ...row, description: 'wrong' } : row)))
  await payroll.plan()
  const ended = await payroll.run(runOf(payroll.planId, 6, 1))
  expect(ended, ended.stderr).toMatchObject({ code: 10, json: { accepted: 5, refused: 1, unknown: 0 } })
  const { creates, seen } = payroll.service
  const [first, second, ...more] = creates.filter(({ body }) => JSON.parse(body).description === 'wrong')
  expect(more).toEqual([])
  expect(idOf(first as Seen)).toBe(idOf(second as Seen))
  expect(creates.filter(({ from }) => from === first?.from).length).toBeGreaterThan(1)
  expect(seen.filter(({ from }) => from === second?.from)).toHaveLength(1)
})

test('batch run: a second copy of a refusal, in front of the answer to the next row, makes that row exist and not refused (10)', async () => {
  const refusedOn = new Set<Seen['from']>()
  const executed = new Set<string>()
  const payroll = await handPayroll(employees(8, { amount: '1' }), (seen) => {
    if (seen.path !== '/api/distributor') return undefined
    const id = idOf(seen)
    const copy = refusedOn.has(seen.from) ? refusal : ''
    if (JSON.parse(seen.body).description === 'wrong') {
      refusedOn.add(seen.from)
      return { raw: copy + refusal, isKept: true }
    }
    if (executed.has(id)) return { raw: bytesOf('400 Bad Request', { statusCode: 5017, message: 'exists' }) }
    executed.add(id)
    const taken = bytesOf('200 OK', { transactionId: executed.size, status: 'INITIAL', uniqueId: id })
    return { raw: copy + taken, isKept: true }
  })
  payroll.write(employees(8, { amount: '1' }).map((row, at) => (at === 0 ? { ...row, description: 'wrong' } : row)))
  await payroll.plan()
  const ended = await payroll.run(runOf(payroll.planId, 8, 1))
  expect(ended, ended.stderr).toMatchObject({ code: 10, json: { refused: 1, unknown: 0 } })
  expect(Number(ended.json.accepted) + Number(ended.json.exists)).toBe(7)
  expect(executed.size).toBe(7)
})

test.each([
  ['429', bytesOf('429 Too Many Requests', { message: 'busy' })],
  ['a timeout of a gateway', bytesOf('504 Gateway Timeout', {})],
])('batch run: a refusal on a reused connection that %s does not confirm is unknown', async (_what, answer) => {
  const met = new Set<string>()
  const payroll = await plannedPayroll(employees(2, { amount: '1' }), (seen) => {
    if (seen.path !== '/api/distributor') return undefined
    const id = idOf(seen)
    if (met.size === 0 || (met.size === 1 && met.has(id))) {
      met.add(id)
      return { raw: bytesOf('200 OK', { transactionId: 1, status: 'INITIAL', uniqueId: id }), isKept: true }
    }
    const isFirst = !met.has(id)
    met.add(id)
    return { raw: isFirst ? refusal : answer, isKept: true }
  })
  const ended = await payroll.run(runOf(payroll.planId, 2, 1))
  expect(ended, ended.stderr).toMatchObject({ code: 9, json: { accepted: 1, refused: 0, unknown: 1 } })
})

test.each([
  ['that the service executed, exists (0)', true, { code: 0, json: { accepted: 3, exists: 1 } }],
  ['that the service redirects again, is turned away (4)', false, { code: 4, json: { accepted: 2, turnedAway: 1 } }],
])('batch run: a redirect on a reused connection, of a row %s', async (_what, isStray, ended) => {
  const executed = new Set<string>()
  const redirect = bytesOf('307 Temporary Redirect', {}, 'location: /elsewhere\r\n')
  const payroll = await plannedPayroll(employees(4, { amount: '1' }), (seen, count) => {
    if (seen.path !== '/api/distributor') return undefined
    const id = idOf(seen)
    const isAgain = executed.has(id)
    executed.add(id)
    if (count === 3 || (isAgain && !isStray)) return { raw: redirect, isKept: true }
    if (isAgain) return { raw: bytesOf('400 Bad Request', { statusCode: 5017, message: 'exists' }) }
    return { raw: bytesOf('200 OK', { transactionId: count, status: 'INITIAL', uniqueId: id }), isKept: true }
  })
  const ran = await payroll.run(runOf(payroll.planId, 4, 1))
  expect(ran, ran.stderr).toMatchObject(ended)
})

test('batch run: a service that ends each connection behind its answer gets each row once (0)', async () => {
  const payroll = await plannedPayroll(employees(12, { amount: '1' }), ({ path, body }) => {
    if (path !== '/api/distributor') return undefined
    const text = JSON.stringify({ transactionId: 1, status: 'INITIAL', uniqueId: JSON.parse(body).uniqueId })
    return { raw: `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}` }
  })
  const ended = await payroll.batch('run', '--confirm', 'GEL 12', '--concurrency', '2')
  expect(ended, ended.stderr).toMatchObject({ code: 0, json: { accepted: 12, unknown: 0 } })
  expect(new Set(payroll.service.creates.map(idOf)).size).toBe(12)
})

test('batch run --concurrency: no more requests are on their way at once, and rows opened ahead are unsent after ^C (130)', async () => {
  const { send, signals } = signalLine()
  let [underWay, most] = [0, 0]
  const payroll = await plannedPayroll(employees(20, { amount: '1' }), async ({ path }, count) => {
    if (path !== '/api/distributor') return undefined
    underWay += 1
    most = Math.max(most, underWay)
    // The rows behind it are opened meanwhile.
    await settled()
    if (count === 6) send('SIGINT')
    await settled()
    underWay -= 1
    return undefined
  })
  const ended = await payroll.run(['batch', 'run', payroll.planId, '--confirm', 'GEL 20', '--concurrency', '3'], {
    signals,
  })
  expect(ended).toMatchObject({ code: 130, json: { accepted: 6, unsent: 3, planned: 11, unknown: 0 } })
  expect(most).toBe(3)
  expect(payroll.service.creates).toHaveLength(6)
  const more = await payroll.batch('resume', '--confirm', 'GEL 20', '--concurrency', '3')
  expect(more, more.stderr).toMatchObject({ code: 0, json: { accepted: 20 } })
  expect(new Set(payroll.service.creates.map(idOf)).size).toBe(20)
  expect(payroll.service.creates).toHaveLength(20)
})
