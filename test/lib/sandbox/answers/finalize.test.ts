// Finalize: an amount that is a number is a business outcome, in the order of the specification; 6110 is for what is no number.

import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { JsonNumber } from '../../../../src/lib/contract/core/decimal.ts'
import { limitedUser, qrOpen, qrRequest, walletUser } from '../../../kit/sandbox/integrator.ts'
import { expectRefused, minute, servedTable, told } from '../../../kit/sandbox/served.ts'

const here = await servedTable()
const wallet = await here.wallet()

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
    expect(await here.walletEntry(uniqueId)).toMatchObject({ status: 'REGISTERED', executions: 0 })
  })

  test('is told after what the order is', async () => {
    const done = await registered(qrRequest(walletUser, '25.00'))
    await wallet.finalize(done, 25)
    expect(await statusOf(done, amount)).toBe('ALREADY_FINALISED')
    expect(await statusOf(randomUUID(), amount)).toBe('ORDER_NOT_FOUND')
    const late = await registered(qrOpen(walletUser))
    here.clock.forward(5 * minute)
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
    expect(await here.walletEntry(uniqueId)).toMatchObject({ status: 'REGISTERED', executions: 0 })
  },
)
