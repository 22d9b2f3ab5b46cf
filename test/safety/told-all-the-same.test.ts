/** An answer without a definite meaning that tells a status of its thing: no read from a copy that lags behind denies it. */
import { describe, expect, test } from 'vitest'
import type { Ended } from '../kit/program/paydesk.ts'
import { foreignOrder, type HandDesk, handDesk, handOrder } from '../kit/service/hand-desk.ts'
import { chargeCard, createWallet, finalizeWallet } from '../kit/service/hand-lines.ts'
import { handPayout } from '../kit/service/hand-payout.ts'
import type { Said } from '../kit/service/sealed-by-hand.ts'
import { json } from '../kit/service/service-by-hand.ts'

const charge = chargeCard()
const refund = ['order', 'refund', handOrder, '--amount', '5', '--key', 'R', '--yes']
const newOrder = [
  ...[
    'order',
    'create',
    '--amount',
    '12.50',
    '--receiver-id',
    foreignOrder,
    '--integrator-order-id',
    handOrder,
    '--yes',
  ],
]
const complete = ['order', 'complete', handOrder, '--amount', '5', '--yes']

const told = (status: string, more: object = {}) => ({
  integratorOrderId: handOrder,
  uniqueId: handOrder,
  status,
  ...more,
})

/** Neither done nor denied. */
function undecided(ended: Ended) {
  expect([7, 9], ended.stdout + ended.stderr).toContain(ended.code)
  expect(ended.error.moneyMoved, ended.stderr).toBe('unknown')
}

interface Write {
  readonly name: string
  readonly argv: readonly string[]
  /** The status that its answer tells. */
  readonly status: string
  /** The status that a lagging copy of the service shows; null where it does not know the thing. */
  readonly before: string | null
}

const writes: Readonly<Record<string, Write>> = {
  refund: { name: 'order.refund', argv: refund, status: 'PARTIALLY_REFUNDED', before: 'SUCCESS' },
  completion: { name: 'order.complete', argv: complete, status: 'SUCCESS', before: 'WAITING_FOR_CONFIRM' },
  charge: { name: 'order.create', argv: charge, status: 'SUCCESS', before: null },
}

const under500 = (status: string): Said => ({ plain: { status: 500, body: JSON.stringify(told(status)) } })

/** The forms of such an answer. */
const forms: Readonly<Record<string, (status: string) => Said>> = {
  'with an error': (status) => ({ value: told(status, { errorMessage: 'x' }) }),
  'without its id': (status) => ({ value: { status } }),
  'in small letters, without its id': (status) => ({ value: { status: status.toLowerCase() } }),
  'under HTTP 500': under500,
  'under HTTP 401': (status) => ({ plain: { status: 401, body: JSON.stringify(told(status)) } }),
  'under HTTP 429': (status) => ({ plain: { status: 429, body: JSON.stringify(told(status)) } }),
  'under HTTP 503': (status) => ({ plain: { status: 503, body: JSON.stringify(told(status)) } }),
  'without an envelope': (status) => ({ plain: { status: 200, body: JSON.stringify(told(status)) } }),
  'beside another status': (status) => ({ value: told(status), clear: { status: 'SOMETHING' } }),
  'as a failed refund': () => ({ value: told('REFUNDED_FAILED') }),
  'as 6016, while nothing can be read': () => ({ code: 6016, group: 2 }),
}

async function answering(
  { name, before }: Write,
  first: Said,
): Promise<HandDesk & { mayBeRead: (may: boolean) => void }> {
  const state = { isRead: false }
  const desk = await handDesk((call): Said => {
    if (call.name === name) return call.count === 1 ? first : { value: told('SUCCESS') }
    if (call.name === 'order.create') return { value: told('SUCCESS') }
    if (!state.isRead) return { plain: 'reset' }
    return before === null ? { code: 6005, group: 2 } : { value: told(before) }
  })
  const mayBeRead = (may: boolean) => {
    state.isRead = may
  }
  return Object.assign(desk, { mayBeRead })
}

describe.each(Object.entries(writes))('a %s', (what, write) => {
  const named = Object.entries(forms).filter(([form]) => what === 'refund' || form !== 'as a failed refund')
  test.each(named)('whose answer tells a status %s is not sent again', async (_form, form) => {
    const desk = await answering(write, form(write.status))
    undecided(await desk.run(...write.argv))
    desk.mayBeRead(true)
    desk.skip(20 * 60_000)
    await desk.run('order', 'status', handOrder)
    for (const argv of [['resume', '--all'], write.argv]) undecided(await desk.run(...argv))
    expect(desk.count(write.name)).toBe(1)
  })

  test.each(['FAILED', 'CANCELED'])('whose answer tells a status under HTTP 500 is not denied by %s', async (end) => {
    const desk = await answering({ ...write, before: end }, under500(write.status))
    undecided(await desk.run(...write.argv))
    desk.mayBeRead(true)
    await desk.run('order', 'status', handOrder)
    for (const argv of [['resume', '--all'], write.argv]) undecided(await desk.run(...argv))
    expect(desk.count(write.name)).toBe(1)
  })

  test('whose answer was lost, or tells of another thing, is sent again', async () => {
    for (const lost of [
      { plain: 'reset' },
      { value: { ...told(write.status), integratorOrderId: foreignOrder } },
    ] as Said[]) {
      const desk = await answering(write, lost)
      undecided(await desk.run(...write.argv))
      desk.mayBeRead(true)
      desk.skip(20 * 60_000)
      expect((await desk.run('resume', '--all')).code).toBe(5)
      await desk.run(...write.argv)
      expect(desk.count(write.name)).toBe(2)
    }
  })
})

test.each(Object.entries(forms).slice(0, 1).concat(Object.entries(forms).slice(3, 4)))(
  'a lost refund whose trace is read %s is not sent again',
  async (_form, form) => {
    let shown: Said = { plain: 'reset' }
    const desk = await handDesk(({ name }): Said => {
      if (name === 'order.create') return { value: told('SUCCESS') }
      return name === 'order.refund' ? { plain: 'reset' } : shown
    })
    expect((await desk.run(...charge)).code).toBe(0)
    undecided(await desk.run(...refund))
    shown = form('REFUND_REQUESTED')
    expect((await desk.run('order', 'status', handOrder)).code).toBe(9)
    shown = { value: told('SUCCESS') }
    desk.skip(20 * 60_000)
    for (const argv of [['resume', '--all'], refund]) undecided(await desk.run(...argv))
    expect(desk.count('order.refund')).toBe(1)
  },
)

test.each([500, 503, 401, 429])(
  'a finalization that is told as done under HTTP %i is not denied by FAILED',
  async (status) => {
    let shown: Said = { plain: 'reset' }
    const desk = await handDesk(({ name }): Said => {
      if (name === 'wallet.create') return { value: told('REGISTERED') }
      if (name === 'wallet.finalize') return { plain: { status, body: JSON.stringify(told('SUCCESS')) } }
      return shown
    })
    await desk.run(...createWallet)
    undecided(await desk.run(...finalizeWallet))
    shown = { value: told('FAILED') }
    await desk.run('wallet', 'details', handOrder)
    for (const argv of [['resume', '--all'], finalizeWallet]) undecided(await desk.run(...argv))
  },
)

describe.each([5023, 5042])('a payout that is told as taken, and whose repeat is refused with %i', (statusCode) => {
  const taken = { transactionId: 4712, status: 'INITIAL', createdAt: '2026-11-25T10:00:00', uniqueId: handOrder }
  test.each([
    ['under HTTP 500', json(taken, 500)],
    ['under HTTP 503', json(taken, 503)],
    ['under HTTP 401', json(taken, 401)],
    ['beside an error', json({ ...taken, errorMessage: 'x' })],
    ['beside a refusal', json({ ...taken, statusCode: 5038, message: 'x' }, 400)],
  ])('%s is not denied', async (_form, first) => {
    const desk = await handPayout(({ path, method }, count) => {
      if (path !== '/api/distributor' || method !== 'POST') return undefined
      return count === 1 ? first : json({ statusCode, message: 'No' }, 400)
    })
    undecided(await desk.pay({ key: null }))
    undecided(await desk.pay({ key: null }))
    undecided(await desk.run('resume', handOrder))
  })
})

test('a charge that was told as paid beside an error is open until its order is paid', async () => {
  let shown = 'PROCESSING'
  const desk = await handDesk(({ name, count }): Said => {
    if (name === 'order.create') return count === 1 ? under500('SUCCESS') : { code: 6023, group: 2 }
    return { value: told(shown) }
  })
  undecided(await desk.run(...charge))
  shown = 'FAILED'
  undecided(await desk.run('order', 'wait', handOrder))
  undecided(await desk.run(...charge))
  shown = 'SUCCESS'
  expect((await desk.run('resume', handOrder)).json).toMatchObject({ outcome: 'exists', status: 'SUCCESS' })
  expect(desk.count('order.create')).toBe(1)
})

test('`journal show` says what was told all the same', async () => {
  const desk = await handDesk(
    ({ name }): Said => (name === 'order.refund' ? under500('REFUND_REQUESTED') : { plain: 'reset' }),
  )
  const { error } = await desk.run(...refund)
  const [attempt] = (await desk.run('journal', 'show', String(error.journalId))).json.attempts as { decision: string }[]
  expect(attempt).toMatchObject({
    told: 'REFUND_REQUESTED',
    decision: expect.stringMatching(/; it told REFUND_REQUESTED all the same$/),
  })
})

test('a new order is not paid because a failing read says so', async () => {
  let read: Said = under500('SUCCESS')
  const desk = await handDesk(({ name }): Said => (name === 'order.create' ? { value: told('INITIAL') } : read))
  expect((await desk.run(...newOrder)).code).toBe(0)
  expect((await desk.run('order', 'status', handOrder)).code).toBe(9)
  read = { value: told('INITIAL') }
  expect((await desk.run(...newOrder)).json).toMatchObject({ status: 'INITIAL' })
})

test('a completion that is told by its second answer that more is not left is a conflict', async () => {
  const desk = await handDesk(
    ({ name }): Said => (name === 'order.complete' ? { code: 6007, group: 1 } : { value: told('SUCCESS') }),
  )
  undecided(await desk.run(...complete))
})

test.each([502, 503])('a word of a gateway under HTTP %i is no status of the order', async (status) => {
  const desk = await handDesk(({ name, count }): Said => {
    if (name !== 'order.create') return { code: 6005, group: 5 }
    return count === 1
      ? { plain: { status, body: '{"status":"PROCESSING","message":"busy"}' } }
      : { value: told('SUCCESS') }
  })
  undecided(await desk.run(...charge))
  desk.skip(20 * 60_000)
  expect((await desk.run('resume', '--all')).code).toBe(5)
})

test.each([
  ['a completion', 'order.complete', complete, 6006],
  ['a charge', 'order.create', charge, 6016],
] as const)(
  '%s that is answered "not any more" is not done by what another one did',
  async (_what, operation, argv, code) => {
    let isRead = false
    const desk = await handDesk(({ name }): Said => {
      if (name === operation) return { code, group: 2 }
      return isRead ? { value: told('SUCCESS') } : { plain: { status: 503, body: '{}' } }
    })
    undecided(await desk.run(...argv))
    isRead = true
    undecided(await desk.run('resume', '--all'))
    undecided(await desk.run(...argv))
  },
)

test('a finalize that a failing read tells as paid is not denied by a copy that lags behind', async () => {
  let read: Said = { plain: { status: 503, body: '{}' } }
  const desk = await handDesk(({ name }): Said => {
    if (name === 'wallet.create') return { value: told('REGISTERED') }
    return name === 'wallet.finalize' ? { plain: 'reset' } : read
  })
  await desk.run(...createWallet)
  undecided(await desk.run(...finalizeWallet))
  read = under500('SUCCESS')
  undecided(await desk.run('wallet', 'details', handOrder))
  read = { value: told('REGISTERED') }
  desk.skip(40 * 60_000)
  undecided(await desk.run('resume', '--all'))
})

test('one answer with thousands of statuses holds nobody up, and leaves one of them', async () => {
  const statuses = Array.from({ length: 3000 }, (_, at) => ({ status: `REFUNDED_BY_${at}` }))
  let read: Said = { plain: { status: 503, body: '{}' } }
  const desk = await handDesk(({ name }): Said => (name === 'order.complete' ? { plain: 'reset' } : read))
  undecided(await desk.run(...complete))
  read = { plain: { status: 500, body: JSON.stringify({ integratorOrderId: handOrder, x: statuses }) } }
  const began = performance.now()
  expect((await desk.run('order', 'status', handOrder)).code).toBe(9)
  expect(performance.now() - began).toBeLessThan(3_000)
  const [known] = JSON.parse((await desk.run('journal', 'list')).stdout) as { status: string }[]
  expect(known?.status).toMatch(/^REFUNDED_BY_\d+$/)
})

test('a status of a megabyte is none', async () => {
  const long = `REFUNDED_BY_${'A'.repeat(2 ** 20)}`
  const desk = await handDesk(({ name }): Said => (name === 'order.complete' ? under500(long) : { plain: 'reset' }))
  const ended = await desk.run(...complete)
  undecided(ended)
  expect(ended.stderr.length).toBeLessThan(10_000)
  expect((await desk.run('journal', 'show', String(ended.error.journalId))).stdout).not.toContain('AAAA')
})

test('of two statuses that one answer tells, the paid one is not denied', async () => {
  let shown = 'PROCESSING'
  const both = { ...told('PROCESSING'), payment: { status: 'SUCCESS' } }
  const desk = await handDesk(({ name }): Said => {
    if (name === 'order.create') return { plain: { status: 500, body: JSON.stringify(both) } }
    return { value: told(shown) }
  })
  undecided(await desk.run(...charge))
  shown = 'FAILED'
  undecided(await desk.run(...charge))
})
