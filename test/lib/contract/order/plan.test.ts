import { describe, expect, test } from 'vitest'
import { createOrder } from '../../../../src/lib/contract/order/order.ts'
import { tidy } from '../../../../src/lib/contract/validate.ts'
import { complaints, order } from '../../../kit/contract.ts'

const plan = { interval: 'MONTHLY', intervalCount: '1', amount: '9.90' }
const subscription = { ...order, amount: '0', saveCard: 'true', directLinkProvider: 'BOG', subscriptionPlan: plan }

function wrongWith(changed: Record<string, unknown>): string[] {
  return complaints(createOrder, { ...subscription, ...changed })
}

function wrongPlan(changed: Record<string, unknown>): string[] {
  return wrongWith({ subscriptionPlan: { ...plan, ...changed } })
}

test('a subscription of amount 0 that saves the card keeps every rule', () => {
  expect(wrongWith({})).toEqual([])
  expect(wrongWith({ amount: '0.00' })).toEqual([])
  expect(wrongPlan({ interval: 'WEEKLY', startDate: '2030-01-15', callbackUrl: 'https://example.com/s' })).toEqual([])
})

test('with a plan the amount of the order is 0', () => {
  const said = ['amount must be 0 with a subscription plan: the plan names the price [6113]']
  expect(wrongWith({ amount: '9.90' })).toEqual(said)
  expect(wrongWith({ amount: '0.01' })).toEqual(said)
})

test('a plan saves the card, and so names a direct-link provider', () => {
  const said = 'saveCard must be true with a subscription plan: the plan charges the saved card [6049]'
  expect(wrongWith({ saveCard: undefined })).toEqual([said])
  expect(wrongWith({ saveCard: 'false' })).toEqual([said])
  expect(wrongWith({ directLinkProvider: undefined })).toEqual([
    'directLinkProvider is required to save the card [6091]',
  ])
})

describe('the members of a plan', () => {
  test('an empty plan is told every member that is required', () => {
    expect(wrongWith({ subscriptionPlan: {} })).toEqual([
      'subscriptionPlan interval is required [6049]',
      'subscriptionPlan intervalCount is required [6049]',
      'subscriptionPlan amount is required [6049]',
    ])
  })

  test('the interval is a month or a week', () => {
    expect(wrongPlan({ interval: 'DAILY' })).toEqual([
      'subscriptionPlan interval must be one of MONTHLY, WEEKLY [6049]',
    ])
  })

  test.each(['0', '-1', '1.5', '01', '', 'two'])('%j intervals are no count', (intervalCount) => {
    expect(wrongPlan({ intervalCount })).toEqual([
      'subscriptionPlan intervalCount must be a whole number, 1 or more [6049]',
    ])
  })

  test.each([
    ['0', 'must be greater than 0', 6068],
    ['-1', 'must be greater than 0', 6068],
    ['1.005', 'has more than 2 decimals', 6058],
    ['x', 'must be a plain decimal number like 12.50, without exponent or separators', 6021],
  ])('the price %j is refused: it %s', (amount, message, code) => {
    expect(wrongPlan({ amount })).toEqual([`subscriptionPlan amount ${message} [${code}]`])
  })

  test('the first payment is today in Tbilisi or later', () => {
    expect(wrongPlan({ startDate: '2030-01-14' })).toEqual([
      'subscriptionPlan startDate must be today (2030-01-15 in Tbilisi) or later [6049]',
    ])
    const lateInLondon = { now: Date.UTC(2030, 0, 15, 20) }
    const request = { ...subscription, subscriptionPlan: { ...plan, startDate: '2030-01-15' } }
    expect(complaints(createOrder, request, { now: lateInLondon.now - 1 })).toEqual([])
    expect(complaints(createOrder, request, lateInLondon)).toEqual([
      'subscriptionPlan startDate must be today (2030-01-16 in Tbilisi) or later [6049]',
    ])
  })

  test.each(['2030-02-30', '15.01.2030', '2030-1-15', '2030-01-15 12:00:00', ''])(
    'the first day %j is no date',
    (startDate) => {
      expect(wrongPlan({ startDate })).toEqual([
        'subscriptionPlan startDate must be a date of the calendar, yyyy-MM-dd [6049]',
      ])
    },
  )

  test('the callback address is one of the web', () => {
    expect(wrongPlan({ callbackUrl: 'here' })).toEqual([
      'subscriptionPlan callbackUrl must be an address that begins with http:// or https:// [6049]',
    ])
  })

  test('a member that the plan does not have is refused by name', () => {
    expect(wrongPlan({ price: '1' })).toEqual(['subscriptionPlan price is not a field of it [6049]'])
  })

  test('values typed inside a plan are tidied too', () => {
    expect(tidy(createOrder, { subscriptionPlan: { startDate: ' 2030-01-15 ', price: ' 1' } })).toEqual({
      subscriptionPlan: { startDate: '2030-01-15', price: ' 1' },
    })
  })
})
