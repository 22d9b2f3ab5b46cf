import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ReadOperation } from '../../../src/lib/contract/operation.ts'
import { operations } from '../../../src/lib/contract/operations.ts'
import { orderStatus } from '../../../src/lib/contract/order/order.ts'
import { payoutBalance, payoutDetails } from '../../../src/lib/contract/payout/payout.ts'
import { contradiction, mustSpeakOf } from '../../../src/lib/desk/echo.ts'

const reads = operations.filter((each): each is ReadOperation => each.effect === 'read')
const echoing = reads.filter(({ echoes }) => Object.keys(echoes).length > 0)

test('most reads name what their answer repeats, and all that they name stands in the request', () => {
  expect(echoing.length).toBeGreaterThanOrEqual(5)
  for (const { echoes, request } of echoing)
    expect(Object.keys(request.shape)).toEqual(expect.arrayContaining(Object.values(echoes)))
})

test.each(echoing.map((each) => [each.name, each] as const))(
  'an answer of %s about something else is none',
  (_name, read) => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), (asked, told) => {
        const request = Object.fromEntries(Object.values(read.echoes).map((field) => [field, asked]))
        const answer = (id: string) => Object.fromEntries(Object.keys(read.echoes).map((name) => [name, id]))
        expect(contradiction(read, request, answer(asked.toUpperCase()))).toBeNull()
        expect(contradiction(read, request, {})).toBeNull()
        if (asked !== told) expect(contradiction(read, request, answer(told))).toMatchObject({ told, asked })
      }),
    )
  },
)

test('numbers are compared as numbers, however many digits they have', () => {
  const answer = (transactionId: string) =>
    contradiction(payoutDetails, { transaction_id: '9007199254740993' }, { transactionId })
  expect(answer('009007199254740993')).toBeNull()
  expect(answer('9007199254740992')).toMatchObject({ name: 'transactionId', told: '9007199254740992' })
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
    message: 'the answer speaks of another currency, USD, not GEL; asking moved nothing',
    facts: { moneyMoved: 'no' },
  })
  const request = { integratorId: 'i', integratorOrderId: 'a' }
  expect(told(() => mustSpeakOf(orderStatus, request, { integratorOrderId: 'b', status: 'SUCCESS' }))).toMatchObject({
    facts: { moneyMoved: 'unknown' },
  })
})
