/** A refund has no id: what the status of its order tells of it is read before it is sent, and not forgotten. */
import { describe, expect, test } from 'vitest'
import { JsonNumber } from '../../src/lib/contract/core/decimal.ts'
import type { Ended } from '../kit/program/paydesk.ts'
import { foreignOrder, type HandDesk, handDesk, handOrder } from '../kit/service/hand-desk.ts'
import { chargeCard } from '../kit/service/hand-lines.ts'
import type { Said } from '../kit/service/sealed-by-hand.ts'

const charge = chargeCard()
const refund = (key: string, ...more: readonly string[]) => [
  ...['order', 'refund', handOrder, '--amount', '5', '--key', key, '--yes', ...more],
]
const status = ['order', 'status', handOrder]
const noBalance: Said = { code: 6130, group: 2 }
const later = 20 * 60_000

const order = (read: string): Said => ({
  value: { integratorOrderId: handOrder, uniqueId: handOrder, status: read },
})

interface Service extends HandDesk {
  /** The status of the order; null where it cannot be read. */
  shown: string | null
  executed: number
  /** The next refunds. Executed by `executes`, and answered as said; from then on the order cannot be read where it `blinds`. */
  readonly answers: { readonly executes?: string; readonly says: Said; readonly blinds?: true }[]
  isBlind: boolean
}

/** A service with an order that was paid: refunds are executed, or not, as told. */
async function service({ isOwn = true, shown = 'SUCCESS' } = {}): Promise<Service> {
  const state = { shown: shown as string | null, executed: 0, answers: [] as Service['answers'], isBlind: false }
  const desk = await handDesk(({ name }): Said => {
    if (name === 'order.create') return order('SUCCESS')
    if (name !== 'order.refund')
      return state.shown === null || state.isBlind ? { plain: { status: 503, body: '{}' } } : order(state.shown)
    const { executes, says, blinds = false } = state.answers.shift() ?? { says: noBalance }
    if (executes) {
      state.executed += 1
      state.shown = executes
    }
    state.isBlind ||= blinds
    return says
  })
  if (isOwn) expect((await desk.run(...charge)).code).toBe(0)
  await desk.run(...status)
  return Object.assign(state, desk)
}

/** Neither done nor denied. */
function undecided(ended: Ended) {
  expect([7, 9], ended.stdout + ended.stderr).toContain(ended.code)
  expect(ended.error.moneyMoved, ended.stderr).toBe('unknown')
}

test('a refund that was executed and refused is a conflict at once', async () => {
  const desk = await service()
  desk.answers.push({ executes: 'PARTIALLY_REFUNDED', says: noBalance })
  undecided(await desk.run(...refund('R')))
  undecided(await desk.run(...refund('R')))
  expect(desk.count('order.refund')).toBe(1)
})

test.each([
  ['refused, while its order cannot be read,', noBalance],
  ['turned away', { plain: { status: 429, headers: { 'retry-after': '600' }, body: '{"message":"busy"}' } }],
] as const)('a refund that was executed and %s is not sent again', async (_how, says) => {
  const desk = await service()
  desk.answers.push({ executes: 'PARTIALLY_REFUNDED', says, blinds: true })
  expect((await desk.run(...refund('R'))).error.moneyMoved).toBe('no')
  desk.isBlind = false
  undecided(await desk.run(...refund('R')))
  undecided(await desk.run(...refund('R')))
  expect(desk.executed).toBe(1)
  expect(desk.count('order.refund')).toBe(1)
})

test('a refund that was executed and refused is a conflict while its order shows a refund on its way', async () => {
  const desk = await service()
  desk.answers.push({ says: noBalance }, { executes: 'REFUND_REQUESTED', says: noBalance, blinds: true })
  expect((await desk.run(...refund('Q'))).code).toBe(5)
  expect((await desk.run(...refund('R'))).code).toBe(5)
  desk.isBlind = false
  undecided(await desk.run(...refund('R')))
  desk.shown = 'PARTIALLY_REFUNDED'
  await desk.run(...status)
  undecided(await desk.run(...refund('R')))
  expect(desk.executed).toBe(1)
})

test('the trace of a refund that was refused is read before another one is sent, however late', async () => {
  const desk = await service()
  desk.answers.push({ says: noBalance }, { executes: 'PARTIALLY_REFUNDED', says: noBalance, blinds: true })
  expect((await desk.run(...refund('Q'))).code).toBe(5)
  expect((await desk.run(...refund('R'))).code).toBe(5)
  desk.isBlind = false
  desk.skip(later)
  desk.answers.push({ executes: 'PARTIALLY_REFUNDED', says: order('REFUND_REQUESTED') })
  await desk.run(...refund('Q'))
  const executed = desk.executed
  await desk.run(...status)
  undecided(await desk.run(...refund('R')))
  expect(desk.executed).toBe(executed)
})

test.each(['order status', 'the run itself'])(
  'a lost refund of an order that was refunded before is not denied by a copy that lags behind what %s read',
  async (reader) => {
    const desk = await service({ shown: 'PARTIALLY_REFUNDED' })
    desk.answers.push({ executes: 'PARTIALLY_REFUNDED', says: { plain: 'reset' } })
    undecided(await desk.run(...refund('R')))
    if (reader === 'order status') await desk.run(...status)
    desk.shown = 'SUCCESS'
    desk.skip(later)
    undecided(await desk.run('resume', 'R'))
    undecided(await desk.run(...refund('R')))
    expect(desk.executed).toBe(1)
  },
)

test('a lost refund is not denied by a copy that lags behind what another write about its order has shown', async () => {
  const desk = await service()
  desk.answers.push({ executes: 'PARTIALLY_REFUNDED', says: noBalance, blinds: true })
  expect((await desk.run(...refund('Q'))).code).toBe(5)
  desk.isBlind = false
  await desk.run(...status)
  const taken = await desk.run(...refund('Q'))
  undecided(taken)
  // From now on all reads come from the copy.
  desk.shown = 'SUCCESS'
  desk.answers.push({ executes: 'SUCCESS', says: { plain: 'reset' } })
  undecided(await desk.run(...refund('R', '--allow-duplicate', String(taken.error.journalId))))
  desk.skip(later)
  undecided(await desk.run('resume', 'R'))
  undecided(await desk.run(...refund('R')))
  expect(desk.executed).toBe(2)
})

test.each(['order status', 'resume'])(
  'a lost refund that was read as failed by %s is not denied by a later SUCCESS',
  async (reader) => {
    const desk = await service()
    desk.answers.push({ executes: 'SUCCESS', says: { plain: 'reset' } })
    undecided(await desk.run(...refund('R')))
    desk.shown = 'REFUNDED_FAILED'
    await desk.run(...(reader === 'resume' ? ['resume', 'R'] : status))
    desk.shown = 'SUCCESS'
    await desk.run(...status)
    desk.skip(later)
    undecided(await desk.run('resume', 'R'))
    undecided(await desk.run(...refund('R')))
    expect(desk.executed).toBe(1)
  },
)

test('one read from a copy that lags behind makes no trace new', async () => {
  const desk = await service()
  desk.answers.push({ executes: 'PARTIALLY_REFUNDED', says: order('REFUND_REQUESTED') })
  expect((await desk.run(...refund('Q'))).code).toBe(0)
  await desk.run(...status)
  expect((await desk.run(...refund('R'))).code).toBe(5)
  for (const shown of ['SUCCESS', 'PARTIALLY_REFUNDED']) {
    desk.shown = shown
    await desk.run(...status)
  }
  expect((await desk.run(...refund('R'))).code).toBe(5)
})

test('where an order cannot be read, no second refund of it leaves', async () => {
  const desk = await service()
  desk.answers.push({ executes: 'PARTIALLY_REFUNDED', says: order('REFUND_REQUESTED') })
  expect((await desk.run(...refund('Q'))).code).toBe(0)
  await desk.run(...status)
  desk.shown = null
  const ended = await desk.run(...refund('R'))
  expect(ended, ended.stderr).toMatchObject({ code: 11, error: { moneyMoved: 'no', retry: 'same-id' } })
  expect(ended.error.message).toMatch(/order\.status/)
  desk.shown = 'PARTIALLY_REFUNDED'
  desk.answers.push({ executes: 'PARTIALLY_REFUNDED', says: order('REFUND_REQUESTED') })
  const sent = await desk.run(...refund('R'))
  expect(sent.code, sent.stderr).toBe(0)
  expect(desk.executed).toBe(2)
})

describe('a refund that was refused honestly goes out when it is asked for again', () => {
  test.each([
    ['of an order of this journal', true],
    ['of an order that was made elsewhere', false],
  ])('%s, after the first refund has ended', async (_whose, isOwn) => {
    const desk = await service({ isOwn })
    desk.answers.push({ executes: 'REFUND_REQUESTED', says: order('REFUND_REQUESTED') })
    expect((await desk.run(...refund('Q'))).code).toBe(0)
    desk.shown = 'PARTIALLY_REFUNDED'
    await desk.run(...status)
    expect((await desk.run(...refund('R'))).code).toBe(5)
    await desk.run(...status)
    desk.answers.push({ executes: 'PARTIALLY_REFUNDED', says: order('REFUND_REQUESTED') })
    const ended = await desk.run(...refund('R'))
    expect(ended.code, ended.stderr).toBe(0)
    expect(desk.executed).toBe(2)
  })

  test('behind another one that was taken', async () => {
    const desk = await service({ isOwn: false })
    desk.answers.push({ says: noBalance }, { executes: 'REFUND_REQUESTED', says: order('REFUND_REQUESTED') })
    expect((await desk.run(...refund('R'))).code).toBe(5)
    expect((await desk.run(...refund('Q'))).code).toBe(0)
    await desk.run(...status)
    desk.shown = 'PARTIALLY_REFUNDED'
    await desk.run(...status)
    desk.answers.push({ executes: 'PARTIALLY_REFUNDED', says: order('REFUND_REQUESTED') })
    const ended = await desk.run(...refund('R'))
    expect(ended.code, ended.stderr).toBe(0)
  })
})

describe('a refund of an order that was made, and refunded in part, elsewhere', () => {
  test('goes out again where it was refused honestly', async () => {
    const desk = await service({ isOwn: false, shown: 'PARTIALLY_REFUNDED' })
    expect((await desk.run(...refund('R'))).code).toBe(5)
    await desk.run(...status)
    desk.answers.push({ executes: 'PARTIALLY_REFUNDED', says: order('REFUND_REQUESTED') })
    const ended = await desk.run(...refund('R'))
    expect(ended.code, ended.stderr).toBe(0)
  })

  test('is a conflict where it was executed and refused, and shows so', async () => {
    const desk = await service({ isOwn: false, shown: 'PARTIALLY_REFUNDED' })
    desk.answers.push({ executes: 'REFUNDED_BY_INTEGRATOR', says: noBalance })
    undecided(await desk.run(...refund('R')))
  })
})

test('a trace that is read in an answer without a meaning before a repeat is a conflict', async () => {
  let read: Said = order('SUCCESS')
  const desk = await handDesk(({ name, count }): Said => {
    if (name === 'order.create') return order('SUCCESS')
    if (name !== 'order.refund') return read
    if (count === 1) read = { plain: { status: 503, body: '{}' } }
    return noBalance
  })
  expect((await desk.run(...charge)).code).toBe(0)
  expect((await desk.run(...refund('R'))).code).toBe(5)
  read = {
    plain: { status: 500, body: JSON.stringify({ integratorOrderId: handOrder, status: 'PARTIALLY_REFUNDED' }) },
  }
  undecided(await desk.run(...refund('R')))
  read = order('SUCCESS')
  undecided(await desk.run(...refund('R')))
  expect(desk.count('order.refund')).toBe(1)
})

test.each([
  ['without a permission', { code: 6008, group: 3 }],
  ['as unknown', { code: 6005, group: 5 }],
  ['with a token that is refused', { plain: { status: 401, body: '{"message":"no"}' } }],
] as const)(
  'a refund that may have arrived is not sent again while its order is answered %s',
  async (_how, refusal) => {
    let read: Said = order('SUCCESS')
    const desk = await handDesk(({ name, count }): Said => {
      if (name === 'order.create') return order('SUCCESS')
      if (name !== 'order.refund') return read
      if (count === 1) read = refusal
      return noBalance
    })
    expect((await desk.run(...charge)).code).toBe(0)
    await desk.run(...refund('R'))
    await desk.run(...refund('R'))
    expect(desk.count('order.refund')).toBe(1)
  },
)

test('a refund that is turned away is read before the same run sends it again', async () => {
  const desk = await service()
  const busy: Said = { plain: { status: 429, headers: { 'retry-after': '1' }, body: '{"message":"busy"}' } }
  desk.answers.push({ executes: 'PARTIALLY_REFUNDED', says: busy })
  undecided(await desk.run(...refund('R')))
  expect(desk.executed).toBe(1)
  expect(desk.count('order.refund')).toBe(1)
})

test('the trace of a refund is its own where its order was read without one before, whatever was known', async () => {
  const desk = await service()
  desk.answers.push({ executes: 'REFUND_REQUESTED', says: order('REFUND_REQUESTED') })
  expect((await desk.run(...refund('Q'))).code).toBe(0)
  // The refund fell back, or a copy lags behind.
  desk.shown = 'SUCCESS'
  desk.answers.push({ executes: 'PARTIALLY_REFUNDED', says: noBalance, blinds: true })
  await desk.run(...refund('R'))
  desk.isBlind = false
  await desk.run(...status)
  undecided(await desk.run(...refund('R')))
  expect(desk.executed).toBe(2)
})

test.each(['SUCCESS', 'PARTIALLY_REFUNDED'])(
  'a refund that is refused for the status of its order, which reads %s, is not denied',
  async (shown) => {
    const desk = await service({ shown })
    desk.answers.push({ executes: shown, says: { code: 6006, group: 2 } })
    undecided(await desk.run(...refund('R')))
    undecided(await desk.run(...refund('R')))
    expect(desk.executed).toBe(1)
  },
)

test.each([6006, 6007, 6015])('a copy that lags behind what is known says nothing of a refusal (%i)', async (code) => {
  const desk = await service()
  desk.answers.push({ executes: 'PARTIALLY_REFUNDED', says: order('REFUND_REQUESTED') })
  expect((await desk.run(...refund('Q'))).code).toBe(0)
  await desk.run(...status)
  desk.answers.push({ executes: 'SUCCESS', says: { code, group: 2 } })
  undecided(await desk.run(...refund('R')))
  undecided(await desk.run(...refund('R')))
  expect(desk.executed).toBe(2)
})

const turnedAway: Said = { plain: { status: 429, headers: { 'retry-after': '1' }, body: '{"message":"busy"}' } }

test.each([
  ['of another order', { value: { integratorOrderId: foreignOrder, status: 'SUCCESS' } }],
  ['of a status before its payment', order('PROCESSING')],
  ['without a status', { value: { integratorOrderId: handOrder } }],
] as const)('a refund that was executed and turned away is not sent again behind a read %s', async (_what, read) => {
  let executed = 0
  const desk = await handDesk(({ name }): Said => {
    if (name === 'order.refund') return [turnedAway, order('REFUND_REQUESTED')][executed++] ?? noBalance
    return executed === 0 ? order('SUCCESS') : read
  })
  expect((await desk.run(...refund('R'))).code).not.toBe(0)
  await desk.run(...refund('R'))
  expect(executed).toBe(1)
})

test('a lost refund is not denied by a copy that lags behind what was read before it left', async () => {
  const desk = await service({ isOwn: false, shown: 'PARTIALLY_REFUNDED' })
  desk.answers.push({ executes: 'PARTIALLY_REFUNDED', says: { plain: 'reset' }, blinds: true })
  undecided(await desk.run(...refund('R')))
  desk.isBlind = false
  desk.shown = 'SUCCESS'
  desk.skip(later)
  undecided(await desk.run('resume', 'R'))
})

test.each([
  ['of all of it', '12.50', 9],
  ['of more', '12.51', 5],
] as const)(
  'a refund %s that is refused as too much, beside an order of which all is left',
  async (_what, sum, code) => {
    const whole = { value: { integratorOrderId: handOrder, status: 'SUCCESS', amount: new JsonNumber('12.50') } }
    const desk = await handDesk(({ name }): Said => (name === 'order.refund' ? { code: 6007, group: 1 } : whole))
    const argv = ['order', 'refund', handOrder, '--amount', sum, '--key', 'R', '--yes']
    expect(await desk.run(...argv)).toMatchObject({ code, error: { moneyMoved: code === 9 ? 'unknown' : 'no' } })
  },
)

test('a refund of an order that the service does not know is "not found", as often as it is asked for', async () => {
  const desk = await handDesk((): Said => ({ code: 6005, group: 5 }))
  for (let run = 0; run < 3; run += 1) {
    const { code, error, stderr } = await desk.run(...refund('R'))
    expect(code, stderr).toBe(6)
    expect(error).toMatchObject({ service: { statusCode: 6005 }, moneyMoved: 'no' })
  }
})

test('a refund that was turned away is not sent again behind a read that is older than the one before it', async () => {
  const desk = await service({ isOwn: false, shown: 'PARTIALLY_REFUNDED' })
  desk.answers.push({ executes: 'SUCCESS', says: turnedAway }, { executes: 'SUCCESS', says: order('REFUND_REQUESTED') })
  expect((await desk.run(...refund('R'))).code).not.toBe(0)
  const again = await desk.run(...refund('R'))
  expect(again.code, again.stderr).toBe(11)
  expect(again.error.message).toContain('reads SUCCESS, which is older than what is known here')
  expect(desk.executed).toBe(1)
})

test('a refund of an order that was not paid is refused, as often as it is asked for', async () => {
  const desk = await service({ isOwn: false, shown: 'CANCELED' })
  desk.answers.push({ says: { code: 6006, group: 2 } })
  for (let run = 0; run < 3; run += 1) {
    const { code, error, stderr } = await desk.run(...refund('R'))
    expect(code, stderr).toBe(5)
    expect(error.moneyMoved).toBe('no')
  }
  expect(desk.count('order.refund')).toBe(1)
})

test.each([
  ['429', turnedAway],
  ['429 for later', { plain: { status: 429, headers: { 'retry-after': '600' }, body: '{"message":"busy"}' } }],
  ['307', { plain: { status: 307, headers: { location: '/elsewhere' }, body: '' } }],
] as const)(
  'a refund that was executed and turned away (%s) is not sent again where no status can tell',
  async (_, says) => {
    const desk = await service({ isOwn: false, shown: 'PARTIALLY_REFUNDED' })
    desk.answers.push({ executes: 'PARTIALLY_REFUNDED', says })
    expect((await desk.run(...refund('R'))).code).not.toBe(0)
    const { code, error, stderr } = await desk.run(...refund('R'))
    expect(code, stderr).toBe(9)
    expect(error.moneyMoved).toBe('unknown')
    desk.skip(later)
    undecided(await desk.run(...refund('R')))
    expect(desk.count('order.refund')).toBe(1)
  },
)

test('a refund that was turned away where no status can tell goes out again by the word of a person', async () => {
  const desk = await service({ isOwn: false, shown: 'PARTIALLY_REFUNDED' })
  desk.answers.push({ says: turnedAway }, { executes: 'PARTIALLY_REFUNDED', says: order('REFUND_REQUESTED') })
  const { code, error, stderr } = await desk.run(...refund('R'))
  expect(code, stderr).toBe(9)
  expect(error.message).toContain('turned away')
  const words = ['--settle', 'refused', '--because', 'the portal has one refund', '--yes']
  expect((await desk.run('resume', String(error.journalId), ...words)).code).toBe(0)
  const sent = await desk.run(...refund('R'))
  expect(sent.code, sent.stderr).toBe(0)
  expect(desk.executed).toBe(1)
})

test.each([
  ['a read', ['resume', 'R']],
  ['a person', ['resume', 'R', '--settle', 'refused', '--because', 'the portal has none', '--yes']],
] as const)('a lost refund that %s denied is not done by a refund that somebody else made', async (_who, settling) => {
  const desk = await service()
  desk.answers.push({ says: { plain: 'reset' } })
  undecided(await desk.run(...refund('R')))
  desk.skip(later)
  await desk.run(...settling)
  desk.shown = 'PARTIALLY_REFUNDED'
  const again = await desk.run(...refund('R'))
  undecided(again)
  expect(again.error.message).toContain('PARTIALLY_REFUNDED, which does not tell whether the one whose answer was lost')
  undecided(await desk.run('resume', 'R'))
  undecided(await desk.run(...refund('R')))
  expect(desk.count('order.refund')).toBe(1)
  const words = ['--settle', 'refused', '--because', 'the portal has another one', '--yes']
  expect((await desk.run('resume', 'R', ...words)).code).toBe(0)
  desk.answers.push({ executes: 'PARTIALLY_REFUNDED', says: order('REFUND_REQUESTED') })
  const sent = await desk.run(...refund('R'))
  expect(sent.code, sent.stderr).toBe(0)
  expect(desk.executed).toBe(1)
})
