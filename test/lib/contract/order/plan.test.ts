import { expect, test } from 'vitest'
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

const needsZero = 'amount must be 0 with a subscription plan: the plan names the price [6113]'
const needsCard = 'saveCard must be true with a subscription plan: the plan charges the saved card [6049]'

/** Changes of the order, and the complaints. */
const orders: readonly (readonly [changed: Record<string, unknown>, complaints: readonly string[]])[] = [
  [{}, []],
  [{ amount: '0.00' }, []],
  [{ amount: '9.90' }, [needsZero]],
  [{ amount: '0.01' }, [needsZero]],
  [{ saveCard: undefined }, [needsCard]],
  [{ saveCard: 'false' }, [needsCard]],
  [{ directLinkProvider: undefined }, ['directLinkProvider is required to save the card [6091]']],
  [
    { subscriptionPlan: {} },
    ['interval', 'intervalCount', 'amount'].map((name) => `subscriptionPlan ${name} is required [6049]`),
  ],
]

test.each(orders)('an order with a plan and %j: %j', (changed, said) => {
  expect(wrongWith(changed)).toEqual(said)
})

const plainNumber = 'must be a plain decimal number like 12.50, without exponent or separators [6021]'
const noDates = ['2030-02-30', '15.01.2030', '2030-1-15', '2030-01-15 12:00:00', '']

/** A member of the plan, values that it refuses, and the complaint. */
const members: readonly (readonly [name: string, complaint: string, values: readonly string[]])[] = [
  ['interval', 'must be one of MONTHLY, WEEKLY [6049]', ['DAILY']],
  ['intervalCount', 'must be a whole number, 1 or more [6049]', ['0', '-1', '1.5', '01', '', 'two']],
  ['amount', 'must be greater than 0 [6068]', ['0', '-1']],
  ['amount', 'has more than 2 decimals [6058]', ['1.005']],
  ['amount', plainNumber, ['x']],
  ['startDate', 'must be today (2030-01-15 in Tbilisi) or later [6049]', ['2030-01-14']],
  ['startDate', 'must be a date of the calendar, yyyy-MM-dd [6049]', noDates],
  ['callbackUrl', 'must be an address that begins with http:// or https:// [6049]', ['here']],
  ['price', 'is not a field of it [6049]', ['1']],
]

test.each(members)('a plan whose %s %s: %j', (name, complaint, values) => {
  for (const value of values) expect(wrongPlan({ [name]: value })).toEqual([`subscriptionPlan ${name} ${complaint}`])
})

test('the first payment is today in Tbilisi or later', () => {
  expect(wrongPlan({ interval: 'WEEKLY', startDate: '2030-01-15', callbackUrl: 'https://example.com/s' })).toEqual([])
  const midnight = Date.UTC(2030, 0, 15, 20)
  const request = { ...subscription, subscriptionPlan: { ...plan, startDate: '2030-01-15' } }
  expect(complaints(createOrder, request, { now: midnight - 1 })).toEqual([])
  expect(complaints(createOrder, request, { now: midnight })).toEqual([
    'subscriptionPlan startDate must be today (2030-01-16 in Tbilisi) or later [6049]',
  ])
})

test('values typed inside a plan are tidied too', () => {
  expect(tidy(createOrder, { subscriptionPlan: { startDate: ' 2030-01-15 ', price: ' 1' } })).toEqual({
    subscriptionPlan: { startDate: '2030-01-15', price: ' 1' },
  })
})
