import { expect, test } from 'vitest'
import { JsonNumber } from '../../../src/lib/contract/core/decimal.ts'
import { revokeSubscription, subscriptionHistory } from '../../../src/lib/contract/subscription.ts'
import { complaints } from '../../kit/contract.ts'

test.each([subscriptionHistory, revokeSubscription])('$name takes any id of a subscription', (operation) => {
  expect(complaints(operation, { subscriptionId: 'anything' })).toEqual([])
  expect(complaints(operation, { subscriptionId: '' })).toEqual(['subscriptionId must not be empty [6053]'])
  expect(complaints(operation, {})).toEqual(['subscriptionId is required [6053]'])
})

const payment = { time: '2030-01-15T12:00:00', status: 'COMPLETED' }
const read = { ...payment, failReason: null }

test('the history is a list, or an object that holds one', () => {
  expect(subscriptionHistory.answer.parse([payment])).toEqual([read])
  expect(subscriptionHistory.answer.parse({ total: new JsonNumber('1'), history: [payment] })).toEqual([read])
  expect(subscriptionHistory.answer.parse([])).toEqual([])
  expect(subscriptionHistory.answer.parse({ value: [] })).toEqual([])
  for (const wrong of [{}, 'none', [5], [{ time: 'x' }]]) {
    expect(subscriptionHistory.answer.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false)
  }
})

test('a payment keeps its digits and what the contract does not know', () => {
  const refunded = {
    ...payment,
    time: new JsonNumber('1894694400000'),
    status: ' REFUNDED_BY_BANK',
    refundTime: null,
    refundedAmount: new JsonNumber('9.90'),
    failReason: 'r',
    more: 'm',
  }
  expect(subscriptionHistory.answer.parse([refunded])).toEqual([
    { ...refunded, time: '1894694400000', status: 'REFUNDED_BY_BANK' },
  ])
})
