import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { getCard } from '../../../../src/lib/contract/card.ts'
import type { Operation } from '../../../../src/lib/contract/operation.ts'
import { cancelOrder, createOrder, orderStatus } from '../../../../src/lib/contract/order/order.ts'
import { refundOrder } from '../../../../src/lib/contract/order/refund.ts'
import { revokeSubscription } from '../../../../src/lib/contract/subscription.ts'
import { isRecord, readJson } from '../../../../src/lib/json.ts'
import { type Fields, qrRequest, shop, walletUser } from '../../../kit/sandbox/integrator.ts'
import { desk } from '../../../kit/sandbox/stand.ts'

async function here() {
  const { sandbox, url, integrator, wallet, pay } = await desk()
  const [client] = (await sandbox.world()).distributorClients
  if (!client) throw new Error('the world has no client')
  const post = async (path: string, body: Fields, token?: string) => {
    const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) }
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const value = readJson(await answer.text())
    return { http: answer.status, value: isRecord(value) ? value : {} }
  }
  const signIn = async (more: Fields = {}) => {
    const { clientId: client_id, clientSecret: client_secret } = client
    return await post('/api/auth', { client_id, client_secret, grant_type: 'client_credentials', ...more })
  }
  const remarks = async () => {
    await sandbox.requests.flush()
    return (await sandbox.requests.list({ limit: 1 }))[0]?.remarks
  }
  return { sandbox, url, us: await integrator(), wallet, pay, post, signIn, remarks }
}

type Here = Awaited<ReturnType<typeof here>>

async function tokenOf({ signIn }: Here): Promise<string> {
  const { value } = (await signIn()).value
  return isRecord(value) ? String(value.access_token) : ''
}

const payout = (more: Fields) => ({
  ...{
    amount: 12.5,
    currency: 'GEL',
    description: 'Invoice',
    uniqueId: randomUUID(),
    toIban: 'GE29NB0000000101904917',
  },
  ...more,
})

const unlisted = (name: string) => `${name}: a member that the specification does not list`

/** An order whose card is saved, with a plan that goes on. */
async function subscribed({ us, pay, sandbox }: Here): Promise<{ order: string; subscriptionId: string }> {
  const subscriptionPlan = { interval: 'MONTHLY', intervalCount: 1, amount: 5 }
  const order = await us.created({ amount: 0, saveCard: true, directLinkProvider: 'TBC', subscriptionPlan })
  await pay(order)
  return { order, subscriptionId: (await sandbox.ledger()).subscriptions[0]?.subscriptionId ?? '' }
}

describe('members that the specification does not list are accepted and remarked', () => {
  test('a card is read with integratorId and integratorOrderId', async () => {
    const at = await here()
    const order = await at.us.created({ saveCard: true, directLinkProvider: 'TBC' })
    await at.pay(order)
    expect(await at.us.about(getCard, order)).toMatchObject({ code: null, value: { provider: 'TBC' } })
    expect(await at.remarks()).toEqual([unlisted('integratorId')])
  })

  test('a status is read with returnCheckDetails', async () => {
    const at = await here()
    const order = await at.us.created()
    expect(await at.us.about(orderStatus, order, { returnCheckDetails: true })).toMatchObject({
      value: { status: 'INITIAL' },
    })
    expect(await at.remarks()).toEqual([unlisted('returnCheckDetails')])
  })

  test('a payout is made with debtorBirthDate and beneficiaryBirthDate', async () => {
    const at = await here()
    const token = await tokenOf(at)
    const dates = { debtorBirthDate: '01.01.1990', beneficiaryBirthDate: '02.02.1990' }
    expect(await at.post('/api/distributor', payout(dates), token)).toMatchObject({ value: { status: 'INITIAL' } })
    expect(await at.remarks()).toEqual([unlisted('debtorBirthDate'), unlisted('beneficiaryBirthDate')])
  })

  test('an order is made with softposOrder', async () => {
    const at = await here()
    expect((await at.us.create({ softposOrder: true })).code).toBeNull()
    expect(await at.remarks()).toEqual([unlisted('softposOrder')])
  })

  test('a subscription is revoked with integratorId', async () => {
    const at = await here()
    const { subscriptionId } = await subscribed(at)
    expect((await at.us.send(revokeSubscription, { ...at.us.ids, subscriptionId })).code).toBeNull()
    expect(await at.remarks()).toEqual([unlisted('integratorId')])
    expect((await at.sandbox.ledger()).subscriptions[0]?.status).toBe('REVOKED')
  })

  test('a sign-in is made with a scope, a balance asked for with a parameter of its own', async () => {
    const at = await here()
    expect((await at.signIn({ scope: 'all' })).http).toBe(200)
    expect(await at.remarks()).toEqual([unlisted('scope')])
    const headers = { authorization: `Bearer ${await tokenOf(at)}` }
    expect((await fetch(`${at.url}/api/distributor/balance/check?currency=GEL&utm=x`, { headers })).status).toBe(200)
    expect(await at.remarks()).toEqual([unlisted('utm')])
  })

  test('they are told by their place inside plans, splits and properties, and are kept nowhere but in the log', async () => {
    const at = await here()
    const part = (receiverIdentifier: string, amount: number, more: Fields = {}) => ({
      ...{ receiverType: 'BRANCH', receiverIdentifier, amount },
      ...more,
    })
    const splitDetails = [
      part(shop, 10, { note: 'x' }),
      part('5a9db0c0-0302-4a11-8c11-000000000302', 2.5, { note: 'y' }),
    ]
    const orderProperties = { DESCRIPTION: { value: 'tea', label: 'Tea' } }
    expect((await at.us.create({ splitDetails, orderProperties })).code).toBeNull()
    expect(await at.remarks()).toEqual([unlisted('splitDetails note'), unlisted('orderProperties label')])
    const [{ id } = { id: 0 }] = await at.sandbox.requests.list({ limit: 1 })
    expect(JSON.stringify((await at.sandbox.requests.find(id))?.payload)).toContain('"label":"Tea"')
  })

  test('a member that is null counts as absent and is not remarked', async () => {
    const at = await here()
    expect((await at.us.create({ softposOrder: null })).code).toBeNull()
    expect(await at.remarks()).toEqual([])
  })

  test('of thousands the first twenty are told', async () => {
    const at = await here()
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`extra${at}`, 1]))
    expect((await at.us.create(many)).code).toBeNull()
    expect(await at.remarks()).toHaveLength(21)
    expect((await at.remarks())?.at(-1)).toBe('and 4980 more')
  })
})

describe('numbers and switches written as text are accepted and remarked', () => {
  test('the amount of a payout', async () => {
    const at = await here()
    const { http } = await at.post('/api/distributor', payout({ amount: '12.50' }), await tokenOf(at))
    expect([http, await at.remarks()]).toEqual([200, ['amount: a number, written as text']])
  })

  test('the amount of an order and of its parts', async () => {
    const at = await here()
    const parts = [
      { receiverType: 'BRANCH', receiverIdentifier: shop, amount: '10' },
      { receiverType: 'BRANCH', receiverIdentifier: '5a9db0c0-0302-4a11-8c11-000000000302', amount: '2.50' },
    ]
    expect((await at.us.create({ amount: '12.50', splitDetails: parts })).code).toBeNull()
    expect(await at.remarks()).toEqual([
      'amount: a number, written as text',
      'splitDetails amount: a number, written as text',
    ])
  })

  test('the amount of a refund and of a finalize', async () => {
    const at = await here()
    const order = await at.us.created()
    await at.pay(order)
    expect((await at.us.refund(order, '1.00')).code).toBeNull()
    expect(await at.remarks()).toEqual(['amount: a number, written as text'])
    const wallet = await at.wallet()
    const uniqueId = String((await wallet.create(qrRequest(walletUser, '25.00'))).value.uniqueId)
    expect((await wallet.finalize(uniqueId, '25.00')).value.status).toBe('SUCCESS')
    expect(await at.remarks()).toEqual(['amount: a number, written as text'])
  })

  test.each([
    ['true', 'as text'],
    ['True', 'as text'],
    [1, 'as a number'],
  ])('a switch as %j', async (saveCard, how) => {
    const at = await here()
    expect((await at.us.create({ saveCard, directLinkProvider: 'TBC' })).code).toBeNull()
    expect(await at.remarks()).toEqual([`saveCard: a switch, written ${how}`])
  })
})

describe('a strict world refuses all that is remarked', () => {
  const sealed: readonly [string, Operation, Fields, number][] = [
    ['an order with an unlisted member', createOrder, { softposOrder: true }, 6049],
    ['an order with its amount as text', createOrder, { amount: '12.50' }, 6049],
    ['an order with a switch as text', createOrder, { saveCard: 'true', directLinkProvider: 'TBC' }, 6049],
    ['a status with an unlisted member', orderStatus, { returnCheckDetails: true }, 6053],
    ['a cancellation with an unlisted member', cancelOrder, { why: 'x' }, 6053],
    ['a refund with its amount as text', refundOrder, { amount: '1.00' }, 6095],
  ]

  test.each(sealed)('%s', async (_what, operation, fields, code) => {
    const at = await here()
    const order = await at.us.created()
    await at.pay(order)
    await at.sandbox.set({ strict: true })
    const payload =
      operation === createOrder ? at.us.order(fields) : { ...at.us.ids, integratorOrderId: order, ...fields }
    const heard = await at.us.send(operation, payload)
    expect([heard.code, String(heard.value.message)]).toEqual([code, expect.stringMatching(/^strict: /)])
    expect((await at.remarks())?.length).toBe(1)
  })

  test('a payout and a sign-in, with 5039', async () => {
    const at = await here()
    const token = await tokenOf(at)
    await at.sandbox.set({ strict: true })
    expect(await at.post('/api/distributor', payout({ amount: '12.50' }), token)).toMatchObject({
      http: 400,
      value: { message: 'strict: amount: a number, written as text' },
    })
    expect((await at.signIn({ scope: 'all' })).http).toBe(400)
    expect((await at.signIn()).http).toBe(200)
  })

  test('a new world stays strict, until it is told otherwise', async () => {
    const at = await here()
    await at.sandbox.set({ strict: true })
    await at.sandbox.reset()
    expect((await at.sandbox.wholeWorld()).settings.strict).toBe(true)
    await at.sandbox.reset({ strict: false })
    expect((await at.sandbox.wholeWorld()).settings.strict).toBe(false)
  })
})
