// The payer, and the recipients with their parts, over HTTP: splits, tips, currencies, commission.

import { expect, test } from 'vitest'
import { fromMinorUnits, JsonNumber } from '../../../../src/lib/contract/core/decimal.ts'
import { type Fields, secondShop, shop, waiter } from '../../../kit/sandbox/integrator.ts'
import { desk } from '../../../kit/sandbox/stand.ts'

async function paid(fields: Fields, more: { readonly card?: string; readonly tip?: string } = {}, name?: string) {
  const at = await desk()
  const us = await at.integrator(name)
  const id = await us.created(fields)
  await at.pay(id, more)
  const order = await at.entry(id)
  return {
    order,
    acquired: `${order.acquiringCurrency} ${order.acquiringAmount}`,
    received: order.splits.map(({ received }) => String(received)),
    shares: order.splits.map(({ amount }) => String(amount)),
  }
}

test.each([
  ['RECEIVER', 'GEL 12.50', '12.25'],
  ['SENDER', 'GEL 12.76', '12.50'],
  ['BOTH', 'GEL 12.63', '12.37'],
])('commission %s: the payer pays %s, the receiver gets %s', async (commissionType, acquired, received) => {
  expect(await paid({ commissionType })).toMatchObject({ acquired, received: [received] })
})

test('onboarding decides the commission of an order that does not', async () => {
  expect((await paid({})).order.commissionType).toBe('RECEIVER')
  expect((await paid({}, {}, 'sandbox-pkcs1')).order.commissionType).toBe('RECEIVER')
})

test('three currencies at the documented rates: shown in EUR, taken in USD, paid out in GEL', async () => {
  const fields = { amount: 10, currency: 'EUR', acquiringCurrency: 'USD', distributionCurrency: 'GEL' }
  // 10.00 EUR = 30.00 GEL = 11.12 USD, up; less 2 %: 9.80 EUR = 29.40 GEL.
  expect(await paid(fields)).toMatchObject({ acquired: 'USD 11.12', received: ['29.40'] })
})

test('without currencies an order is in GEL throughout', async () => {
  expect((await paid({})).order).toMatchObject({
    currency: 'GEL',
    acquiringCurrency: 'GEL',
    distributionCurrency: 'GEL',
  })
})

test('a split gives each receiver its part, the own receiver first, the commission in proportion', async () => {
  const splitDetails = [
    { receiverType: 'USER', receiverIdentifier: waiter, amount: 2.5 },
    { receiverType: 'IBAN', receiverIdentifier: 'GE29NB0000000101904917', amount: 1 },
    { receiverType: 'BRANCH', receiverIdentifier: shop.toUpperCase(), amount: 9 },
  ]
  const { order, received, shares, acquired } = await paid({ splitDetails })
  expect(order.splits.map(({ receiverType }) => receiverType)).toEqual(['BRANCH', 'USER', 'IBAN'])
  expect(shares).toEqual(['9.00', '2.50', '1.00'])
  expect(received).toEqual(['8.82', '2.45', '0.98'])
  expect(acquired).toBe('GEL 12.50')
})

test('an odd split adds up to the unit', async () => {
  const splitDetails = [
    { receiverType: 'BRANCH', receiverIdentifier: shop, amount: 0.01 },
    { receiverType: 'BRANCH', receiverIdentifier: secondShop, amount: new JsonNumber('0.02') },
  ]
  const { received } = await paid({ amount: new JsonNumber('0.03'), splitDetails })
  expect(received).toEqual(['0.01', '0.01'])
})

test('a tip comes on top, whole, to its receiver', async () => {
  const fields = { amount: 10, tipReceiverId: waiter, tipReceiverType: 'USER' }
  const { order, acquired, received } = await paid(fields, { tip: '1.50' })
  expect([String(order.tip), acquired]).toEqual(['1.50', 'GEL 11.50'])
  expect(received).toEqual(['9.80', '1.50'])
  expect(order.splits[1]).toMatchObject({ receiverType: 'USER', receiverIdentifier: waiter, tip: true })
})

test('a tip that was not paid is none', async () => {
  const fields = { amount: 10, tipReceiverId: waiter, tipReceiverType: 'USER' }
  const { order } = await paid(fields, { tip: '1.50', card: 'declined' })
  expect([order.status, String(order.tip), order.splits.length]).toEqual(['FAILED', '0.00', 1])
})

test('less than was authorised is divided as the whole would have been', async () => {
  const at = await desk()
  const us = await at.integrator()
  const splitDetails = [
    { receiverType: 'BRANCH', receiverIdentifier: shop, amount: 6 },
    { receiverType: 'BRANCH', receiverIdentifier: secondShop, amount: 4 },
  ]
  const id = await us.created({ amount: 10, splitDetails, payWithPreAuth: true, commissionType: 'SENDER' })
  await at.pay(id)
  await us.complete(id, 5)
  const { splits, acquiringAmount } = await at.entry(id)
  expect(splits.map(({ received }) => String(received))).toEqual(['3.00', '2.00'])
  expect(String(acquiringAmount)).toBe(fromMinorUnits(511n))
})

test('an order with a plan takes no tip: its price is what is paid, each time', async () => {
  const at = await desk()
  const us = await at.integrator()
  const plan = { interval: 'MONTHLY', intervalCount: 1, amount: 15 }
  const saved = { amount: 0, saveCard: true, directLinkProvider: 'BOG', subscriptionPlan: plan }
  const id = await us.created({ ...saved, tipReceiverId: waiter, tipReceiverType: 'USER' })
  await expect(at.pay(id, { tip: '1.00' })).rejects.toMatchObject({ kind: 'usage' })
  await at.pay(id, { tip: '0' })
  const { splits, tip } = await at.entry(id)
  expect([String(tip), splits.map(({ amount }) => String(amount))]).toEqual(['0.00', ['15.00']])
})
