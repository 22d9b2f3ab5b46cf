/** An end that comes by time is never told from the journal alone: what was read before may be older than a payment. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { validUntilOf } from '../../src/lib/contract/order/valid-until.ts'
import { hurriedClock, impatient } from '../kit/program/hurried.ts'
import { paydesk } from '../kit/program/paydesk.ts'
import { foreignOrder, handDesk, handOrder } from '../kit/service/hand-desk.ts'

const hour = 3_600_000

/** An order with a key, whose status the test changes; null where it cannot be read. */
async function scene(status: string, validFor: number | null) {
  const now = { status: status as string | null, more: {}, asked: () => undefined as unknown }
  const desk = await handDesk(({ name, request }) => {
    const { integratorOrderId } = request
    if (name === 'order.create') return { value: { integratorOrderId, urlForQR: 'https://pay.example/1' } }
    now.asked()
    if (now.status === null) return { plain: { status: 503, body: '{}' } }
    return { value: { integratorOrderId, status: now.status, ...now.more } }
  })
  const until = validFor === null ? [] : ['--valid-until', validUntilOf(Date.now() + validFor)]
  const create = ['order', 'create', '--amount', '12.50', '--receiver-id', foreignOrder, '--key', 'inv-7', ...until]
  const created = await desk.run(...create, '--yes')
  expect(created, created.stderr).toMatchObject({ code: 0 })
  await desk.run('order', 'status', String(created.json.uniqueId ?? created.json.integratorOrderId))
  const { journalId } = created.json
  return { ...desk, now, lines: { create: [...create, '--yes'], resume: ['resume', String(journalId)] } }
}

describe.each(['create', 'resume'] as const)('%s', (line) => {
  test('tells of an order that was paid after its first try failed', async () => {
    const desk = await scene('FAILED', hour)
    desk.now.status = 'SUCCESS'
    desk.skip(26 * hour)
    const again = await desk.run(...desk.lines[line])
    expect(again, again.stderr).toMatchObject({ code: 0, json: { status: 'SUCCESS' } })
    expect(desk.count('order.create')).toBe(1)
  })

  test('tells of an order that was paid before it expired for a copy that lagged behind', async () => {
    const desk = await scene('EXPIRED', null)
    desk.now.status = 'SUCCESS'
    const again = await desk.run(...desk.lines[line])
    expect(again, again.stderr).toMatchObject({ code: 0, json: { status: 'SUCCESS' } })
  })

  test('says that an order has ended after it was read once more', async () => {
    const desk = await scene('FAILED', hour)
    desk.skip(26 * hour)
    const reads = desk.count('order.status')
    const again = await desk.run(...desk.lines[line])
    expect(again, again.stderr).toMatchObject({ code: 5, error: { moneyMoved: 'no', status: 'FAILED' } })
    expect(again.error.message).not.toContain('told from the journal')
    expect(desk.count('order.status')).toBe(reads + 1)
  })

  test('says of an order that cannot be read now that it may have been paid', async () => {
    const desk = await scene('FAILED', hour)
    desk.now.status = null
    desk.skip(26 * hour)
    const again = await desk.run(...desk.lines[line])
    expect(again, again.stderr).toMatchObject({ code: 9, error: { moneyMoved: 'unknown', retry: 'same-id' } })
    expect(again.error.message).toMatch(/was FAILED when it was last read, and cannot be read now/)
  })

  test('compares the sum that it reads', async () => {
    const desk = await scene('EXPIRED', null)
    Object.assign(desk.now, { status: 'SUCCESS', more: { amount: 1, currency: 'GEL' } })
    const again = await desk.run(...desk.lines[line])
    expect(again, again.stderr).toMatchObject({ code: 7, error: { moneyMoved: 'unknown' } })
    expect(await desk.run(...desk.lines[line])).toMatchObject({ code: 7 })
  })

  test.each(['PROCESSING', 'WAITING_FOR_CONFIRM', 'INITIAL', 'PAID_LATE'])(
    'tells of an order that goes on as %s after a copy showed it as expired',
    async (status) => {
      const desk = await scene('EXPIRED', null)
      desk.now.status = status
      for (const _ of ['first', 'again']) {
        const again = await desk.run(...desk.lines[line])
        expect(again, again.stderr).toMatchObject({ code: 0, json: { status } })
      }
      desk.now.status = null
      for (const verb of ['status', 'wait']) {
        const unread = await desk.run('order', verb, 'key:inv-7')
        expect(unread, unread.stderr).toMatchObject({ error: { moneyMoved: 'unknown' } })
      }
    },
  )

  test('tells of a status that it does not know as it came, the first time and the next', async () => {
    const desk = await scene('FAILED', hour)
    desk.now.status = 'PAID_LATE'
    desk.skip(26 * hour)
    for (const _ of ['first', 'next']) {
      const again = await desk.run(...desk.lines[line])
      expect(again, again.stderr).toMatchObject({ code: 0, json: { status: 'PAID_LATE' } })
    }
  })

  test('says of an order that has expired without a validUntil that it has ended, whether or not it can be read', async () => {
    const desk = await scene('EXPIRED', null)
    desk.now.status = null
    expect(await desk.run(...desk.lines[line])).toMatchObject({ code: 5, error: { moneyMoved: 'no' } })
  })
})

test.each(['create', 'resume'] as const)('%s: an end that comes by no time is not taken back', async (line) => {
  const desk = await scene('CANCELED', null)
  desk.now.status = 'PROCESSING'
  await desk.run('order', 'status', 'key:inv-7')
  const again = await desk.run(...desk.lines[line])
  expect(again, again.stderr).toMatchObject({ code: 5, error: { moneyMoved: 'no', status: 'CANCELED' } })
})

test('a dry run says that the order would be read', async () => {
  const desk = await scene('FAILED', hour)
  desk.now.status = 'SUCCESS'
  desk.skip(26 * hour)
  const reads = desk.count('order.status')
  const dry = await desk.run(...desk.lines.create, '--dry-run')
  expect(dry, dry.stderr).toMatchObject({ code: 0 })
  expect(dry.stdout + dry.stderr).toContain('read how it ended')
  expect(desk.count('order.status')).toBe(reads)
})

test('a charge that a copy showed as expired is read anew before its card is asked for', async () => {
  const now = { status: 'EXPIRED' }
  const desk = await handDesk(({ name }) =>
    name === 'order.create' ? { plain: 'reset' } : { value: { integratorOrderId: handOrder, status: now.status } },
  )
  const card = join(desk.home, 'card')
  writeFileSync(card, '454d428e-4419-4cee-aa68-eae36cc82c81', { mode: 0o600 })
  const until = ['--valid-until', validUntilOf(Date.now() + hour)]
  const named = ['--receiver-id', foreignOrder, '--integrator-order-id', handOrder, '--card-token-file', card]
  const charge = ['order', 'create', '--amount', '12.50', ...named, ...until, '--yes']
  expect((await desk.run(...charge)).code).toBe(0)
  now.status = 'SUCCESS'
  desk.skip(26 * hour)
  const again = await desk.run(...charge)
  expect(again, again.stderr).toMatchObject({ code: 0, json: { status: 'SUCCESS' } })
  expect(desk.count('order.create')).toBe(1)
})

describe.each(['create', 'resume'] as const)('%s that is stopped while it reads anew', (line) => {
  test.each([
    ['EXPIRED', null],
    ['FAILED', hour],
  ] as const)('tells of that, and not of an end by %s', async (status, validFor) => {
    const desk = await scene(status, validFor)
    let send: (signal: 'SIGINT') => void = () => undefined
    desk.now.asked = () => {
      send('SIGINT')
      desk.now.status = null
    }
    const argv = [...desk.lines[line], '-p', 'hand', '--json', '--timeout', '10s']
    const clock = hurriedClock(Date.now() + 26 * hour)
    const signals = (to: (signal: 'SIGINT') => void) => {
      send = to
    }
    const ended = await paydesk(argv, { home: desk.home, clock, random: impatient, signals })
    expect(ended, ended.stderr).toMatchObject({ code: 130, error: { moneyMoved: 'unknown', retry: 'same-id' } })
    expect(ended.error.message).toMatch(/stopped while the order was read anew; it was/)
  })
})
