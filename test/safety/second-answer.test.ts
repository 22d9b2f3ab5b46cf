/**
 * A request that something on the way sent twice is executed by its first copy, and its second is refused. A read that lags behind
 * what was known before the write proves nothing about that refusal.
 */
import { describe, expect, test } from 'vitest'
import { foreignOrder, handDesk, handOrder } from '../kit/service/hand-desk.ts'
import { chargeCard } from '../kit/service/hand-lines.ts'
import type { Said } from '../kit/service/sealed-by-hand.ts'

const order = (status: string, more = {}): Said => ({ value: { integratorOrderId: handOrder, status, ...more } })
const line = (verb: string, amount: string) => ['order', verb, handOrder, '--amount', amount, '--yes']
const status = ['order', 'status', handOrder]

const created: Said = { value: { integratorOrderId: handOrder, urlForQR: 'https://pay.example/1' } }

/** Writes are answered by `refusal`; reads show these statuses one after the other, and the last one from then on. */
function service(refusal: Said, reads: readonly string[]) {
  return handDesk(({ name, count, request }) => {
    if (name === 'order.create') return request.cardToken === undefined ? created : order('SUCCESS')
    if (name !== 'order.status') return refusal
    return order(reads[Math.min(count, reads.length) - 1] ?? '')
  })
}

const over: Said = { code: 6006, group: 2 }
const tooMuch: Said = { code: 6007, group: 1 }

describe.each([
  [6006, over],
  [6007, tooMuch],
] as const)('%i behind a refund', (_code, refusal) => {
  test.each(['EXPIRED', 'FAILED', 'INITIAL', 'PROCESSING', 'WAITING_FOR_CONFIRM', 'CANCELED'])(
    'of an order that was read as paid proves nothing beside %s',
    async (read) => {
      const desk = await service(refusal, ['SUCCESS', read])
      const ended = await desk.run(...line('refund', '5'))
      expect(ended, ended.stderr).toMatchObject({ code: 9, error: { moneyMoved: 'unknown' } })
      expect(ended.error.message).toContain(`reads ${read}, which is older than SUCCESS`)
    },
  )

  test('of an order that was never paid is a refusal', async () => {
    const desk = await service(refusal, ['INITIAL'])
    expect(await desk.run(...line('refund', '5'))).toMatchObject({ code: 5, error: { moneyMoved: 'no' } })
  })
})

describe('too much of an order that reads as paid without its amount', () => {
  test.each([
    ['SUCCESS', '12.50', 9, 'unknown'],
    ['SUCCESS', '12.51', 5, 'no'],
    // All of it is there again.
    ['REFUNDED_FAILED', '12.50', 9, 'unknown'],
    ['REFUNDED_FAILED', '12.51', 5, 'no'],
  ])('that was created here with 12.50: %s, %s', async (read, amount, code, moneyMoved) => {
    const desk = await service(tooMuch, [read])
    expect((await desk.run(...chargeCard())).code).toBe(0)
    const ended = await desk.run(...line('refund', amount))
    expect(ended, ended.stderr).toMatchObject({ code, error: { moneyMoved } })
  })

  test.each([
    ['12.50', 9],
    ['12.51', 5],
  ])('that shows an amount of 0, which is none: %s', async (amount, code) => {
    const desk = await handDesk(({ name }) =>
      name === 'order.refund' ? tooMuch : order('SUCCESS', name === 'order.status' ? { amount: 0 } : {}),
    )
    expect((await desk.run(...chargeCard())).code).toBe(0)
    const ended = await desk.run(...line('refund', amount))
    expect(ended, ended.stderr).toMatchObject({ code })
  })

  const ofOne = ['--receiver-id', 'c1d1c1d1-0321-4a11-8c11-000000000321', '--integrator-order-id', handOrder]
  const plan = ['--amount', '0', '--direct-link-provider', 'BOG', '--save-card', '--plan', 'monthly:1:9.90']
  const tip = ['--amount', '12.50', '--tip-receiver-id', foreignOrder, '--tip-receiver-type', 'BRANCH']
  test.each([
    ['a plan', plan, '9.90'],
    ['a tip', tip, '13.50'],
  ])('that was created here with %s may have been paid with any sum', async (_with, members, amount) => {
    const desk = await service(tooMuch, ['SUCCESS'])
    expect((await desk.run('order', 'create', ...ofOne, ...members, '--yes')).code).toBe(0)
    const ended = await desk.run(...line('refund', amount))
    expect(ended, ended.stderr).toMatchObject({ code: 9, error: { moneyMoved: 'unknown' } })
  })

  test('that was created elsewhere is a refusal', async () => {
    const desk = await service(tooMuch, ['SUCCESS'])
    expect(await desk.run(...line('refund', '5'))).toMatchObject({ code: 5, error: { moneyMoved: 'no' } })
  })
})

describe.each([
  [6006, over],
  [6007, tooMuch],
] as const)('%i behind a completion', (_code, refusal) => {
  test.each(['INITIAL', 'PROCESSING', 'FAILED'])(
    'of an order whose amount was blocked proves nothing beside %s, nor when it reads SUCCESS',
    async (read) => {
      const desk = await service(refusal, ['WAITING_FOR_CONFIRM', read, read, read, 'SUCCESS'])
      expect((await desk.run('order', 'create', ...preAuth)).code).toBe(0)
      await desk.run(...status)
      const ended = await desk.run(...line('complete', '5'))
      expect(ended, ended.stderr).toMatchObject({ code: 9, error: { moneyMoved: 'unknown' } })
      expect(ended.error.message).toContain(`reads ${read}`)
      const resumed = await desk.run('resume', String(ended.error.journalId))
      expect(resumed, resumed.stderr).toMatchObject({ code: 9, error: { moneyMoved: 'unknown' } })
      expect(desk.count('order.complete')).toBe(1)
    },
  )

  test.each(['INITIAL', 'PROCESSING', 'FAILED'])(
    'of an order that was made elsewhere, and was blocked right before it, proves nothing beside %s',
    async (read) => {
      const desk = await service(refusal, ['WAITING_FOR_CONFIRM', read])
      const ended = await desk.run(...line('complete', '5'))
      expect(ended, ended.stderr).toMatchObject({ code: 9, error: { moneyMoved: 'unknown' } })
      expect(ended.error.message).toContain(`reads ${read}, which is older than WAITING_FOR_CONFIRM`)
    },
  )

  test('of an order whose amount was never blocked, as far as it was seen, is a refusal', async () => {
    const desk = await service(refusal, ['INITIAL'])
    expect(await desk.run(...line('complete', '5'))).toMatchObject({ code: 5, error: { moneyMoved: 'no' } })
  })
})

const preAuth = [
  ...['--amount', '12.50', '--receiver-id', 'c1d1c1d1-0321-4a11-8c11-000000000321', '--integrator-order-id', handOrder],
  ...['--pay-with-pre-auth', '--yes'],
]

test('"already paid" of a cancellation is told as such, whatever a copy shows that lags behind', async () => {
  const desk = await service({ code: 6016, group: 2 }, ['EXPIRED'])
  const ended = await desk.run('order', 'cancel', handOrder, '--yes')
  expect(ended, ended.stderr).toMatchObject({ code: 5 })
  expect(ended.error.message).toContain('6016')
  expect(ended.error.message).not.toMatch(/EXPIRED|not paid/)
})
