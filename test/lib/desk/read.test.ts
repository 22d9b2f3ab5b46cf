/** Reads: an answer about another thing, another transaction of one id, and the pauses between readings until a status is final. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ReadOperation } from '../../../src/lib/contract/operation.ts'
import { operations } from '../../../src/lib/contract/operations.ts'
import { orderStatus } from '../../../src/lib/contract/order/order.ts'
import { payoutBalance, payoutDetails } from '../../../src/lib/contract/payout/payout.ts'
import { isOfOtherTransaction, mustSpeakOf, waitUntilFinal } from '../../../src/lib/desk/read.ts'
import { Failure } from '../../../src/lib/failure.ts'
import { paste } from '../../../src/lib/hint.ts'
import { scripted } from '../../kit/scripted.ts'
import { intent } from '../../kit/store.ts'

const reads = operations.filter((each): each is ReadOperation => each.effect === 'read')
const echoing = reads.filter(({ echoes }) => Object.keys(echoes).length > 0)

test('most reads name what their answer repeats, and all that they name stands in the request', () => {
  expect(echoing.length).toBeGreaterThanOrEqual(5)
  for (const { echoes, request } of echoing)
    expect(Object.keys(request.shape)).toEqual(expect.arrayContaining(Object.values(echoes)))
})

test.each(echoing.map((each) => [each.name, each] as const))('an answer of %s about another is none', (_name, read) => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (asked, told) => {
      const request = Object.fromEntries(Object.values(read.echoes).map((field) => [field, asked]))
      const answer = (id: string) => Object.fromEntries(Object.keys(read.echoes).map((name) => [name, id]))
      mustSpeakOf(read, request, answer(asked.toUpperCase()))
      mustSpeakOf(read, request, {})
      if (asked !== told) expect(() => mustSpeakOf(read, request, answer(told))).toThrow(`${told}, not ${asked}`)
    }),
  )
})

test('numbers are compared as numbers, however many digits they have', () => {
  const read = (transactionId: string) => () =>
    mustSpeakOf(payoutDetails, { transaction_id: '9007199254740993' }, { transactionId })
  read('009007199254740993')()
  expect(read('9007199254740992')).toThrow('another payout, 9007199254740992')
})

test('the operation decides the meaning for money', () => {
  const told = (run: () => void) => {
    try {
      return run()
    } catch (error) {
      return error
    }
  }
  expect(told(() => mustSpeakOf(payoutBalance, { currency: 'GEL' }, { currency: 'USD', amount: '1' }))).toMatchObject({
    kind: 'unknown',
    message: 'the answer is about another currency, USD, not GEL. Reading moves no money',
    facts: { moneyMoved: 'no' },
  })
  const request = { integratorId: 'i', integratorOrderId: 'a' }
  expect(told(() => mustSpeakOf(orderStatus, request, { integratorOrderId: 'b', status: 'SUCCESS' }))).toMatchObject({
    facts: { moneyMoved: 'unknown' },
  })
})

test.each([
  ['4711', '4711', false],
  ['4711', '04711', false],
  ['004711', '4711', false],
  ['9007199254740993', '9007199254740992', true],
  ['4711', '4712', true],
  // Zeros are a number, too, and not that of this payment.
  ['4711', '0', true],
  ['4711', '0000', true],
  ['4711', null, false],
  [null, '4711', false],
  ['n/a', '4711', false],
] as const)('a write of the transaction %s, a read of the transaction %s: another one: %s', (own, shown, isOther) => {
  expect(isOfOtherTransaction(intent({ transactionId: own }), shown)).toBe(isOther)
})

/** The pauses between the readings, where it is paid at the reading with that number. */
async function pauses(paidAt: number, deadline = Number.POSITIVE_INFINITY): Promise<number[]> {
  const { desk, clock } = await scripted('orders')
  const slept: number[] = []
  const sleep = async (milliseconds: number) => {
    slept.push(milliseconds)
    clock.skip(milliseconds)
  }
  let read = 0
  const watched = {
    subject: { key: null, id: 'one' },
    read: async () => {
      read += 1
      return { status: read < paidAt ? 'INITIAL' : 'SUCCESS' }
    },
    about: 'order',
    wait: paste('order wait', 'one'),
    end: (status: string) => (status === 'SUCCESS' ? 'paid' : null),
    ended: () => new Failure('refused', 'ended'),
    doubt: () => null,
    outlook: () => 'may still be paid',
    next: () => null,
    facts: () => ({}),
    open: () => null,
    moneyMoved: () => 'unknown' as const,
  } as const
  await waitUntilFinal({ ...desk, clock: { ...clock, sleep } }, watched, clock.now() + deadline).catch(() => null)
  return slept
}

test('the pause doubles from half a second to five seconds, and grows no further', async () => {
  expect(await pauses(1)).toEqual([])
  expect(await pauses(8)).toEqual([500, 1000, 2000, 4000, 5000, 5000, 5000])
})

test('no pause is begun that does not end before the time is up', async () => {
  expect(await pauses(100, 12_000)).toEqual([500, 1000, 2000, 4000])
})
