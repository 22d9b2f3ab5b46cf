import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { revokeSubscription, subscriptionHistory } from '../../../../src/lib/contract/subscription.ts'
import { type Fields, secondShop, shop } from '../../../kit/sandbox/integrator.ts'
import { desk } from '../../../kit/sandbox/stand.ts'

const day = 24 * 3_600_000

async function here(plan: Fields = {}, fields: Fields = {}) {
  const at = await desk()
  const us = await at.integrator()
  const id = await us.created({
    ...{ amount: 0, saveCard: true, directLinkProvider: 'TBC' },
    subscriptionPlan: { interval: 'MONTHLY', intervalCount: 1, amount: 9.9, ...plan },
    ...fields,
  })
  const { subscriptionId } = await at.entry(id)
  const history = async () => {
    const heard = await us.send(subscriptionHistory, { subscriptionId })
    return heard.code ?? (JSON.parse(heard.text ?? '') as { time: string; status: string; failReason: string | null }[])
  }
  const kept = async () => (await at.sandbox.ledger()).subscriptions[0]
  return { ...at, us, id, subscriptionId, history, kept }
}

test('a plan waits for its card; the first payment saves it and is followed by the first charge at once', async () => {
  const { id, pay, clock, history, kept, entry, us } = await here()
  expect(await kept()).toMatchObject({ status: 'WAITING_FOR_CARD', integratorOrderId: id, nextChargeAt: null })
  expect(await history()).toBe(6112)
  await pay(id)
  expect(await us.status(id)).toBe('SUCCESS')
  expect(await history()).toMatchObject([{ time: '2026-11-20T14:00:00.000000', status: 'ACQUIRING_IN_PROCESS' }])
  clock.forward(2000)
  expect(await history()).toEqual([
    {
      time: '2026-11-20T14:00:00.000000',
      status: 'COMPLETED',
      refundTime: null,
      refundedAmount: null,
      failReason: null,
    },
  ])
  expect(await kept()).toMatchObject({ status: 'ACTIVE', completed: 1, nextChargeAt: '2026-12-20T14:00:00.000000' })
  const { charges, cardSaved, splits } = await entry(id)
  expect([charges, cardSaved, String(splits[0]?.received)]).toEqual([1, true, '9.70'])
})

test('a year of months is twelve charges more, each at its own time, however late the first look', async () => {
  const { id, pay, clock, history, entry } = await here()
  await pay(id)
  clock.forward(365 * day + 2000)
  const charged = await history()
  if (typeof charged === 'number') throw new Error(`refused: ${charged}`)
  expect(charged).toHaveLength(13)
  expect(new Set(charged.map(({ status }) => status))).toEqual(new Set(['COMPLETED']))
  expect(charged.map(({ time }) => time.slice(0, 10)).slice(0, 3)).toEqual(['2026-11-20', '2026-12-20', '2027-01-20'])
  expect((await entry(id)).charges).toBe(13)
})

test('a start date puts the first charge off to its midnight', async () => {
  const { id, pay, clock, history } = await here({ interval: 'WEEKLY', intervalCount: 2, startDate: '2026-12-01' })
  await pay(id)
  expect(await history()).toBe(6112)
  clock.forward(10 * day + 10 * 3_600_000 - 1)
  expect(await history()).toBe(6112)
  clock.forward(14 * day + 1)
  expect(await history()).toMatchObject([
    { time: '2026-12-01T00:00:00.000000' },
    { time: '2026-12-15T00:00:00.000000' },
  ])
})

test('a start date that is over when the card comes means at once', async () => {
  const validUntil = '2026-12-31 00:00:00'
  const { id, pay, clock, history } = await here({ startDate: '2026-11-21' }, { validUntil })
  clock.forward(5 * day)
  await pay(id)
  expect(await history()).toMatchObject([{ time: '2026-11-25T14:00:00.000000' }])
})

test('a charge that the bank declines is FAILED with its reason, and the next comes on its day', async () => {
  const { id, pay, clock, history, entry } = await here({ interval: 'WEEKLY' })
  await pay(id, { card: 'declined-when-saved' })
  clock.forward(7 * day + 2000)
  const failed = { status: 'FAILED', failReason: 'declined by the bank' }
  expect(await history()).toMatchObject([failed, failed])
  expect((await entry(id)).charges).toBe(0)
})

test('revoke ends it: nothing is charged from then on, and a second revoke says the same', async () => {
  const { id, pay, clock, us, subscriptionId, history, kept } = await here()
  await pay(id)
  clock.forward(2000)
  for (let times = 0; times < 2; times += 1) {
    expect(await us.send(revokeSubscription, { subscriptionId })).toMatchObject({ http: 200, text: '{}' })
  }
  clock.forward(90 * day)
  expect(await history()).toHaveLength(1)
  expect(await kept()).toMatchObject({ status: 'REVOKED', nextChargeAt: null })
})

test('one that is revoked before its card is there never begins', async () => {
  const { id, pay, clock, us, subscriptionId, kept, entry } = await here()
  await us.send(revokeSubscription, { subscriptionId })
  await pay(id)
  clock.forward(90 * day)
  expect(await kept()).toMatchObject({ status: 'REVOKED', completed: 0 })
  expect((await entry(id)).charges).toBe(0)
})

test('an order that is never paid ends its subscription', async () => {
  for (const end of ['declined', 'expired'] as const) {
    const { id, sandbox, kept, history } = await here()
    await sandbox.trigger({ what: end, order: id })
    expect(await kept()).toMatchObject({ status: 'ENDED' })
    expect(await history()).toBe(6112)
  }
})

test('the price of a split plan is shared at every charge', async () => {
  const splitDetails = [
    { receiverType: 'BRANCH', receiverIdentifier: shop, amount: 9 },
    { receiverType: 'BRANCH', receiverIdentifier: secondShop, amount: 1 },
  ]
  const { id, pay, clock, entry } = await here({ amount: 10 }, { splitDetails, commissionType: 'SENDER' })
  await pay(id)
  clock.forward(2000)
  expect((await entry(id)).splits.map(({ received }) => String(received))).toEqual(['9.00', '1.00'])
})

test('unknown, or of another integrator: 6100', async () => {
  const { us, integrator, subscriptionId } = await here()
  const other = await integrator('sandbox-pkcs1')
  for (const operation of [subscriptionHistory, revokeSubscription]) {
    expect(await us.send(operation, { subscriptionId: randomUUID() })).toMatchObject({ code: 6100, group: 5 })
    expect(await other.send(operation, { subscriptionId })).toMatchObject({ code: 6100 })
  }
})

test('a plan’s order has nothing to refund', async () => {
  const { us, id, pay, clock } = await here()
  await pay(id)
  clock.forward(2000)
  expect(await us.refund(id, 1)).toMatchObject({ code: 6007, group: 1 })
})

test('many looks at once charge once', async () => {
  const { id, pay, clock, history } = await here({ interval: 'WEEKLY' })
  await pay(id)
  clock.forward(21 * day + 2000)
  await Promise.all(Array.from({ length: 10 }, () => history()))
  expect(await history()).toHaveLength(4)
})

test('an answer too long for one block says that it cannot be sealed (6009), after the fact', async () => {
  const { integrator, pay, clock, sandbox } = await desk()
  const old = await integrator('sandbox-legacy')
  const plan = { interval: 'WEEKLY', intervalCount: 1, amount: 5 }
  const order = old.order({ amount: 0, saveCard: true, directLinkProvider: 'TBC', subscriptionPlan: plan })
  const id = await old.created(order)
  await pay(id)
  clock.forward(60 * day)
  const [subscription] = (await sandbox.ledger()).subscriptions
  const asked = { subscriptionId: subscription?.subscriptionId }
  expect(await old.send(subscriptionHistory, asked)).toMatchObject({ http: 500, code: 6009, group: 6 })
})
