/** An answer says one thing: two ids, statuses, sums or codes, wherever and in whatever capitals they stand, prove nothing. */
import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { JsonNumber } from '../../src/lib/contract/core/decimal.ts'
import { broken, foreignOrder, handDesk, handOrder } from '../kit/service/hand-desk.ts'
import { handPayout } from '../kit/service/hand-payout.ts'
import type { Said } from '../kit/service/sealed-by-hand.ts'
import { json } from '../kit/service/service-by-hand.ts'

type Members = Readonly<Record<string, unknown>>

const yes = '--yes'
const cardToken = '454d428e-4419-4cee-aa68-eae36cc82c81'
const order = { integratorOrderId: handOrder }
const writes: Readonly<Record<string, readonly [operation: string, argv: readonly string[], done: Members]>> = {
  'a refund': [
    'order.refund',
    ['order', 'refund', handOrder, '--amount', '5', '--key', 'r-1', yes],
    { ...order, status: 'REFUND_REQUESTED' },
  ],
  'a completion': [
    'order.complete',
    ['order', 'complete', handOrder, '--amount', '5', yes],
    { ...order, status: 'SUCCESS' },
  ],
  'a cancellation': ['order.cancel', ['order', 'cancel', handOrder, yes], { ...order, status: 'CANCELED' }],
  'a finalize': [
    'wallet.finalize',
    ['wallet', 'finalize', '--unique-id', handOrder, '--amount', '5', '--final-status', 'SUCCESS', yes],
    { uniqueId: handOrder, status: 'SUCCESS' },
  ],
}

const number = (value: number) => new JsonNumber(String(value))
const foreign = { uniqueId: foreignOrder, integratorOrderId: foreignOrder }

const nested = (depth: number, inmost: Members): Members =>
  depth === 0 ? inmost : { result: nested(depth - 1, inmost) }

/** Members that contradict any answer that is done. */
const shapes: Readonly<Record<string, (done: Members) => Members>> = {
  'a refusing StatusCode': (done) => ({ ...done, StatusCode: number(6017), Message: 'no', ExceptionGroup: number(2) }),
  'a StatusCode in a Value': (done) => ({ ...done, Value: { StatusCode: number(6017) } }),
  'another id beside its value': (value) => ({ ...foreign, value }),
  'another transactionId beside its value': (done) => ({
    ...{ transactionId: number(999), value: { ...done, transactionId: number(4711) } },
  }),
  'a Status in capitals beside its value': (value) => ({ Status: 'REJECTED', value }),
  'a status of error beside its value': (value) => ({ status: 'error', value }),
  'two transactionIds': (done) => ({ ...done, transactionId: number(4711), TransactionId: number(999) }),
  'two sums': (done) => ({ ...done, amount: number(5), value: { ...done, amount: number(6) } }),
  'two codes that refuse': (done) => ({ ...done, statusCode: number(6017), StatusCode: number(6023) }),
  'an error in a Value': (done) => ({ ...done, Value: { error: 'no' } }),
  'a refusing statusCode in a result': (done) => ({ ...done, result: { statusCode: number(6017) } }),
  'a refusing statusCode in a list of results': (done) => ({ ...done, results: [[{ status_code: number(6017) }]] }),
  'a failed status of its thing in an object': (done) => ({ ...done, order: { status: 'FAILED' } }),
  'another id in an object': (done) => ({ ...done, order: { ...foreign } }),
  'a status that refuses in an object': (done) => ({ ...done, data: { status: 'ORDER_NOT_FOUND' } }),
  'a failed status of its thing in a list': (done) => ({ ...done, items: [{ status: 'FAILED' }] }),
  'a refusing statusCode nine objects deep': (done) => ({ ...done, ...nested(9, { statusCode: number(6017) }) }),
  'an error in its data': (done) => ({ ...done, data: { error: 'declined', status: 'REJECTED' } }),
  'a failure in its data': (done) => ({ ...done, data: { success: false } }),
}

describe.each(Object.entries(writes))('%s', (_write, [operation, argv, done]) => {
  async function answered(said: Said) {
    const desk = await handDesk(({ name, count }) => (name === operation && count === 1 ? said : broken))
    return await desk.run(...argv)
  }

  test.each(Object.entries(shapes))('has no definite answer in %s', async (_shape, shape) => {
    const ended = await answered({ value: shape(done) })
    expect(ended, ended.stdout).toMatchObject({ code: 9, stdout: '', error: { moneyMoved: 'unknown' } })
  })

  const besides: readonly Members[] = [foreign, { status: 'FAILED' }, { STATUS: 'FAILED' }, { error: 'no' }]
  test.each(besides)('has no definite answer beside %o in the clear', async (clear) => {
    const desk = await handDesk(({ name, count }) =>
      name === operation && count === 1 ? { value: done, clear } : broken,
    )
    const ended = await desk.run(...argv)
    expect(ended, ended.stdout).toMatchObject({ code: 9, stdout: '', error: { moneyMoved: 'unknown' } })
  })

  test('is done beside members that contradict nothing', async () => {
    const harmless = { message: null, success: true, statusCode: number(200), status: number(200), errors: [] }
    const desk = await handDesk(({ name, count }) =>
      name === operation && count === 1
        ? { value: { ...harmless, STATUS: 'ok', ...order, uniqueId: handOrder, value: done }, clear: harmless }
        : broken,
    )
    const ended = await desk.run(...argv)
    expect(ended.code, ended.stderr).toBe(0)
  })
})

describe.each(['a refund', 'a completion', 'a finalize'])('%s', (name) => {
  const [operation, argv, done] = writes[name] ?? ['', [], {}]
  const sums: Readonly<Record<string, Members>> = {
    'AMOUNT in capitals': { ...done, AMOUNT: number(9999) },
    'an amount beside its value': { amount: number(9999), value: done },
  }
  test.each(Object.entries(sums))('has no definite answer with another sum: %s', async (_sum, value) => {
    const desk = await handDesk((call) => (call.name === operation && call.count === 1 ? { value } : broken))
    const ended = await desk.run(...argv)
    expect(ended, ended.stdout).toMatchObject({ code: 9, stdout: '', error: { moneyMoved: 'unknown' } })
    expect(ended.error.message).toContain('9999')
    expect(desk.count(operation)).toBe(1)
  })
})

describe('a payout', () => {
  const done = { transactionId: 4711, status: 'INITIAL', uniqueId: handOrder, createdAt: '2026-11-20T10:00:00' }
  const contrary: Readonly<Record<string, object>> = {
    'a refusing StatusCode': { ...done, StatusCode: 5038 },
    'another id beside its value': { uniqueId: foreignOrder, value: done },
    'another transactionId beside its value': { transactionId: 999, value: done },
    'another amount and currency beside its value': { amount: 9999, currency: 'USD', value: done },
    'a Status beside its value': { Status: 'REJECTED', value: done },
    'a status of error beside its value': { status: 'error', value: done },
    'two transactionIds': { ...done, TransactionId: 999 },
    AMOUNT: { ...done, AMOUNT: 9999 },
    'a refusing statusCode': { ...done, statusCode: 5045, message: 'no' },
    'a refusing statusCode beside its value': { value: done, statusCode: 5042, message: 'no' },
    'a transaction that has no number': { ...done, transactionId: 0 },
    'a refusing statusCode in a result': { ...done, result: { statusCode: 5038 } },
    'a refusing statusCode in a result, and no status': { ...done, status: null, result: { statusCode: 5038 } },
    'a declined status in its data': { ...done, data: [{ status: 'REJECTED' }] },
    'an error in its data': { ...done, data: { error: 'declined', status: 'REJECTED' } },
  }
  const hidden = [
    ...[{ transactionId: ' 4711 ' }, { transactionId: '004711' }, { transactionId: 'T-4711' }],
    ...[nested(5, { transactionId: 4711 }), nested(40, { status: 'PENDING' })],
  ]
  const paying = (body: object) => handPayout(({ path }) => (path === '/api/distributor' ? json(body) : undefined))

  test.each(Object.entries(contrary))('has no definite answer in %s', async (_shape, body) => {
    const ended = await (await paying(body)).pay()
    expect(ended, ended.stdout).toMatchObject({ code: 9, stdout: '', error: { moneyMoved: 'unknown' } })
  })

  test.each([
    { transactionId: 4711 },
    { value: done },
    { status: 'PENDING' },
    { data: { transaction_id: '4711' } },
    ...hidden,
  ])('has no definite answer in a refusal with %j', async (more) => {
    const refusal = json({ message: 'no', statusCode: 5045, ...more }, 400)
    const payer = await handPayout(({ path }) => (path === '/api/distributor' ? refusal : undefined))
    const ended = await payer.pay()
    expect(ended, ended.stdout).toMatchObject({ code: 9, stdout: '', error: { moneyMoved: 'unknown' } })
  })

  test.each([{ transactionId: null }, { transactionId: 0 }, { status: 400 }, { status: 'FAILED' }, { data: [] }])(
    'is refused by a refusal with %j',
    async (more) => {
      const refusal = json({ message: 'no', statusCode: 5045, ...more }, 400)
      const payer = await handPayout(({ path }) => (path === '/api/distributor' ? refusal : undefined))
      expect(await payer.pay()).toMatchObject({ code: 5, error: { moneyMoved: 'no' } })
    },
  )

  test('is done where all that it tells twice is the same', async () => {
    const same = {
      TransactionId: '4711',
      Amount: 12.5,
      amount: '12.50',
      CURRENCY: 'gel',
      UNIQUEID: handOrder.toUpperCase(),
    }
    const ended = await (await paying({ ...same, status: 'OK', value: { ...done, Status: ' initial' } })).pay()
    expect(ended.json, ended.stderr).toMatchObject({ outcome: 'accepted', transactionId: '4711' })
  })
})

test('a charge with a status that is not where one is read has no definite answer', async () => {
  const done = { integratorOrderId: handOrder, urlForQR: null }
  for (const value of [
    { ...done, Status: 'FAILED' },
    { ...done, STATUS: 'FAILED' },
    { status: 'FAILED', value: done },
  ]) {
    const desk = await handDesk(({ name }) => (name === 'order.create' ? { value } : broken))
    writeFileSync(`${desk.home}/card`, cardToken, { mode: 0o600 })
    const ended = await desk.run(
      ...['order', 'create', '--amount', '12.50', '--receiver-id', foreignOrder, '--integrator-order-id', handOrder],
      ...['--card-token-file', `${desk.home}/card`, yes],
    )
    expect(ended, ended.stdout).toMatchObject({ code: 9, stdout: '', error: { moneyMoved: 'unknown' } })
  }
})

test('a revocation with a status beside an empty value has no definite answer', async () => {
  const desk = await handDesk(() => ({ value: { status: 'ACTIVE', value: {} } }))
  expect(await desk.run('subscription', 'revoke', handOrder, yes)).toMatchObject({ code: 9, stdout: '' })
})
