import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { fromMinorUnits, JsonNumber } from '../../../../../src/lib/contract/core/decimal.ts'
import { createOrder, orderStatus } from '../../../../../src/lib/contract/order/order.ts'
import { type Fields, secondShop, shop, waiter } from '../../../../kit/sandbox/integrator.ts'
import { desk } from '../../../../kit/sandbox/stand.ts'

// Each test pays or orders many times through a store.
vi.setConfig({ testTimeout: 60_000 })

const hour = 3_600_000

async function here(shape: 'documented' | 'recorded' = 'documented') {
  const at = await desk({ shape })
  return { ...at, us: await at.integrator() }
}

test('an order is answered sealed, with its id as it came and a checkout address on the host that was called', async () => {
  const { us, url } = await here()
  const id = randomUUID().toUpperCase()
  const heard = await us.create({ integratorOrderId: id })
  expect(heard).toMatchObject({ http: 200, members: ['encryptedData', 'encryptedKeys', 'aes'] })
  expect(Object.keys(heard.value)).toEqual(['integratorOrderId', 'urlForQR'])
  expect(heard.value.integratorOrderId).toBe(id)
  expect(heard.value.urlForQR).toMatch(new RegExp(`^${url}/checkout/[0-9a-f-]{36}$`))
  expect(await us.status(id)).toBe('INITIAL')
  expect(await us.status(id.toLowerCase())).toBe('INITIAL')
})

test('a paid order is SUCCESS, charged once', async () => {
  const { us, pay, entry } = await here()
  const id = await us.created()
  expect(await pay(id)).toMatchObject({ played: 'paid', integratorOrderId: id, status: 'SUCCESS', failReason: null })
  expect(await us.status(id)).toBe('SUCCESS')
  expect(await entry(id)).toMatchObject({ status: 'SUCCESS', charges: 1, refunds: 0 })
})

for (const [card, reason] of [
  ['declined', 'declined by the bank'],
  ['expired', 'the card has expired'],
] as const) {
  test(`without validUntil the first failure (${card} card) is final`, async () => {
    const { us, pay, entry } = await here()
    const id = await us.created()
    expect(await pay(id, { card })).toMatchObject({ status: 'FAILED', failReason: reason })
    await expect(pay(id)).rejects.toMatchObject({ kind: 'refused', facts: { status: 'FAILED' } })
    expect(await entry(id)).toMatchObject({ status: 'FAILED', charges: 0, failReason: reason })
  })
}

test('with validUntil it stays payable after failed tries, until that moment, then it is EXPIRED', async () => {
  const { us, pay, clock } = await here()
  // 10:00 UTC is 14:00 at the service.
  const id = await us.created({ validUntil: '2026-11-20 15:00:00' })
  expect(await pay(id, { card: 'declined' })).toMatchObject({ status: 'INITIAL' })
  expect(await pay(id, { card: 'declined' })).toMatchObject({ status: 'INITIAL' })
  const other = await us.created({ validUntil: '2026-11-20T11:00:00Z' })
  expect(await pay(id)).toMatchObject({ status: 'SUCCESS' })
  clock.forward(hour - 1)
  expect(await us.status(other)).toBe('INITIAL')
  clock.forward(1)
  expect(await us.status(other)).toBe('EXPIRED')
  expect(await us.status(id)).toBe('SUCCESS')
  await expect(pay(other)).rejects.toMatchObject({ kind: 'refused' })
})

test('a second step that is confirmed after validUntil still pays; one that fails then leaves it EXPIRED', async () => {
  const { us, pay, clock, sandbox } = await here()
  const paid = await us.created({ validUntil: '2026-11-20 14:00:02' })
  const left = await us.created({ validUntil: '2026-11-20 14:00:02' })
  await pay(paid, { card: 'second-step' })
  await pay(left, { card: 'second-step' })
  clock.forward(2500)
  expect(await sandbox.trigger({ what: 'declined', order: left })).toMatchObject({ status: 'EXPIRED' })
  clock.forward(500)
  expect([await us.status(paid), await us.status(left)]).toEqual(['SUCCESS', 'EXPIRED'])
})

test('an unpaid order without validUntil expires after a day', async () => {
  const { us, clock } = await here()
  const id = await us.created()
  clock.forward(24 * hour - 1)
  expect(await us.status(id)).toBe('INITIAL')
  clock.forward(1)
  expect(await us.status(id)).toBe('EXPIRED')
})

test('cancel ends an order from INITIAL and from PROCESSING, and nothing is charged afterwards', async () => {
  const { us, pay, clock, entry } = await here()
  const initial = await us.created()
  const processing = await us.created()
  await pay(processing, { card: 'second-step' })
  for (const id of [initial, processing]) {
    expect(await us.cancel(id)).toMatchObject({ http: 200, value: { integratorOrderId: id, status: 'CANCELED' } })
  }
  clock.forward(10_000)
  for (const id of [initial, processing]) {
    expect(await us.status(id)).toBe('CANCELED')
    expect((await entry(id)).charges).toBe(0)
  }
})

test('an integratorOrderId is used once per integrator: again, in capitals and with another body it exists (6023)', async () => {
  const at = await here()
  const { us } = at
  const id = await us.created()
  for (const again of [{}, { amount: 99 }, { receiverId: randomUUID() }]) {
    expect(await us.create({ integratorOrderId: id, ...again })).toMatchObject({ http: 400, code: 6023, group: 2 })
  }
  expect(await us.create({ integratorOrderId: id.toUpperCase() })).toMatchObject({ code: 6023 })
  expect((await at.sandbox.ledger()).orders).toHaveLength(1)
  const bare = await at.integrator('sandbox-bare')
  expect(await bare.create({ integratorOrderId: id })).toMatchObject({ http: 200 })
  await expect(at.pay(id)).rejects.toMatchObject({ kind: 'usage' })
})

test('the recorded shape tells the money of an order as well, once there is some', async () => {
  const { us, pay } = await here('recorded')
  const id = await us.created({ acquiringCurrency: 'USD' })
  const unpaid = (await us.about(orderStatus, id)).text
  expect(unpaid).toBe(
    `{"integratorOrderId":"${id}","status":"INITIAL","initialCurrency":"GEL","acquiringCurrency":"USD"}`,
  )
  await pay(id)
  const { text } = await us.about(orderStatus, id)
  expect(text).toContain('"acquiringAmount":4.63,"transactionId":100001}')
})

test('the documented shape is the id and the status, nothing else', async () => {
  const { us, pay } = await here()
  const id = await us.created()
  await pay(id)
  expect((await us.about(orderStatus, id)).text).toBe(`{"integratorOrderId":"${id}","status":"SUCCESS"}`)
})

test('pre-authorisation holds the sum, completion takes it or less, never more', async () => {
  const { us, pay, entry } = await here()
  const id = await us.created({ amount: 20, payWithPreAuth: true })
  expect(await us.complete(id, 20)).toMatchObject({ code: 6006 })
  expect(await pay(id)).toMatchObject({ status: 'WAITING_FOR_CONFIRM' })
  expect((await entry(id)).charges).toBe(0)
  expect(await us.cancel(id)).toMatchObject({ code: 6006 })
  expect(await us.refund(id, 1)).toMatchObject({ code: 6006 })
  expect(await us.complete(id, 20.01)).toMatchObject({ code: 6026, group: 1 })
  expect(await us.complete(id, 15)).toMatchObject({ http: 200, value: { integratorOrderId: id, status: 'SUCCESS' } })
  const after = await entry(id)
  expect([String(after.acquiringAmount), after.charges]).toEqual(['15.00', 1])
  expect(await us.complete(id, 1)).toMatchObject({ code: 6006 })
  expect(await us.refund(id, 15.01)).toMatchObject({ code: 6007 })
  expect(await us.complete(randomUUID(), 1)).toMatchObject({ code: 6005 })
})

test('a card of a pre-authorised order is saved when the sum is taken, not when it is held', async () => {
  const { us, pay, entry } = await here()
  const id = await us.created({ payWithPreAuth: true, saveCard: true, directLinkProvider: 'TBC' })
  await pay(id)
  expect((await entry(id)).cardSaved).toBe(false)
  await us.complete(id, 12.5)
  expect((await entry(id)).cardSaved).toBe(true)
})

test('fifty orders at once, each sent twice, are fifty orders', async () => {
  const { us, sandbox } = await here()
  const heard = await Promise.all(
    Array.from({ length: 50 }, () => us.order()).flatMap((order) => [
      us.send(createOrder, order),
      us.send(createOrder, order),
    ]),
  )
  expect(heard.filter(({ http }) => http === 200)).toHaveLength(50)
  expect(heard.filter(({ code }) => code === 6023)).toHaveLength(50)
  expect((await sandbox.ledger()).orders).toHaveLength(50)
})

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
