/** The connections of a run: first attempts share some, a repeat has one of its own, and an answer is believed only for its own row. */
import { expect, test } from 'vitest'
import { employees, handPayroll } from '../kit/batch/payroll.ts'
import { settled } from '../kit/program/stepping-clock.ts'
import { bytesOf, type Seen } from '../kit/service/service-by-hand.ts'

const idOf = ({ body }: Seen): string => JSON.parse(body).uniqueId

test('batch run: first attempts share connections, each repeat has one that carried nothing before (0)', async () => {
  // Every fourth row is met by a gateway in trouble, once.
  const met = new Set<string>()
  const troubled = new Set<string>()
  const payroll = await handPayroll(employees(24, { amount: '1' }), (seen) => {
    if (seen.path !== '/api/distributor' || met.has(idOf(seen))) return undefined
    met.add(idOf(seen))
    if (met.size % 4 !== 0) return undefined
    troubled.add(idOf(seen))
    return { status: 502, body: '<html>' }
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
  const connections = [...new Set(firsts.map(({ from }) => from))]
  expect(connections.length).toBeLessThan(24)
  // An answer that does not say whose it is ends its connection.
  for (const from of connections) {
    const carried = firsts.filter((each) => each.from === from)
    expect(carried.slice(0, -1).some((each) => troubled.has(idOf(each)))).toBe(false)
  }
  for (const { from } of repeats) expect(payroll.service.seen.filter((each) => each.from === from)).toHaveLength(1)
})

test.each([1, 2, 16])(
  'batch run: a refusal that comes twice is not taken for the answer to another row, with %i rows at once (10)',
  async (atOnce) => {
    const refusal = bytesOf('400 Bad Request', { statusCode: 5023, message: 'no' })
    const refusedOn = new Set<Seen['from']>()
    let executed = 0
    const payroll = await handPayroll(employees(40, { amount: '1' }), ({ path, body, from }) => {
      if (path !== '/api/distributor') return undefined
      const { uniqueId, description } = JSON.parse(body)
      // Each answer behind a refusal has a copy of it in front.
      const copy = refusedOn.has(from) ? refusal : ''
      if (description === 'wrong') refusedOn.add(from)
      if (description === 'wrong') return { raw: copy + refusal, isKept: true }
      executed += 1
      return { raw: copy + bytesOf('200 OK', { transactionId: executed, status: 'INITIAL', uniqueId }), isKept: true }
    })
    payroll.write(
      employees(40, { amount: '1' }).map((row, at) => (at % 4 === 0 ? { ...row, description: 'wrong' } : row)),
    )
    await payroll.plan()
    const ended = await payroll.run(runOf(payroll.planId, 40, atOnce))
    expect(ended, ended.stderr).toMatchObject({ code: 10, json: { accepted: 30, refused: 10, unknown: 0 } })
    expect(executed).toBe(30)
  },
)

function runOf(planId: string, rows: number, atOnce: number): string[] {
  return ['batch', 'run', planId, '--confirm', `GEL ${rows}`, '--concurrency', `${atOnce}`]
}

test.each([1, 4])(
  'batch run: a gateway that sends each request twice and passes on both answers makes no row refused, with %i at once (0)',
  async (atOnce) => {
    const ids = new Set<string>()
    const late = new Set<Seen['from']>()
    const payroll = await handPayroll(employees(12, { amount: '1' }), ({ path, body, from }) => {
      if (path !== '/api/distributor') return undefined
      const { uniqueId } = JSON.parse(body)
      const isNew = !ids.has(uniqueId)
      ids.add(uniqueId)
      const taken = bytesOf('200 OK', { transactionId: ids.size, status: 'INITIAL', uniqueId })
      // A limit that the first of the two has used up; it arrives when the next request is on its way.
      const copy = late.has(from) ? bytesOf('400 Bad Request', { statusCode: 5046, message: 'limit' }) : ''
      late.add(from)
      return {
        raw: copy + (isNew ? taken : bytesOf('400 Bad Request', { statusCode: 5017, message: 'exists' })),
        isKept: true,
      }
    })
    await payroll.plan()
    const ended = await payroll.run(runOf(payroll.planId, 12, atOnce))
    expect(ended, ended.stderr).toMatchObject({ code: 0, json: { refused: 0, unknown: 0, planned: 0 } })
    expect(ids.size).toBe(12)
  },
)

const tooLow = bytesOf('400 Bad Request', { statusCode: 5038, message: 'balance too low' })
const busy = bytesOf('429 Too Many Requests', { message: 'busy' }, 'retry-after: 100\r\n')
const balance = bytesOf('200 OK', { value: { amount: 1, currency: 'GEL' } })

test.each([
  ['a refusal, the balance, and the acceptance with it', tooLow, (taken: string) => ({ raw: balance + taken })],
  ['a refusal, the balance, and the acceptance later', tooLow, (taken: string) => later(balance, taken)],
  ['429 twice, the acceptance, the balance', busy, (taken: string) => ({ raw: busy + taken + balance })],
  ['429, 429 for the balance, too, and the acceptance later', busy, (taken: string) => later(busy, taken)],
])(
  'batch run: a row that a gateway sent several times exists, and no answer is believed alone: %s',
  async (_order, first, behind) => {
    const executed = new Set<string>()
    const waiting = new Map<Seen['from'], string>()
    const payroll = await handPayroll(employees(4, { amount: '1' }), (seen) => {
      const taken = waiting.get(seen.from)
      if (seen.path === '/api/distributor/balance/check' && taken) return { ...behind(taken), isKept: true }
      if (seen.path !== '/api/distributor') return undefined
      const uniqueId = idOf(seen)
      if (executed.has(uniqueId)) return { raw: bytesOf('400 Bad Request', { statusCode: 5017, message: 'exists' }) }
      executed.add(uniqueId)
      const accepted = bytesOf('200 OK', { transactionId: executed.size, status: 'INITIAL', uniqueId })
      if (executed.size !== 2) return { raw: accepted, isKept: true }
      waiting.set(seen.from, accepted)
      return { raw: first, isKept: true }
    })
    await payroll.plan()
    const ended = await payroll.run([...runOf(payroll.planId, 4, 1), '--max-failures', '1'])
    expect(ended, ended.stderr).toMatchObject({ code: 0, json: { accepted: 3, exists: 1, refused: 0, turnedAway: 0 } })
    expect(executed.size).toBe(4)
    const row = await payroll.run(['payout', 'get', 'e-2'])
    expect(row, row.stderr).toMatchObject({ code: 9, error: { moneyMoved: 'unknown' } })
  },
)

const later = (raw: string, more: string) => ({ raw, later: { raw: more, after: 300 } })

test('batch run: a service that ends each connection behind its answer gets each row once (0)', async () => {
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

test('batch run --concurrency: no more requests are on their way at once, and rows opened ahead are unsent after ^C (130)', async () => {
  let send: (signal: 'SIGINT') => void = () => undefined
  let [underWay, most] = [0, 0]
  const payroll = await handPayroll(employees(20, { amount: '1' }), async ({ path }, count) => {
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
