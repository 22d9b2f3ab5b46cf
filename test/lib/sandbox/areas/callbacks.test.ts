import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { getCard } from '../../../../src/lib/contract/card.ts'
import { createOrder } from '../../../../src/lib/contract/order/order.ts'
import type { Triggered } from '../../../../src/lib/sandbox/trigger.ts'
import { courierOf, desk, read, receiver } from '../../../kit/callback.ts'
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

async function here() {
  const at = await desk()
  const there = await receiver()
  const order = await at.paid({ callbackUri: there.url, saveCard: true, directLinkProvider: 'TBC' })
  courierOf(at.sandbox)
  await there.came(1)
  const play = (what: Triggered['what'], more: Partial<Triggered> = {}) =>
    at.sandbox.trigger({ what, order: more.subscription === undefined ? order : undefined, ...more })
  const entry = async () => (await at.sandbox.ledger()).orders.find((each) => each.integratorOrderId === order)
  return { ...at, there, order, play, entry }
}

test('a duplicate is the same to the byte', async () => {
  const { there, play, list } = await here()
  expect(await play('callback', { duplicate: true })).toMatchObject({
    status: 'SUCCESS',
    callbacks: [{ id: '2', kind: 'payment', state: 'waiting', why: null }],
  })
  await there.came(2)
  expect(there.arrived[1]?.body).toBe(there.arrived[0]?.body)
  expect((await list()).map(({ note }) => note)).toEqual([null, 'duplicate of 1'])
})

test('out of order: the other outcome after the true one, and the ledger stays as it is', async () => {
  const { there, play, us, list, entry, order } = await here()
  const before = await entry()
  await play('callback', { outOfOrder: true })
  await there.came(2)
  const late = await read(there.last, us)
  expect(late).toMatchObject({ integratorOrderId: order, status: 'FAILED', acquiringAmount: 0 })
  expect(late).not.toHaveProperty('cardInfo')
  expect((await list())[1]?.note).toBe('out of order: it is SUCCESS')
  expect(await entry()).toEqual(before)
})

test('of an order that failed, a success comes late', async () => {
  const { there, play, us } = await here()
  const failed = await us.created({ callbackUri: there.url })
  await play('paid', { order: failed, card: 'declined' })
  await play('callback', { order: failed, outOfOrder: true })
  await there.came(3)
  expect(await read(there.last, us)).toMatchObject({ status: 'SUCCESS', amount: 12.5 })
})

test('edits reach inside, add what was not there, and are said in the list', async () => {
  const { there, play, us, list } = await here()
  const set = ['amount=0.01', 'cardInfo.token=x', 'status="1"', 'a.b.c=true', 'receiverId=null', 'x=a=b']
  await play('callback', { set })
  await there.came(2)
  const said = await read(there.last, us)
  expect(said).toMatchObject({ amount: 0.01, status: '1', a: { b: { c: true } }, receiverId: null, x: 'a=b' })
  expect(said.cardInfo).toMatchObject({ token: 'x', cardMask: '411111******1111' })
  expect((await list())[1]?.note).toContain('edited: amount, cardInfo.token, status')
  await play('callback', {})
  expect((await list())[2]).toMatchObject({ note: 'sent again', payload: { status: 'SUCCESS' } })
})

test('a callback that cannot be told yet is refused (5), a contradiction is a usage error (2)', async () => {
  const { play, us } = await here()
  const open = await us.created()
  for (const more of [{}, { duplicate: true }, { outOfOrder: true }]) {
    await expect(play('callback', { order: open, ...more })).rejects.toMatchObject({ exit: 5 })
  }
  const wrong: Partial<Triggered>[] = [
    ...[
      { duplicate: true, outOfOrder: true },
      { duplicate: true, set: ['a=1'] },
    ],
    ...[
      { set: ['a'] },
      { set: ['=1'] },
      { set: ['a..b=1'] },
      { set: ['__proto__.y=1'] },
      { tip: '1' },
      { amount: '1' },
      { card: 'approved' },
    ],
  ]
  for (const more of wrong) await expect(play('callback', more)).rejects.toMatchObject({ exit: 2 })
  await expect(play('paid', { duplicate: true })).rejects.toMatchObject({ exit: 2, message: /--duplicate/ })
  await expect(play('paid', { outOfOrder: true })).rejects.toMatchObject({ exit: 2, message: /--out-of-order/ })
  await expect(play('paid', { order: undefined })).rejects.toMatchObject({ exit: 2 })
})

test('an edit that no block has room for is given up in words, and its duplicate as well', async () => {
  const { sandbox, paid, list } = await desk('sandbox-legacy')
  const order = await paid({ callbackUri: 'http://127.0.0.1:1/' })
  const long = { what: 'callback', order, set: [`note=${'x'.repeat(400)}`] } as const
  const why = expect.stringContaining('one RSA block')
  expect((await sandbox.trigger(long)).callbacks).toMatchObject([{ state: 'given-up', why }])
  await sandbox.trigger({ what: 'callback', order, duplicate: true })
  expect((await list(order)).at(-1)).toMatchObject({ state: 'given-up', attempts: [{ why: /could not be sealed/ }] })
})

test('the service refunds by itself: in parts, or all that is left, at once', async () => {
  const { play, entry, us, order, list } = await here()
  expect(await play('refunded', { amount: '2.50' })).toMatchObject({ status: 'PARTIALLY_REFUNDED', callbacks: [] })
  await expect(play('refunded', { amount: '10.01' })).rejects.toMatchObject({ exit: 5 })
  for (const amount of ['0', '-1', 'x']) await expect(play('refunded', { amount })).rejects.toMatchObject({ exit: 2 })
  expect(await play('refunded')).toMatchObject({ status: 'REFUNDED_BY_SERVICE' })
  await expect(play('refunded')).rejects.toMatchObject({ exit: 5, facts: { status: 'REFUNDED_BY_SERVICE' } })
  const { refunds, refunded, returned } = (await entry()) ?? {}
  expect([refunds, String(refunded), String(returned)]).toEqual([2, '12.50', '12.50'])
  expect(await us.status(order)).toBe('REFUNDED_BY_SERVICE')
  expect(await list()).toHaveLength(1)
  // The payment succeeded, even if it was refunded since.
  await play('callback')
  expect((await list())[1]).toMatchObject({ payload: { status: 'SUCCESS' } })
})

test('a subscription is charged now, beside its schedule, and that is told', async () => {
  const { play, paid, sandbox, there, us, clock } = await here()
  const subscriptionPlan = { interval: 'MONTHLY', intervalCount: 1, amount: 5, callbackUrl: there.url }
  const order = { amount: 0, saveCard: true, directLinkProvider: 'TBC', subscriptionPlan }
  const waits = await us.created(order)
  const first = await paid(order, 'declined-when-saved')
  const known = (await sandbox.ledger()).subscriptions
  const of = (id: string) => known.find(({ integratorOrderId }) => integratorOrderId === id)?.subscriptionId
  clock.forward(2000)
  const { callbacks, ...played } = await play('subscription-charge', { subscription: of(first)?.toUpperCase() })
  expect(played).toEqual({
    played: 'subscription-charge',
    integratorOrderId: first,
    status: 'FAILED',
    failReason: 'declined by the bank',
  })
  expect(callbacks).toMatchObject([{ kind: 'subscription', url: there.url }])
  await there.came(3)
  const after = (await sandbox.ledger()).subscriptions.find(({ integratorOrderId }) => integratorOrderId === first)
  expect(after).toMatchObject({ failed: 2, nextChargeAt: '2026-12-20T14:00:00.000000' })
  const charge = (subscription?: string) => play('subscription-charge', { subscription, order: undefined })
  await expect(charge(of(waits))).rejects.toMatchObject({ exit: 5, facts: { status: 'WAITING_FOR_CARD' } })
  await expect(charge(randomUUID())).rejects.toMatchObject({ exit: 6 })
  await expect(charge()).rejects.toMatchObject({ exit: 2 })
})
