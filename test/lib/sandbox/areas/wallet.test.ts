import { randomUUID } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { JsonNumber } from '../../../../src/lib/contract/core/decimal.ts'
import {
  branchAtLimit,
  limitedUser,
  qrOpen,
  qrRequest,
  walletNamed,
  walletUser,
} from '../../../kit/sandbox/integrator.ts'
import {
  desk,
  expectRefused,
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

test('after a wrong amount, one out of range and a receiver at its limit a correct finalize still succeeds', async () => {
  const { us, created, clock, kept } = await here()
  // Three minutes before midnight at the service.
  clock.forward(Date.UTC(2026, 10, 20, 19, 57) - clock.now())
  const fixed = await created(qrRequest(walletUser, '25.00'))
  const open = await created(qrOpen(limitedUser))
  expect((await us.finalize(fixed, 24.99)).value.status).toBe('WRONG_AMOUNT')
  expect((await us.finalize(fixed, 25)).value.status).toBe('SUCCESS')
  expect((await us.finalize(open, 0.09)).value.status).toBe('AMOUNT_NOT_IN_RANGE')
  expect((await us.finalize(open, 5000.01)).value.status).toBe('AMOUNT_NOT_IN_RANGE')
  expect((await us.finalize(open, 100.01)).value.status).toBe('RECEIVER_REACHED_LIMIT')
  expect((await us.finalize(open, 100)).value.status).toBe('SUCCESS')
  const late = await created(qrOpen(limitedUser))
  expect((await us.finalize(late, 1)).value.status).toBe('RECEIVER_REACHED_LIMIT')
  clock.forward(3 * 60_000)
  expect((await us.finalize(late, 1)).value.status).toBe('SUCCESS')
  expect(await kept(late)).toMatchObject({ executions: 1 })
})

test('" SUCCESS" is read as the samples write it; any other final status is 6110', async () => {
  const { us, created } = await here()
  const id = await created(qrOpen(walletUser))
  expect(await us.finalize(id, 1, { finalStatus: 'FAILED' })).toMatchObject({ code: 6110, group: 1 })
  expect(await us.finalize(id, 1, { finalStatus: ' SUCCESS' })).toMatchObject({ value: { status: 'SUCCESS' } })
})

test('an address that asks for a sum beyond all measure is rejected', async () => {
  const { us } = await here()
  expect(await us.create(qrRequest(walletUser, '9'.repeat(40)))).toMatchObject({ value: { status: 'REJECTED' } })
})

test('a receiver at its limit from the start never gets anything', async () => {
  const { us, created, kept } = await here()
  const id = await created(qrOpen(branchAtLimit, 'BRANCH'))
  expect((await us.finalize(id, 1)).value.status).toBe('RECEIVER_REACHED_LIMIT')
  expect((await us.details(id)).value.status).toBe('REGISTERED')
  expect(await kept(id)).toMatchObject({ executions: 0 })
})

test('it lives for five minutes by the clock', async () => {
  const { us, created, clock } = await here()
  const [inTime, late] = [await created(qrOpen(walletUser)), await created(qrOpen(walletUser))]
  clock.forward(5 * 60_000 - 1)
  expect((await us.finalize(inTime, 1)).value.status).toBe('SUCCESS')
  clock.forward(1)
  expect((await us.finalize(late, 1)).value.status).toBe('ORDER_NOT_FOUND')
  expect((await us.details(late)).value.status).toBe('FAILED')
  expect((await us.finalize(inTime, 1)).value.status).toBe('ALREADY_FINALISED')
})

test('a deleted order is gone: FAILED in details, not found at finalize, not deleted again', async () => {
  const { us, created, kept } = await here()
  const id = await created(qrOpen(walletUser))
  expect((await us.delete(id)).text).toBe(`{"uniqueId":"${id}","status":"CANCELED"}`)
  expect((await us.details(id)).value.status).toBe('FAILED')
  expect((await us.finalize(id, 1)).value.status).toBe('ORDER_NOT_FOUND')
  expect(await us.delete(id)).toMatchObject({ code: 6110, group: 1 })
  expect(await kept(id)).toMatchObject({ executions: 0 })
  const paid = await created(qrOpen(walletUser))
  await us.finalize(paid, 1)
  expect(await us.delete(paid)).toMatchObject({ code: 6110 })
  expect(await us.delete(randomUUID())).toMatchObject({ code: 6045, group: 5 })
  expect(await us.details(randomUUID())).toMatchObject({ code: 6045 })
})

test('a uniqueId is any text and is used once (6109), a UUID in capitals is the same one', async () => {
  const { us } = await here()
  const id = randomUUID()
  expect(await us.create(qrOpen(walletUser), id)).toMatchObject({ http: 200 })
  expect(await us.create(qrOpen(walletUser), id.toUpperCase())).toMatchObject({ code: 6109, group: 1 })
  expect(await us.finalize(id.toUpperCase(), 1)).toMatchObject({ value: { status: 'SUCCESS' } })
  expect(await us.create(qrOpen(walletUser), 'a')).toMatchObject({ http: 200 })
  expect(await us.create(qrOpen(walletUser), 'A')).toMatchObject({ http: 200 })
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

test.each([['abc'], [''], ['25,00'], [' '], [true], [null], [undefined], [{}], [[25]], ['1 000']])(
  'a value that is no number is 6110: %j',
  async (amount) => {
    const uniqueId = await registered(qrRequest(walletUser, '25.00'))
    expectRefused(await wallet.finalize(uniqueId, amount), 6110, 1)
    expect(await finalizeTable.walletEntry(uniqueId)).toMatchObject({ status: 'REGISTERED', executions: 0 })
  },
)
