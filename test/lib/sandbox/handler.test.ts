import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createOrder } from '../../../src/lib/contract/order/order.ts'
import { subscriptionHistory } from '../../../src/lib/contract/subscription.ts'
import { readCallbacks } from '../../../src/lib/sandbox/areas/callbacks.ts'
import { blockedUser, qrOpen, shop, walletUser } from '../../kit/sandbox/integrator.ts'
import { desk } from '../../kit/sandbox/stand.ts'

const day = 24 * 3_600_000

async function here() {
  const at = await desk()
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

test('opensMgf1Sha1: OAEP whose MGF1 hash is SHA-1 opens', async () => {
  const { us } = await here()
  const heard = await us.sendMembers(createOrder, us.envelope(JSON.stringify(us.order()), 'oaep-sha256-mgf1-sha1'))
  expect(heard.code).toBeNull()
})

test('readsOtherTypes: a body that says it is text is read', async () => {
  const { us } = await here()
  const members = us.envelope(JSON.stringify(us.order()))
  expect((await us.sendMembers(createOrder, members, { 'content-type': 'text/plain' })).code).toBeNull()
})

test('plansTellOrder: a charge of a plan without callbackUrl is told to the address of the order', async () => {
  const at = await here()
  await subscribed(at)
  at.clock.forward(2000)
  const told = (await at.sandbox.read((db) => readCallbacks(db))).filter(({ kind }) => kind === 'subscription')
  expect(told).toHaveLength(1)
  expect(told[0]?.url).toBe('https://shop.example/paid')
})

test('failureEnds: after a failed try an order without validUntil is FAILED', async () => {
  const { us, pay, clock } = await here()
  const order = await us.created()
  await pay(order, { card: 'declined' })
  expect((await us.cancel(order)).code).toBe(6006)
  clock.forward(day)
  expect(await us.status(order)).toBe('FAILED')
})

test('chargeAgainAfter: a card that is declined is charged once, and again by the schedule', async () => {
  const at = await here()
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
  expect(ended).toHaveLength(1)
  at.clock.forward(31 * day)
  const next = (await history()).map(({ time }) => time).filter((time) => time.startsWith('2026-12-20T14:00:00'))
  expect(next, 'the schedule stays what it was').toHaveLength(1)
})

test('rejectedUsesIdUp: the uniqueId of a rejected wallet order is used up', async () => {
  const at = await here()
  const wallet = await at.wallet()
  const id = randomUUID()
  expect((await wallet.create(qrOpen(blockedUser), id)).value.status).toBe('REJECTED')
  expect((await wallet.create(qrOpen(walletUser), id)).code).toBe(6109)
})

test('outsideGivesBack: a refund takes the part of an account outside', async () => {
  const { us, pay } = await here()
  const order = await us.created({
    amount: 10,
    splitDetails: [
      { receiverType: 'BRANCH', receiverIdentifier: shop, amount: 7 },
      { receiverType: 'IBAN', receiverIdentifier: 'GE29NB0000000101904917', amount: 3 },
    ],
  })
  await pay(order)
  expect((await us.refund(order, 10)).code).toBeNull()
})
