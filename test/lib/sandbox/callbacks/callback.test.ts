import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { getCard } from '../../../../src/lib/contract/card.ts'
import { createOrder } from '../../../../src/lib/contract/order/order.ts'
import { courierOf, desk, read, receiver } from '../../../kit/callback/receiver.ts'
import { callers, toIban } from '../../../kit/sandbox/callers.ts'
import {
  integratorNamed,
  qrOpen,
  secondShop,
  shop,
  waiter,
  walletNamed,
  walletUser,
} from '../../../kit/sandbox/integrator.ts'
import { served } from '../../../kit/sandbox/stand.ts'

const iban = 'GE29NB0000000101904917'

/** The callbacks of one payment, opened. */
async function told(fields: Record<string, unknown>, card?: string, name?: string) {
  const at = await desk(name)
  const there = await receiver()
  const order = await at.paid({ callbackUri: `${there.url}/paid`, ...fields }, card)
  courierOf(at.sandbox)
  await there.came(1)
  const first = there.last
  return { ...at, order, there, first, says: await read(first, at.us) }
}

test('a payment that succeeded tells every field, sealed to the integrator, without an identifier', async () => {
  const { says, first, order, us } = await told({ amount: 12.5, currency: 'USD' })
  expect(says).toEqual({
    amount: 12.5,
    receiverId: shop,
    receiverType: 'BRANCH',
    integratorId: us.party.identifier,
    integratorOrderId: order,
    status: 'SUCCESS',
    initialCurrency: 'USD',
    acquiringCurrency: 'GEL',
    acquiringAmount: 33.75,
    transactionId: expect.anything(),
  })
  expect(first).toMatchObject({ method: 'POST', path: '/paid' })
  expect(first.headers['content-type']).toBe('application/json')
  expect(Object.keys(JSON.parse(first.body))).toEqual(['encryptedData', 'encryptedKeys', 'aes'])
})

test('one that failed says so, and saves no card although it was asked to', async () => {
  const { says } = await told({ saveCard: true, directLinkProvider: 'TBC' }, 'declined')
  expect(says).toMatchObject({ status: 'FAILED', amount: 12.5, acquiringAmount: 0 })
  expect(says).not.toHaveProperty('cardInfo')
})

test('cardInfo comes with saveCard and success only, the token under both names, the card beside it', async () => {
  const { says, order, paid, there, us, list } = await told({ saveCard: true, directLinkProvider: 'TBC' })
  const token = String((await us.send(getCard, { integratorOrderId: order })).value.token)
  expect(says.cardInfo).toEqual({
    cardToken: token,
    token,
    provider: 'TBC',
    cardMask: '411111******1111',
    expirationDate: '12/49',
    cardBrand: 'VISA',
  })
  expect((await list())[0]?.payload).toMatchObject({ cardInfo: { cardToken: '[hidden]', token: '[hidden]' } })
  expect(JSON.stringify(await list())).not.toContain(token)
  await us.created({ callbackUri: there.url, cardToken: token })
  await paid({ callbackUri: there.url })
  await there.came(3)
  for (const each of there.arrived.slice(1)) expect(await read(each, us)).not.toHaveProperty('cardInfo')
})

test('the account of a split is told, a tip is in what was acquired and not in the amount', async () => {
  const splitDetails = [
    { receiverType: 'BRANCH', receiverIdentifier: shop, amount: 10 },
    { receiverType: 'IBAN', receiverIdentifier: iban, amount: 2.5 },
  ]
  expect((await told({ splitDetails })).says).toMatchObject({ toIban: iban })
  const plain = [
    { receiverType: 'BRANCH', receiverIdentifier: shop, amount: 10 },
    { receiverType: 'BRANCH', receiverIdentifier: secondShop, amount: 2.5 },
  ]
  expect((await told({ splitDetails: plain })).says).not.toHaveProperty('toIban')
  const { sandbox, us, there } = await told({})
  const tipped = await us.created({ callbackUri: there.url, tipReceiverId: waiter, tipReceiverType: 'USER' })
  await sandbox.trigger({ what: 'paid', order: tipped, tip: '1.00' })
  await there.came(2)
  expect(await read(there.last, us)).toMatchObject({ amount: 12.5, acquiringAmount: 13.5 })
})

test('a sum that was held is told when it is completed, and what was taken of it', async () => {
  const { sandbox, us, list } = await desk()
  const order = await us.created({ payWithPreAuth: true })
  await sandbox.trigger({ what: 'paid', order })
  expect(await list()).toEqual([])
  await us.complete(order, 8)
  expect(await list()).toMatchObject([{ payload: { status: 'SUCCESS' } }])
  expect(JSON.stringify((await list())[0]?.payload)).toContain('8.00')
})

test('of a sum that was held with a tip, and taken in part, each has its part, and it is told everywhere', async () => {
  const { sandbox, us, list } = await desk()
  const tips = { tipReceiverId: waiter, tipReceiverType: 'USER', commissionType: 'SENDER' }
  const order = await us.created({ amount: 10, payWithPreAuth: true, ...tips })
  await sandbox.trigger({ what: 'paid', order, tip: '2.00' })
  await us.complete(order, 6)
  const [entry] = (await sandbox.ledger()).orders
  expect([entry?.tip, ...(entry?.splits ?? []).map(({ amount }) => amount)].map(String)).toEqual([
    '1.00',
    '5.00',
    '1.00',
  ])
  const payload = (await list())[0]?.payload as { readonly amount: unknown }
  expect(String(payload.amount)).toBe('5.00')
})

test.each([['sandbox-pkcs1'], ['sandbox-legacy']])('the scheme is that of the integrator: %s', async (name) => {
  const { says, first } = await told({ saveCard: true, directLinkProvider: 'TBC' }, undefined, name)
  expect(says).toMatchObject({ status: 'SUCCESS', cardInfo: { cardToken: expect.any(String) } })
  const names = Object.keys(JSON.parse(first.body))
  expect(names).toEqual(name === 'sandbox-legacy' ? ['encryptedData'] : ['encryptedData', 'encryptedKeys', 'aes'])
})

test('plain by setting: from then on, for the world, a reset included', async () => {
  const { sandbox, us, paid } = await desk()
  const there = await receiver()
  const before = await paid({ callbackUri: there.url })
  await sandbox.callbacks.setForm('plain')
  const after = await paid({ callbackUri: there.url })
  courierOf(sandbox)
  await there.came(2)
  const plain = there.arrived.filter(({ body }) => body.includes('integratorOrderId'))
  expect(plain.map(({ body }) => JSON.parse(body).integratorOrderId)).toEqual([after])
  const sealed = there.arrived.find(({ body }) => body.includes('encryptedData'))
  expect(sealed && (await read(sealed, us)).integratorOrderId).toBe(before)
  expect(plain[0]?.body).toContain('"transactionId":10000')
  await sandbox.reset()
  const again = await integratorNamed(sandbox, (await served(sandbox)).url)
  const order = await again.created({ callbackUri: there.url })
  await sandbox.trigger({ what: 'paid', order })
  await there.came(3)
  expect(JSON.parse(there.arrived[2]?.body ?? '')).toMatchObject({ integratorOrderId: order })
})

test('an order that only ends unpaid tells nothing, nor does a try after which it stays payable', async () => {
  const { sandbox, us, list, clock } = await desk()
  const [expired, canceled] = [await us.created(), await us.created()]
  await sandbox.trigger({ what: 'expired', order: expired })
  await us.cancel(canceled)
  const tried = await us.created({ validUntil: '2026-12-31 00:00:00' })
  await sandbox.trigger({ what: 'paid', order: tried, card: 'declined' })
  clock.forward(60 * 24 * 3_600_000)
  const ends = (await sandbox.ledger()).orders.map(({ status }) => status)
  expect(ends.toSorted()).toEqual(['CANCELED', 'EXPIRED', 'EXPIRED'])
  expect(await list()).toEqual([])
})

test('payouts and wallet orders never cause one', async () => {
  const { sandbox, us, list, clock } = await desk()
  const { byIban } = await callers(sandbox)
  await byIban.create(toIban())
  const their = await walletNamed(sandbox, us.url)
  const { value } = await their.create(qrOpen(walletUser))
  await their.finalize(value.uniqueId, 5)
  clock.forward(60_000)
  await sandbox.ledger()
  expect(await list()).toEqual([])
})

test('a move that the clock makes is told at the first look, in the move’s own time', async () => {
  const { sandbox, us, list, clock } = await desk()
  const order = await us.created()
  await sandbox.trigger({ what: 'paid', order, card: 'second-step' })
  expect(await list()).toEqual([])
  clock.forward(3_600_000)
  await us.status(order)
  expect(await list(order)).toMatchObject([{ createdAt: '2026-11-20T14:00:03.000000', payload: { status: 'SUCCESS' } }])
})

test('every charge of a plan is told at the plan’s address, the order’s payment at the order’s', async () => {
  const { sandbox, us, paid, clock } = await desk()
  const [there, plans] = [await receiver(), await receiver()]
  const plan = { interval: 'WEEKLY', intervalCount: 1, amount: 9.9, callbackUrl: `${plans.url}/plan?x=1+2` }
  const order = { amount: 0, saveCard: true, directLinkProvider: 'TBC', callbackUri: there.url }
  const first = await paid({ ...order, subscriptionPlan: plan }, 'declined-when-saved')
  await paid({ ...order, subscriptionPlan: { ...plan, callbackUrl: undefined } })
  courierOf(sandbox)
  clock.forward(2000 + 7 * 24 * 3_600_000)
  await plans.came(2)
  await there.came(4)
  const plansOf = (await sandbox.ledger()).subscriptions
  const one = plansOf.find(({ integratorOrderId }) => integratorOrderId === first)
  const other = plansOf.find(({ integratorOrderId }) => integratorOrderId !== first)
  const failed = await Promise.all(plans.arrived.map((each) => read(each, us)))
  expect(failed).toEqual([
    { subscriptionId: one?.subscriptionId, historyId: expect.any(Number), status: 'FAILED', amount: 9.9 },
    { subscriptionId: one?.subscriptionId, historyId: expect.any(Number), status: 'FAILED', amount: 9.9 },
  ])
  expect(new Set(failed.map(({ historyId }) => historyId)).size).toBe(2)
  expect(plans.arrived[0]?.path).toBe('/plan?x=1+2')
  const said = await Promise.all(there.arrived.map((each) => read(each, us)))
  expect(said.filter(({ status }) => status === 'SUCCESS')).toHaveLength(2)
  expect(said.filter(({ subscriptionId }) => subscriptionId === other?.subscriptionId)).toMatchObject([
    { status: 'COMPLETED' },
    { status: 'COMPLETED' },
  ])
})

test('the default of onboarding, and every other name of RFC 2606, is never called: one attempt that was not made', async () => {
  const { sandbox, us, list } = await desk()
  const names = ['shop.test', 'shop.invalid', 'example', 'pay.example.com', 'EXAMPLE.org.', 'a.b.example']
  for (const name of [undefined, ...names]) {
    const callbackUri = name === undefined ? undefined : `http://${name}/x`
    const order = { ...us.order({ callbackUri, integratorOrderId: randomUUID() }) }
    expect((await us.send(createOrder, order)).code).toBe(null)
    await sandbox.trigger({ what: 'paid', order: String(order.integratorOrderId) })
  }
  const { attempts } = courierOf(sandbox)
  const callbacks = await list()
  expect(callbacks).toHaveLength(7)
  for (const callback of callbacks) {
    expect(callback).toMatchObject({ state: 'given-up', nextAttemptAt: null })
    expect(callback.attempts).toMatchObject([{ number: 1, http: null, why: expect.stringContaining('RFC 2606') }])
  }
  expect(callbacks[0]?.url).toBe('https://shop.example/callback')
  expect((await sandbox.ledger()).callbacks[0]).toMatchObject({ kind: 'payment', state: 'given-up', attempts: 1 })
  expect(attempts).toEqual([])
})
