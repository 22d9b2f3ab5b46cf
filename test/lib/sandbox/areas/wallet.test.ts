import { randomUUID } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { JsonNumber } from '../../../../src/lib/contract/core/decimal.ts'
import { limitedUser, qrOpen, qrRequest, walletNamed, walletUser } from '../../../kit/sandbox/integrator.ts'
import {
  desk,
  fileSandbox,
  freshDirectory,
  handClock,
  minute,
  served,
  servedTable,
  told,
} from '../../../kit/sandbox/stand.ts'

// Each test signs in, orders and finalizes many times.
vi.setConfig({ testTimeout: 60_000 })

async function here() {
  const at = await desk()
  const us = await at.wallet()
  const created = async (uri: string) => String((await us.create(uri)).value.uniqueId)
  const kept = async (uniqueId: string) =>
    (await at.sandbox.ledger()).walletOrders.find((order) => order.uniqueId === uniqueId)
  return { ...at, us, created, kept }
}

test('creation tells the receiver, and the amount or else the range', async () => {
  const { us } = await here()
  expect((await us.create(qrOpen(walletUser), 'order one')).text).toBe(
    '{"uniqueId":"order one","receiverName":"ნინო ბერიძე","status":"REGISTERED","minAmountAllowed":0.10,"maxAmountAllowed":5000.00}',
  )
  expect((await us.create(qrRequest(walletUser, '25.00'), 'order two')).text).toBe(
    '{"uniqueId":"order two","amount":25.00,"receiverName":"ნინო ბერიძე","status":"REGISTERED"}',
  )
  expect((await us.create(qrOpen(randomUUID()), 'order three')).text).toBe(
    '{"uniqueId":"order three","status":"REJECTED","rejectReason":"the receiver is not known"}',
  )
})

test('a finalized order was executed once, and its details say so', async () => {
  const { us, created, kept, clock } = await here()
  const id = await created(qrOpen(walletUser))
  clock.forward(60_000)
  expect((await us.finalize(id, 7.5)).text).toBe(`{"uniqueId":"${id}","status":"SUCCESS"}`)
  expect((await us.finalize(id, 7.5)).value.status).toBe('ALREADY_FINALISED')
  expect((await us.details(id)).text).toBe(
    `{"uniqueId":"${id}","amount":7.50,"status":"SUCCESS","createdAt":"2026-11-20T14:00:00.000000","finalisedAt":"2026-11-20T14:01:00.000000"}`,
  )
  expect(await kept(id)).toMatchObject({ status: 'SUCCESS', executions: 1, receiverId: walletUser })
})

test('twenty finalizes at once through two servers of one world execute once', async () => {
  const directory = freshDirectory()
  const clock = handClock()
  const [one, other] = [await fileSandbox(directory, clock), await fileSandbox(directory, clock)]
  const us = await walletNamed(one, (await served(one)).url)
  const they = await walletNamed(other, (await served(other)).url)
  const { value } = await us.create(qrOpen(walletUser))
  const heard = await Promise.all(
    Array.from({ length: 20 }, (_, at) => (at % 2 ? us : they).finalize(value.uniqueId, 5)),
  )
  expect(heard.filter((each) => each.value.status === 'SUCCESS')).toHaveLength(1)
  expect(heard.filter((each) => each.value.status === 'ALREADY_FINALISED')).toHaveLength(19)
  expect((await one.ledger()).walletOrders).toMatchObject([{ executions: 1 }])
})

const finalizeTable = await servedTable()
const wallet = await finalizeTable.wallet()

const registered = async (uri: string) => told(await wallet.create(uri)).uniqueId ?? ''
const statusOf = async (uniqueId: string, amount: unknown) => told(await wallet.finalize(uniqueId, amount)).status

/** Numbers that are no sum anybody can pay. */
const odd = ['0', '-1', '0.001', '-0', '25.001', '1e999', '1e-3', '99999999999999999999']

describe.each(odd)('the amount %s', (text) => {
  const amount = new JsonNumber(text)

  test('is WRONG_AMOUNT where creation has fixed another', async () => {
    const uniqueId = await registered(qrRequest(walletUser, '25.00'))
    expect(await statusOf(uniqueId, amount)).toBe('WRONG_AMOUNT')
    expect(await statusOf(uniqueId, 25)).toBe('SUCCESS')
  })

  test('is AMOUNT_NOT_IN_RANGE where the payer had the choice', async () => {
    const uniqueId = await registered(qrOpen(walletUser))
    expect(await statusOf(uniqueId, amount)).toBe('AMOUNT_NOT_IN_RANGE')
    expect(await finalizeTable.walletEntry(uniqueId)).toMatchObject({ status: 'REGISTERED', executions: 0 })
  })

  test('is told after what the order is', async () => {
    const done = await registered(qrRequest(walletUser, '25.00'))
    await wallet.finalize(done, 25)
    expect(await statusOf(done, amount)).toBe('ALREADY_FINALISED')
    expect(await statusOf(randomUUID(), amount)).toBe('ORDER_NOT_FOUND')
    const late = await registered(qrOpen(walletUser))
    finalizeTable.clock.forward(5 * minute)
    expect(await statusOf(late, amount)).toBe('ORDER_NOT_FOUND')
  })

  test('is told before the limit of the receiver', async () => {
    const first = await registered(qrOpen(limitedUser))
    await wallet.finalize(first, 100)
    expect(await statusOf(await registered(qrOpen(limitedUser)), amount)).toBe('AMOUNT_NOT_IN_RANGE')
  })
})

test('an amount of three decimals that ends in 0 is the sum that it is', async () => {
  expect(await statusOf(await registered(qrRequest(walletUser, '25.00')), new JsonNumber('25.000'))).toBe('SUCCESS')
  expect(await statusOf(await registered(qrRequest(walletUser, '25.00')), new JsonNumber('2.5e1'))).toBe('SUCCESS')
})
