/** Refunds of one order beside each other, and beside those of other clients: what explains a status, and what does not. */
import { describe, expect, test } from 'vitest'
import type { Ended } from '../kit/program/paydesk.ts'
import { type HandDesk, handDesk, handOrder } from '../kit/service/hand-desk.ts'
import { chargeCard } from '../kit/service/hand-lines.ts'
import type { Said } from '../kit/service/sealed-by-hand.ts'
import { tamper } from '../kit/store/tampered.ts'

const charge = chargeCard()
const refund = (key: string, amount = '5') => [
  ...['order', 'refund', handOrder, '--amount', amount, '--key', key, '--yes'],
]
const settled = (key: string, word: string) => [
  ...['resume', key, '--settle', word, '--because', 'the portal says so', '--yes'],
]
const status = ['order', 'status', handOrder]
const noBalance: Said = { code: 6130, group: 2 }
const lost: Said = { plain: 'reset' }
const busy: Said = { plain: { status: 429, headers: { 'retry-after': '1' }, body: '{"message":"busy"}' } }
const later = 20 * 60_000

const order = (read: string): Said => ({
  value: { integratorOrderId: handOrder, uniqueId: handOrder, status: read },
})

interface Service extends HandDesk {
  /** The status of the order; null where it cannot be read. */
  shown: string | null
  /** The answers to the next refunds. */
  readonly answers: Said[]
  /** Happens before the next refund is answered. */
  meanwhile: () => Promise<unknown>
}

async function service({ isOwn = false, shown = 'SUCCESS' } = {}): Promise<Service> {
  const nothing = async (): Promise<unknown> => undefined
  const state = { shown: shown as string | null, answers: [] as Said[], meanwhile: nothing }
  const desk = await handDesk(async ({ name }): Promise<Said> => {
    if (name === 'order.create') return order('SUCCESS')
    if (name !== 'order.refund')
      return state.shown === null ? { plain: { status: 503, body: '{}' } } : order(state.shown)
    await state.meanwhile()
    state.meanwhile = nothing
    return state.answers.shift() ?? noBalance
  })
  if (isOwn) expect((await desk.run(...charge)).code).toBe(0)
  return Object.assign(state, desk)
}

/** Neither done nor denied. */
function undecided(ended: Ended) {
  expect([7, 9], ended.stdout + ended.stderr).toContain(ended.code)
  expect(ended.error.moneyMoved, ended.stderr).toBe('unknown')
}

test('a refund whose trace another process reads while it waits is not sent again behind a copy that lags', async () => {
  const desk = await service()
  desk.answers.push(busy)
  desk.meanwhile = async () => {
    desk.shown = 'PARTIALLY_REFUNDED'
    await desk.run(...status)
    desk.shown = 'SUCCESS'
  }
  undecided(await desk.run(...refund('R')))
  // The look before it, and that of the other process: then nothing more is waited for.
  expect(desk.count('order.status')).toBe(2)
  expect(desk.count('order.refund')).toBe(1)
})

test('a refund that was refused behind no read stays so by a status that was known before it', async () => {
  const desk = await service({ isOwn: true, shown: 'PARTIALLY_REFUNDED' })
  await desk.run(...status)
  desk.shown = null
  expect((await desk.run(...refund('R'))).code).toBe(5)
  desk.shown = 'PARTIALLY_REFUNDED'
  await desk.run(...status)
  const again = await desk.run(...refund('R'))
  expect(again.code, again.stderr).toBe(5)
})

test('a lost refund is not denied by a read that does not show another one, which a person called executed', async () => {
  const desk = await service()
  desk.answers.push(lost, lost)
  undecided(await desk.run(...refund('Q', '6')))
  expect((await desk.run(...settled('Q', 'executed'))).code).toBe(0)
  undecided(await desk.run(...refund('R')))
  desk.skip(later)
  undecided(await desk.run('resume', 'R'))
  expect(desk.count('order.refund')).toBe(2)
})

test('a copy that lags behind at the status from before a refund makes its refusal no conflict', async () => {
  const desk = await service({ isOwn: true, shown: 'PARTIALLY_REFUNDED' })
  expect((await desk.run(...refund('R'))).code).toBe(5)
  desk.answers.push(order('REFUND_REQUESTED'))
  expect((await desk.run(...refund('Q', '6'))).code).toBe(0)
  desk.shown = 'REFUNDED_BY_INTEGRATOR'
  await desk.run(...status)
  desk.shown = 'PARTIALLY_REFUNDED'
  await desk.run(...status)
  const again = await desk.run(...refund('R'))
  expect(again, again.stderr).toMatchObject({ code: 11, error: { moneyMoved: 'no' } })
})

test('an open refund tells the status that is read, though it was known before it left', async () => {
  const desk = await service({ isOwn: true, shown: 'PARTIALLY_REFUNDED' })
  desk.answers.push(lost)
  undecided(await desk.run(...refund('R')))
  await desk.run(...status)
  expect((await desk.run('journal', 'show', 'R')).json).toMatchObject({ status: 'PARTIALLY_REFUNDED' })
})

test('a refund that was turned away has not the status that was read before it left', async () => {
  const desk = await service({ shown: 'PARTIALLY_REFUNDED' })
  desk.answers.push({ plain: { status: 429, headers: { 'retry-after': '600' }, body: '{"message":"busy"}' } })
  expect((await desk.run(...refund('R'))).code).toBe(5)
  expect((await desk.run('journal', 'show', 'R')).json).toMatchObject({ state: 'turned-away', status: null })
})

describe('behind a refund that was told as not executed, and is there by a read since', () => {
  /** Q lost its answer, was told as not executed, and runs late. */
  async function lateRefund() {
    const desk = await service()
    desk.answers.push(lost, order('REFUND_REQUESTED'), order('REFUND_REQUESTED'))
    expect((await desk.run(...refund('Q'))).code).toBe(9)
    desk.skip(later)
    expect(await desk.run('resume', 'Q')).toMatchObject({ code: 5, error: { moneyMoved: 'no' } })
    desk.shown = 'PARTIALLY_REFUNDED'
    return { desk, journalId: String((await desk.run('journal', 'show', 'Q')).json.journalId) }
  }

  test.each([
    ['the read before it', '5', false],
    ['the read before it', '3', false],
    ['order status', '5', true],
    ['order status', '3', true],
  ])(
    'the next one is a duplicate (7) by what %s shows, of %s, however often it is run',
    async (_by, amount, isRead) => {
      const { desk, journalId } = await lateRefund()
      if (isRead) {
        const { warnings } = (await desk.run(...status)).json
        expect(warnings).toEqual([expect.stringMatching(/^its order\.refund is in conflict/)])
      }
      for (const _time of [1, 2]) {
        const next = await desk.run(...refund('R', amount))
        expect(next, next.stderr).toMatchObject({ code: 7, error: { moneyMoved: 'unknown', retry: 'never' } })
        expect(next.error.message).toContain(journalId)
      }
      undecided(await desk.run(...refund('Q')))
      expect(desk.count('order.refund')).toBe(1)
    },
  )

  test('two at once are duplicates, both', async () => {
    const { desk } = await lateRefund()
    const ended = await Promise.all(['R', 'S'].map((key) => desk.run(...refund(key))))
    expect(ended.map(({ code }) => code)).toEqual([7, 7])
    expect(desk.count('order.refund')).toBe(1)
  })

  test('the next one is sent where it is meant as one more', async () => {
    const { desk, journalId } = await lateRefund()
    expect((await desk.run(...refund('R'), '--allow-duplicate', journalId)).code).toBe(0)
    expect(desk.count('order.refund')).toBe(2)
  })

  test.each(['executed', 'refused'])('the next one is sent where a person has said that it was %s', async (word) => {
    const { desk } = await lateRefund()
    expect((await desk.run(...refund('R'))).code).toBe(7)
    expect((await desk.run(...settled('Q', word))).code).toBe(0)
    // The same status says nothing new.
    expect((await desk.run(...status)).json).toMatchObject({ warnings: [] })
    expect((await desk.run(...refund('R'))).code).toBe(0)
    expect(desk.count('order.refund')).toBe(2)
  })
})

test('no refund leaves beside another one while what its order reads cannot be noted', async () => {
  const desk = await service()
  desk.answers.push(noBalance, order('REFUND_REQUESTED'))
  expect((await desk.run(...refund('Q'))).code).toBe(5)
  tamper(
    desk.home,
    "create trigger no_notes before update on intents when new.state = 'refused' begin select raise(fail, 'no'); end",
  )
  desk.shown = 'PARTIALLY_REFUNDED'
  const next = await desk.run(...refund('R', '3'))
  expect(next, next.stderr).toMatchObject({ code: 11, error: { moneyMoved: 'no' } })
  expect(next.error.message).toContain('could not note')
  expect(desk.count('order.refund')).toBe(1)
})
