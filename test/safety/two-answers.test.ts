/**
 * A gateway that sends a request twice may pass on both answers: a refusal, and behind it that of what was executed. A refusal
 * may also be another request's. Neither proves that nothing moved.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { JsonNumber } from '../../src/lib/contract/core/decimal.ts'
import { foreignOrder, handDesk, handOrder } from '../kit/service/hand-desk.ts'
import { handPayout } from '../kit/service/hand-payout.ts'
import type { Said } from '../kit/service/sealed-by-hand.ts'
import { bytesOf, json, type Reply } from '../kit/service/service-by-hand.ts'

type Members = Readonly<Record<string, unknown>>

const order = { integratorOrderId: handOrder }

/** A desk with a file that holds the token of a saved card. */
async function deskWithCard(answering: Parameters<typeof handDesk>[0]) {
  const desk = await handDesk(answering)
  const card = join(desk.home, 'card')
  writeFileSync(card, '454d428e-4419-4cee-aa68-eae36cc82c81', { mode: 0o600 })
  return {
    ...desk,
    run: (...argv: readonly string[]) => desk.run(...argv.map((word) => (word === '@card' ? card : word))),
  }
}

/** The code is one that refuses in the area. */
const writes: Readonly<
  Record<string, readonly [operation: string, argv: readonly string[], done: Members, code: number]>
> = {
  'a refund': [
    'order.refund',
    ['order', 'refund', handOrder, '--amount', '5', '--key', 'r-1', '--yes'],
    { ...order, status: 'REFUND_REQUESTED' },
    6130,
  ],
  'a completion': [
    'order.complete',
    ['order', 'complete', handOrder, '--amount', '5', '--yes'],
    { ...order, status: 'SUCCESS' },
    6130,
  ],
  'a cancellation': ['order.cancel', ['order', 'cancel', handOrder, '--yes'], { ...order, status: 'CANCELED' }, 6130],
  'a charge of a card': [
    'order.create',
    [
      ...['order', 'create', '--amount', '5', '--receiver-id', foreignOrder],
      ...['--integrator-order-id', handOrder, '--card-token-file', '@card', '--yes'],
    ],
    { ...order, urlForQR: 'https://pay.example/x' },
    6130,
  ],
  'a finalize': [
    'wallet.finalize',
    ['wallet', 'finalize', '--unique-id', handOrder, '--amount', '5', '--final-status', 'SUCCESS', '--yes'],
    { uniqueId: handOrder, status: 'SUCCESS' },
    6110,
  ],
  'a cancellation of the wallet': [
    'wallet.cancel',
    ['wallet', 'cancel', handOrder, '--yes'],
    { uniqueId: handOrder, status: 'CANCELED' },
    6040,
  ],
}

const turningAway: Readonly<Record<string, (code: number) => string>> = {
  'a refusal': (code) => bytesOf('400 Bad Request', { message: 'no', statusCode: code, exceptionGroup: 2 }),
  'a refusal that is said to be the last': (code) =>
    bytesOf('400 Bad Request', { message: 'no', statusCode: code, exceptionGroup: 2 }, 'connection: close\r\n'),
  '429 with a pause': () => bytesOf('429 Too Many Requests', {}, 'retry-after: 100\r\n'),
  '429 without one': () => bytesOf('429 Too Many Requests', {}, 'retry-after: 0\r\n'),
  '401': () => bytesOf('401 Unauthorized', {}),
  '307': () => bytesOf('307 Temporary Redirect', {}, 'location: https://elsewhere.example/\r\n'),
}
const nobody: Said = { plain: { status: 502, body: '<html>Bad Gateway</html>' } }

describe.each(Object.entries(writes))('%s', (_write, [operation, argv, done, code]) => {
  async function twice(said: Said) {
    const desk = await deskWithCard(({ name, count }) => (name === operation && count === 1 ? said : nobody))
    const first = await desk.run(...argv)
    expect(first, first.stdout).toMatchObject({ code: 9, stdout: '', error: { moneyMoved: 'unknown' } })
    const sent = desk.count(operation)
    const again = await desk.run(...argv)
    expect(again, again.stdout).toMatchObject({ code: 9, error: { moneyMoved: 'unknown' } })
    return { sent, again: desk.count(operation) - sent }
  }

  test.each(Object.entries(turningAway))('is in doubt after %s with its own answer behind it', async (_, raw) => {
    for (const after of [0, 300]) {
      const { sent, again } = await twice({ raw: raw(code), behind: done, after })
      // A refund must not be sent a second time; the others do no more than once what was asked for.
      if (operation === 'order.refund') expect([sent, again]).toEqual([1, 0])
    }
  })

  const id = operation.startsWith('wallet') ? 'uniqueId' : 'integratorOrderId'
  const refusal = { message: 'no', statusCode: code, exceptionGroup: 2 }
  test.each([
    ['beside the code', json({ ...refusal, [id]: foreignOrder }, 400)],
    ['in other capitals', json({ ...refusal, [id.toUpperCase()]: foreignOrder }, 400)],
    ['in a value', json({ ...refusal, value: { [id]: foreignOrder } }, 400)],
  ])('is in doubt after a refusal of another one, named %s', async (_, plain) => {
    const { sent, again } = await twice({ plain })
    if (operation === 'order.refund') expect([sent, again]).toEqual([1, 0])
  })

  test('is in doubt after a sealed refusal of another one', async () => {
    await twice({ value: { ...refusal, [id]: foreignOrder } })
  })

  test('is refused where the refusal names it, and nothing follows', async () => {
    const plain = json({ ...refusal, [id]: handOrder.toUpperCase() }, 400)
    const details = {
      uniqueId: handOrder,
      amount: new JsonNumber('5'),
      status: 'REGISTERED',
      createdAt: '2026-11-20T10:00:00',
    }
    const desk = await deskWithCard(({ name }) => {
      if (name === 'wallet.details') return { value: details }
      return name === operation ? { plain } : nobody
    })
    const ended = await desk.run(...argv)
    expect(ended, ended.stdout + ended.stderr).toMatchObject({ code: 5, error: { moneyMoved: 'no' } })
  })
})

describe('a payout', () => {
  const taken = { transactionId: 1, status: 'INITIAL', uniqueId: handOrder }

  test.each(Object.entries(turningAway))('that is taken behind %s is never told as not moved', async (_, raw) => {
    for (const after of [0, 300]) {
      const ok = bytesOf('200 OK', taken)
      const twice: Reply = after === 0 ? { raw: raw(5038) + ok } : { raw: raw(5038), later: { raw: ok, after } }
      const desk = await handPayout(({ path }, count) => {
        if (path !== '/api/distributor') return undefined
        return count === 1 ? twice : json({ message: 'exists', statusCode: 5017 }, 400)
      })
      const ended = await desk.pay()
      expect(ended, ended.stderr).toMatchObject({ code: 0, json: { sumConfirmed: false } })
    }
  })

  test('whose refusal is of another one is in doubt, and asked again', async () => {
    const desk = await handPayout(({ path }, count) => {
      if (path !== '/api/distributor') return undefined
      return json(
        { message: 'no', statusCode: count === 1 ? 5038 : 5017, ...(count === 1 ? { uniqueId: foreignOrder } : {}) },
        400,
      )
    })
    expect(await desk.pay()).toMatchObject({ code: 0, json: { sumConfirmed: false } })
  })
})
