/** An order that ended unpaid. FAILED is no end before `validUntil` is over: its payer may try again. */

import { describe, expect, test } from 'vitest'
import { validUntilOf } from '../../src/lib/contract/date.ts'
import { hurriedClock, impatient } from '../kit/clock.ts'
import { paydesk } from '../kit/program.ts'
import { broken, chargeCard, foreignOrder, handDesk, handOrder, type Said } from '../kit/service.ts'
import { signalLine } from '../kit/tools.ts'
import { orderIn, reset } from '../kit/verdict.ts'
import { memoryDesk } from './memory-desk.ts'

const hour = 3_600_000
const far = '2099-12-31 23:59:59'
const unreadable: Said = { plain: { status: 503, body: '{}' } }
const createdOrder: Said = { value: { integratorOrderId: handOrder, urlForQR: 'https://pay.example/1' } }
const charge = chargeCard()
const create = charge.filter((word, at) => ![word, charge[at - 1]].includes('--card-token-file'))
const status = ['order', 'status', handOrder]
const wait = ['order', 'wait', handOrder]

type Kind = 'create' | 'charge'

interface Beginning {
  readonly status: string
  /** A moment, or milliseconds from now. */
  readonly validUntil?: string | number
  readonly isLost?: boolean
}

/** An order whose status the test changes, created by one of two lines and then read. */
async function ended(kind: Kind, { status: first, validUntil, isLost = false }: Beginning, make = memoryDesk) {
  const until = typeof validUntil === 'number' ? validUntilOf(Date.now() + validUntil) : validUntil
  const now = { shown: orderIn(first), asked: async (): Promise<unknown> => undefined }
  const desk = await make(async ({ name }): Promise<Said> => {
    if (name === 'order.create' && isLost) return reset
    if (name === 'order.create') return kind === 'charge' ? now.shown : createdOrder
    await now.asked()
    return now.shown
  })
  const line = [...(kind === 'charge' ? charge : create), ...(until === undefined ? [] : ['--valid-until', until])]
  const made = await desk.run(...line)
  await desk.run(...status)
  const journalId = String((made.code === 0 ? made.json : made.error).journalId)
  return Object.assign(now, desk, { made, lines: { create: line, resume: ['resume', journalId] } })
}

const again = [
  ['create', 'FAILED, with a validUntil that is over', 'FAILED', hour],
  ['create', 'EXPIRED, without a validUntil', 'EXPIRED', undefined],
  ['resume', 'FAILED, with a validUntil that is over', 'FAILED', hour],
  ['resume', 'EXPIRED, without a validUntil', 'EXPIRED', undefined],
] as const

/** The order is read as ended; its `validUntil` is long over. */
async function longAgo(first: string, validUntil?: number, make = memoryDesk) {
  const desk = await ended('create', { status: first, ...(validUntil === undefined ? {} : { validUntil }) }, make)
  if (validUntil !== undefined) desk.skip(26 * hour)
  return desk
}

test.each(again)('order %s: read as %s, and as SUCCESS now: paid (0)', async (...row) => {
  const [line, , first, validUntil] = row
  const desk = await longAgo(first, validUntil)
  desk.shown = orderIn('SUCCESS')
  const told = await desk.run(...desk.lines[line])
  expect(told, told.stderr).toMatchObject({ code: 0, json: { status: 'SUCCESS' } })
  expect(desk.count('order.create')).toBe(1)
})

test.each(['create', 'resume'] as const)(
  'order %s: read as FAILED, validUntil is over, FAILED again: ended (5), by one read',
  async (line) => {
    const desk = await longAgo('FAILED', hour)
    const reads = desk.count('order.status')
    const told = await desk.run(...desk.lines[line])
    expect(told, told.stderr).toMatchObject({ code: 5, error: { moneyMoved: 'no', status: 'FAILED' } })
    expect(told.error.message).not.toContain('from the journal')
    expect(desk.count('order.status')).toBe(reads + 1)
  },
)

test.each(['create', 'resume'] as const)('order %s: FAILED, validUntil over, unread now: unknown (9)', async (line) => {
  const desk = await longAgo('FAILED', hour)
  desk.shown = unreadable
  const told = await desk.run(...desk.lines[line])
  expect(told, told.stderr).toMatchObject({ code: 9, error: { moneyMoved: 'unknown', retry: 'same-id' } })
  expect(told.error.message).toMatch(/was FAILED when it was last read, and cannot be read now/)
})

test.each(['create', 'resume'] as const)('order %s: EXPIRED, SUCCESS with another sum: conflict (7)', async (line) => {
  const desk = await longAgo('EXPIRED')
  desk.shown = orderIn('SUCCESS', { amount: 1, currency: 'GEL' })
  const told = await desk.run(...desk.lines[line])
  expect(told, told.stderr).toMatchObject({ code: 7, error: { moneyMoved: 'unknown' } })
  expect(await desk.run(...desk.lines[line])).toMatchObject({ code: 7 })
})

const goesOn = (['create', 'resume'] as const).flatMap((line) => [
  ...['PROCESSING', 'WAITING_FOR_CONFIRM', 'INITIAL', 'PAID_LATE'].map((now) => [line, 'EXPIRED', now] as const),
  [line, 'FAILED', 'PAID_LATE'] as const,
])
test.each(goesOn)('order %s: read as %s, then as %s twice: told so (0), unread later: unknown', async (...row) => {
  const [line, first, now] = row
  const desk = await longAgo(first, first === 'FAILED' ? hour : undefined)
  desk.shown = orderIn(now)
  for (const _ of ['first', 'again']) {
    const told = await desk.run(...desk.lines[line])
    expect(told, told.stderr).toMatchObject({ code: 0, json: { status: now } })
  }
  desk.shown = unreadable
  for (const each of [status, wait]) {
    const unread = await desk.run(...each)
    expect(unread, unread.stderr).toMatchObject({ error: { moneyMoved: 'unknown' } })
  }
})

test.each(again)('order %s, the real command, read as %s: ^C during the read is unknown (130)', async (...row) => {
  const [line, , first, validUntil] = row
  const { send, signals } = signalLine()
  const service = { shown: orderIn(first), asked: () => undefined as unknown }
  const desk = await handDesk(({ name }) => {
    if (name === 'order.create') return createdOrder
    service.asked()
    return service.shown
  })
  const until = validUntil === undefined ? [] : ['--valid-until', validUntilOf(Date.now() + validUntil)]
  const made = await desk.run(...create, ...until)
  await desk.run(...status)
  service.asked = () => {
    send('SIGINT')
    service.shown = unreadable
  }
  const lines = { create: [...create, ...until], resume: ['resume', String(made.json.journalId)] }
  const argv = [...lines[line], '-p', 'hand', '--json', '--timeout', '10s']
  const clock = hurriedClock(Date.now() + 26 * hour)
  const stopped = await paydesk(argv, { home: desk.home, clock, random: impatient, signals })
  expect(stopped, stopped.stderr).toMatchObject({ code: 130, error: { moneyMoved: 'unknown', retry: 'same-id' } })
  expect(stopped.error.message).toMatch(/stopped while the order was read again; it was/)
})

describe.each(['create', 'charge'] as const)('validUntil of an order (%s)', (kind) => {
  const what = kind === 'charge' ? 'charge of a saved card' : 'order create'

  test(`${what}: FAILED before its validUntil may still be paid: accepted, wait is pending (8), SUCCESS ends it`, async () => {
    const desk = await ended(kind, { status: 'FAILED', validUntil: far })
    const { create: line, resume } = desk.lines
    const told = await desk.run(...line)
    expect(told.json, told.stderr).toMatchObject({ outcome: 'accepted', replayed: true, status: 'FAILED' })
    expect(told.json.warnings).toContainEqual(expect.stringContaining('may still be paid'))
    const resumed = await desk.run(...resume)
    expect(resumed.json, resumed.stderr).toMatchObject({ status: 'FAILED', warnings: told.json.warnings })
    const waited = await desk.run(...wait)
    expect(waited, waited.stderr).toMatchObject({ code: 8, error: { moneyMoved: 'unknown', status: 'FAILED' } })
    expect(String(waited.error.hints)).not.toContain('needs a new id')
    expect((await desk.run(...line, '--wait')).code).toBe(8)
    desk.shown = orderIn('SUCCESS')
    expect((await desk.run(...line, '--wait')).json).toMatchObject({ status: 'SUCCESS' })
    expect(desk.count('order.create')).toBe(1)
  })

  test.each([
    [1, 8, 0],
    [72, 5, 5],
  ])(
    `${what}: FAILED, and %i h after its validUntil wait ends with %i, resume with %i`,
    async (hours, waited, resumed) => {
      const desk = await ended(kind, { status: 'FAILED', validUntil: hour })
      desk.skip((hours + 1) * hour)
      const told = await desk.run(...wait)
      expect(told, told.stderr).toMatchObject({ code: waited, error: { moneyMoved: waited === 5 ? 'no' : 'unknown' } })
      expect((await desk.run(...desk.lines.resume)).code).toBe(resumed)
    },
  )

  test(`${what}: FAILED, and a clock set 73 h ahead ends nothing (8); 73 h that pass do (5)`, async () => {
    const desk = await ended(kind, { status: 'FAILED', validUntil: hour })
    desk.set(73 * hour)
    expect(await desk.run(...wait)).toMatchObject({ code: 8, error: { moneyMoved: 'unknown' } })
    expect((await desk.run(...desk.lines.create)).json).toMatchObject({ outcome: 'accepted', replayed: true })
    expect((await desk.run(...desk.lines.resume)).code).toBe(0)
    desk.set(-73 * hour)
    desk.skip(73 * hour)
    expect(await desk.run(...wait)).toMatchObject({ code: 5, error: { moneyMoved: 'no' } })
    expect((await desk.run(...desk.lines.resume)).code).toBe(5)
  })

  test(`${what}: FAILED without a validUntil has ended (5)`, async () => {
    const desk = await ended(kind, { status: 'FAILED' })
    const { create: line } = desk.lines
    for (const argv of [line, wait, [...line, '--wait']]) {
      expect(await desk.run(...argv)).toMatchObject({ code: 5, error: { moneyMoved: 'no', status: 'FAILED' } })
    }
  })

  test.each(kind === 'create' ? ['EXPIRED', 'CANCELED'] : ['CANCELED'])(
    `${what}: %s before its validUntil has ended (5)`,
    async (end) => {
      const desk = await ended(kind, { status: end, validUntil: far })
      expect(await desk.run(...wait)).toMatchObject({ code: 5, error: { moneyMoved: 'no', status: end } })
      expect((await desk.run(...desk.lines.create)).code).toBe(5)
    },
  )
})

test.each([
  ['lost', true],
  ['answered', false],
] as const)('charge with a validUntil, %s, EXPIRED by a lagging copy: may be paid (8)', async (_how, isLost) => {
  const desk = await ended('charge', { status: 'EXPIRED', validUntil: hour, isLost })
  expect(desk.made.json, desk.made.stderr).toMatchObject({ status: 'EXPIRED' })
  expect(desk.made.json.warnings).toContainEqual(expect.stringContaining('do not create it again'))
  const waited = await desk.run(...wait)
  expect(waited, waited.stderr).toMatchObject({ code: 8, error: { moneyMoved: 'unknown', status: 'EXPIRED' } })
  desk.shown = orderIn('SUCCESS')
  expect((await desk.run(...status)).json).toMatchObject({ status: 'SUCCESS' })
  const resumed = await desk.run(...desk.lines.resume)
  expect(resumed.json, resumed.stderr).toMatchObject({ status: 'SUCCESS' })
  expect(String(resumed.json.warnings)).not.toContain('do not create it again')
  expect(desk.count('order.create')).toBe(1)
})

test('order wait of an order of another machine: FAILED (5) leaves the money unknown, EXPIRED (5) does not', async () => {
  const state = { shown: 'FAILED' }
  const desk = await memoryDesk(() => orderIn(state.shown))
  expect(await desk.run(...wait)).toMatchObject({ code: 5, error: { moneyMoved: 'unknown', status: 'FAILED' } })
  state.shown = 'EXPIRED'
  expect(await desk.run(...wait)).toMatchObject({ code: 5, error: { moneyMoved: 'no' } })
})

const card: Said = { value: { token: '454d428e-4419-4cee-aa68-eae36cc82c81', integratorOrderId: foreignOrder } }
const byOrder = [...create, '--card-from-order', foreignOrder]
const ways = [
  ['in the answer to a charge', byOrder, 'accepted', (end: string) => orderIn(end)],
  [
    'in the answer to an order create',
    create,
    'accepted',
    (end: string) => orderIn(end, { urlForQR: 'https://pay.example/1' }),
  ],
  ['in the status behind a lost charge', byOrder, 'exists', () => reset],
] as const
const rows = ['FAILED', 'EXPIRED', 'CANCELED'].flatMap((end) => ways.map((way) => [end, ...way] as const))

test.each(rows)('%s %s: refused (5), each time, sent once', async (...row) => {
  const [end, how, line, state, answer] = row
  const desk = await memoryDesk(({ name }): Said => {
    if (name === 'card.get') return card
    if (name === 'order.create') return answer(end)
    return how.startsWith('in the answer to a charge') ? broken : orderIn(end)
  })
  for (const run of ['first', 'again']) {
    const told = await desk.run(...line)
    expect(told, run + told.stdout).toMatchObject({ code: 5, stdout: '' })
    const facts = { moneyMoved: 'no', operation: 'order.create', retry: 'after-fix', uniqueId: handOrder }
    expect(told.error).toMatchObject({ ...facts, status: end })
    expect(String(told.error.hints)).toContain('another --integrator-order-id')
    expect(told.error.message).toContain(`the order ended in ${end}`)
    if (run === 'again') expect(told.error.message).toContain('nothing was sent now')
  }
  expect(desk.count('order.create')).toBe(1)
  expect((await desk.run('journal', 'show', handOrder)).json).toMatchObject({ state, status: end })
  expect(await desk.run('resume', handOrder)).toMatchObject({ code: 5, error: { moneyMoved: 'no', status: end } })
})
