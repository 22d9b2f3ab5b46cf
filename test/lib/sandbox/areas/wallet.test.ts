import { describe, expect, test, vi } from 'vitest'
import { JsonNumber } from '../../../../src/lib/contract/core/decimal.ts'
import { qrOpen, qrRequest, walletNamed, walletUser } from '../../../kit/sandbox/integrator.ts'
import { fileSandbox, freshDirectory, handClock, served, servedTable, told } from '../../../kit/sandbox/stand.ts'

// Each test signs in, orders and finalizes many times.
vi.setConfig({ testTimeout: 60_000 })

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
})

test('an amount of three decimals that ends in 0 is the sum that it is', async () => {
  expect(await statusOf(await registered(qrRequest(walletUser, '25.00')), new JsonNumber('25.000'))).toBe('SUCCESS')
  expect(await statusOf(await registered(qrRequest(walletUser, '25.00')), new JsonNumber('2.5e1'))).toBe('SUCCESS')
})
