import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createOrder, orderStatus } from '../../../src/lib/contract/order/order.ts'
import { subscriptionHistory } from '../../../src/lib/contract/subscription.ts'
import { readCallbacks } from '../../../src/lib/sandbox/callbacks/callbacks.ts'
import { assumedSwitches, type Switches } from '../../../src/lib/sandbox/handler.ts'
import { blockedUser, qrOpen, shop, walletUser } from '../../kit/sandbox/integrator.ts'
import { desk } from '../../kit/sandbox/stand.ts'

const day = 24 * 3_600_000

async function here(turned: Partial<Switches>) {
  const at = await desk({}, { ...assumedSwitches, ...turned })
  return { ...at, us: await at.integrator() }
}

/** An order with a plan whose card pays once, and is declined whenever it is charged by its token. */
async function subscribed({ us, pay, sandbox }: Awaited<ReturnType<typeof here>>) {
  const subscriptionPlan = { interval: 'MONTHLY', intervalCount: 1, amount: 5 }
  const callbackUri = 'https://shop.example/paid'
  const order = await us.created({
    amount: 0,
    saveCard: true,
    directLinkProvider: 'TBC',
    callbackUri,
    subscriptionPlan,
  })
  await pay(order, { card: 'declined-when-saved' })
  return (await sandbox.ledger()).subscriptions[0]?.subscriptionId ?? ''
}

test.each([
  [true, null],
  [false, 6010],
])('opensMgf1Sha1 %s: OAEP whose MGF1 hash is SHA-1 ends with %s', async (opensMgf1Sha1, code) => {
  const { us } = await here({ opensMgf1Sha1 })
  const heard = await us.sendMembers(createOrder, us.envelope(JSON.stringify(us.order()), 'oaep-sha256-mgf1-sha1'))
  expect(heard.code).toBe(code)
})

test.each([
  [true, null],
  [false, 6049],
])('readsOtherTypes %s: a body that says it is text ends with %s', async (readsOtherTypes, code) => {
  const { us } = await here({ readsOtherTypes })
  const members = us.envelope(JSON.stringify(us.order()))
  expect((await us.sendMembers(createOrder, members, { 'content-type': 'text/plain' })).code).toBe(code)
})

test.each([
  [true, 'https://shop.example/paid'],
  [false, 'https://shop.example/callback'],
])('plansTellOrder %s: a charge of a plan without callbackUrl is told to %s', async (plansTellOrder, url) => {
  const at = await here({ plansTellOrder })
  await subscribed(at)
  at.clock.forward(2000)
  const told = (await at.sandbox.read((db) => readCallbacks(db))).filter(({ kind }) => kind === 'subscription')
  expect(told).toHaveLength(1)
  expect(told[0]?.url ?? null).toBe(url)
})

test.each([
  [true, 'FAILED', 6006],
  [false, 'INITIAL', null],
])('failureEnds %s: after a failed try an order without validUntil is %s', async (failureEnds, status, canceled) => {
  const { us, pay, clock } = await here({ failureEnds })
  const order = await us.created()
  await pay(order, { card: 'declined' })
  expect(await us.status(order)).toBe(status)
  clock.forward(day)
  expect(await us.status(order)).toBe(failureEnds ? 'FAILED' : 'EXPIRED')
  const other = await us.created()
  await pay(other, { card: 'declined' })
  expect((await us.cancel(other)).code).toBe(canceled)
  expect((await us.about(orderStatus, other)).value.status).toBe(failureEnds ? 'FAILED' : 'CANCELED')
})

test.each([
  [null, 1],
  [3600, 4],
])('chargeAgainAfter %s: in three hours a declined card is charged %i times', async (chargeAgainAfter, times) => {
  const at = await here({ chargeAgainAfter })
  const subscriptionId = await subscribed(at)
  const history = async () =>
    JSON.parse((await at.us.send(subscriptionHistory, { subscriptionId })).text ?? '') as {
      time: string
      status: string
    }[]
  for (let hour = 0; hour <= 3; hour += 1) {
    at.clock.forward(2000)
    await history()
    at.clock.forward(3_600_000 - 2000)
  }
  const charges = await history()
  const ended = charges.filter(({ status }) => status === 'FAILED')
  expect(ended).toHaveLength(times)
  at.clock.forward(31 * day)
  const next = (await history()).map(({ time }) => time).filter((time) => time.startsWith('2026-12-20T14:00:00'))
  expect(next, 'the schedule stays what it was').toHaveLength(1)
})

test.each([
  [true, 6109],
  [false, null],
])('rejectedUsesIdUp %s: the id of a rejected wallet order again ends with %s', async (rejectedUsesIdUp, code) => {
  const at = await here({ rejectedUsesIdUp })
  const wallet = await at.wallet()
  const id = randomUUID()
  expect((await wallet.create(qrOpen(blockedUser), id)).value.status).toBe('REJECTED')
  expect((await wallet.create(qrOpen(walletUser), id)).code).toBe(code)
  const kept = (await at.sandbox.ledger()).walletOrders.filter(({ uniqueId }) => uniqueId === id)
  expect(kept.map(({ status }) => status)).toEqual([code === null ? 'REGISTERED' : 'FAILED'])
  if (code === null) expect((await wallet.create(qrOpen(walletUser), id)).code).toBe(6109)
})

test.each([
  [true, null],
  [false, 6130],
])('outsideGivesBack %s: a refund from an account outside ends with %s', async (outsideGivesBack, code) => {
  const { us, pay } = await here({ outsideGivesBack })
  const order = await us.created({
    amount: 10,
    splitDetails: [
      { receiverType: 'BRANCH', receiverIdentifier: shop, amount: 7 },
      { receiverType: 'IBAN', receiverIdentifier: 'GE29NB0000000101904917', amount: 3 },
    ],
  })
  await pay(order)
  expect((await us.refund(order, 10)).code).toBe(code)
})
