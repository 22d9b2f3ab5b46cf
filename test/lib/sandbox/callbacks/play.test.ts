import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { isHere, neverCalled } from '../../../../src/lib/sandbox/callbacks/courier.ts'
import type { Triggered } from '../../../../src/lib/sandbox/trigger.ts'
import { courierOf, desk, read, receiver } from '../../../kit/callback/receiver.ts'

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
  const set = [
    'amount=0.01',
    'cardInfo.token=x',
    'status="1"',
    'a.b.c=true',
    'receiverId=null',
    'x=a=b',
    '__proto__.y=1',
  ]
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
    ...[{ set: ['a'] }, { set: ['=1'] }, { set: ['a..b=1'] }, { tip: '1' }, { amount: '1' }, { card: 'approved' }],
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

test('a plan’s order was paid with nothing, so that there is nothing to refund', async () => {
  const { play, paid } = await here()
  const subscriptionPlan = { interval: 'MONTHLY', intervalCount: 1, amount: 5, startDate: '2026-12-01' }
  const order = await paid({ amount: 0, saveCard: true, directLinkProvider: 'TBC', subscriptionPlan })
  await expect(play('refunded', { order })).rejects.toMatchObject({ exit: 5, message: /nothing was paid/ })
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

test('names that are reserved, and addresses on this machine, are known by their form alone', () => {
  for (const host of ['x.example', 'test', 'a.invalid.', 'example.net', 'shop.EXAMPLE.com:8080']) {
    expect(neverCalled(`http://${host}/`)).toContain('RFC 2606')
  }
  for (const host of ['myexample.com', 'example.ge', 'latest', 'localhost', 'contest.io', '10.0.0.7']) {
    expect(neverCalled(`http://${host}/`)).toBe(null)
  }
  for (const host of ['localhost', 'a.localhost', '127.0.0.1', '127.9.9.9', '[::1]:80', '2130706433']) {
    expect(isHere(`http://${host}/`)).toBe(true)
  }
  for (const host of ['10.0.0.7', 'localhost.ge', '127.0.0.1.nip.io']) expect(isHere(`http://${host}/`)).toBe(false)
})
