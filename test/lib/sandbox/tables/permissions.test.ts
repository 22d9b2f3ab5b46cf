// Each permission of the service (service.md#permissions): what is refused without it, and with which code.

import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { groupHttp } from '../../../../src/lib/contract/assumed.ts'
import { getCard } from '../../../../src/lib/contract/card.ts'
import { cancelOrder, createOrder, orderStatus } from '../../../../src/lib/contract/order/order.ts'
import { integrators } from '../../../../src/lib/sandbox/accounts/fixtures.ts'
import {
  type Fields,
  type Integrator,
  integratorNamed,
  secondShop,
  shop,
  waiter,
} from '../../../kit/sandbox/integrator.ts'
import { expectRefused, expectSealed, servedTable } from '../../../kit/sandbox/stand.ts'

const noPermission = 3

const here = await servedTable()
const permitted = await here.integrator('sandbox')
const bare = await here.integrator('sandbox-bare')

/** The token of a card that was saved with an order of the permitted integrator. */
async function savedCard(): Promise<string> {
  const integratorOrderId = await here.paid(permitted, { saveCard: true, directLinkProvider: 'BOG' })
  return String((await permitted.send(getCard, { integratorOrderId })).value.token)
}

const cardToken = await savedCard()
const split = [
  { receiverType: 'BRANCH', receiverIdentifier: shop, amount: 10 },
  { receiverType: 'BRANCH', receiverIdentifier: secondShop, amount: 2.5 },
]
const plan = { interval: 'MONTHLY', intervalCount: 1, amount: 9.9 }
const installment = { installmentPaymentProvider: 'CREDO', personalNumber: '01001000001', isForeign: false }
const subscription = { amount: 0, saveCard: true, directLinkProvider: 'BOG', subscriptionPlan: plan }

/** The request, and the code where it is not permitted. */
const fields: readonly (readonly [string, number, Fields])[] = [
  ['acquiringCurrency', 6025, { acquiringCurrency: 'USD' }],
  ['distributionCurrency', 6025, { distributionCurrency: 'EUR' }],
  ['both currencies', 6025, { acquiringCurrency: 'GEL', distributionCurrency: 'GEL' }],
  ['saveCard with its provider', 6031, { saveCard: true, directLinkProvider: 'BOG' }],
  ['validUntil', 6032, { validUntil: '2026-12-31 23:59:59' }],
  ['validUntil with a zone', 6032, { validUntil: '2026-12-31T23:59:59Z' }],
  ['directLinkProvider', 6033, { directLinkProvider: 'TBC' }],
  ['directLinkProvider DEFAULT', 6033, { directLinkProvider: 'DEFAULT' }],
  ['openBankingLinkProvider', 6033, { openBankingLinkProvider: 'LB' }],
  ['cryptoPaymentProvider', 6033, { cryptoPaymentProvider: 'CITYPAY' }],
  ['installmentPaymentProvider', 6033, installment],
  ['successRedirectUri', 6036, { successRedirectUri: 'https://shop.example/ok' }],
  ['failRedirectUri', 6036, { failRedirectUri: 'https://shop.example/no' }],
  [
    'both redirect addresses',
    6036,
    { successRedirectUri: 'https://s.example/', failRedirectUri: 'https://f.example/' },
  ],
  ['a tip receiver', 6037, { tipReceiverId: waiter, tipReceiverType: 'USER' }],
  ['callbackUri', 6056, { callbackUri: 'https://shop.example/called' }],
  ['splitDetails', 6057, { splitDetails: split }],
  ['cardToken', 6090, { cardToken }],
  ['subscriptionPlan', 6111, subscription],
]

/** Requests that break a rule besides: the missing permission is told. */
const incomplete: readonly (readonly [string, number, Fields])[] = [
  ['saveCard alone', 6031, { saveCard: true }],
  ['tipReceiverId alone', 6037, { tipReceiverId: waiter }],
  ['tipReceiverType alone', 6037, { tipReceiverType: 'USER' }],
  ['a plan without a saved card', 6111, { amount: 0, subscriptionPlan: plan }],
]

test('every permission of orders is in the table', () => {
  const codes = [6022, 6025, 6031, 6032, 6033, 6036, 6037, 6038, 6056, 6057, 6090, 6111]
  const elsewhere = [6022, 6038]
  expect([...new Set([...fields.map(([, code]) => code), ...elsewhere])].toSorted()).toEqual(codes)
})

test.each([...fields, ...incomplete])('without the permission refused: %s: %i', async (_what, code, given) => {
  const order = bare.order(given)
  const heard = await bare.send(createOrder, order)
  expectRefused(heard, code, noPermission)
  expect(heard.http).toBe(groupHttp[noPermission])
  // Nothing was created, so the id is free.
  expectRefused(await bare.about(orderStatus, order.integratorOrderId), 6005, 5)
  expectSealed(await bare.create({ integratorOrderId: order.integratorOrderId }))
})

test.each(fields)('with the permission the same order is accepted: %s', async (_what, _code, given) => {
  const heard = await permitted.create(given)
  expectSealed(heard)
  expect(Object.keys(heard.value).toSorted()).toEqual(['integratorOrderId', 'urlForQR'])
})

describe('a field that is null or absent needs no permission', () => {
  const names = [...new Set(fields.flatMap(([, , given]) => Object.keys(given)))].filter((name) => name !== 'amount')

  test.each(names)('%s', async (name) => {
    expectSealed(await bare.create({ [name]: null }))
  })
})

test.each<[string, Fields]>([
  ['currency', { currency: 'EUR' }],
  ['language', { language: 'KA' }],
  ['commissionType', { commissionType: 'BOTH' }],
  ['personalNumber', { personalNumber: '01001000001' }],
  ['isForeign', { isForeign: true }],
  ['orderProperties', { orderProperties: { DESCRIPTION: { value: 'Two tickets' } } }],
])('requests that need no permission: %s', async (_what, given) => {
  expectSealed(await bare.create(given))
})

describe('the permission to refund', () => {
  const refund = async (integrator: Integrator, more: Fields = {}) => {
    const id = await here.paid(integrator)
    return { id, heard: await integrator.refund(id, 2.5, more) }
  }

  test.each<[string, Fields]>([
    ['a part', {}],
    ['the whole', { amount: 12.5 }],
    ['by an operator', { refundInitiator: 'OPERATOR' }],
  ])('without it a refund is refused and moves nothing: %s', async (_what, more) => {
    const { id, heard } = await refund(bare, more)
    expectRefused(heard, 6038, noPermission)
    expect(heard.http).toBe(groupHttp[noPermission])
    expect(await bare.status(id)).toBe('SUCCESS')
    const { refunds, refunded, returned } = await here.entry(id)
    expect([refunds, String(refunded), String(returned)]).toEqual([0, '0.00', '0.00'])
  })

  test('it is told before what else is wrong', async () => {
    expectRefused(await bare.refund(randomUUID(), 2.5), 6038, noPermission)
    expectRefused(await bare.refund(randomUUID(), 'abc'), 6038, noPermission)
  })

  test('with it the same refund is accepted', async () => {
    const { heard } = await refund(permitted)
    expectSealed(heard)
    expect(heard.value.status).toBe('REFUND_REQUESTED')
  })
})

test('saveCard false is a use of the field like any other, and saves nothing', async () => {
  const id = await here.paid(permitted, { saveCard: false, directLinkProvider: 'BOG' })
  expect(await here.entry(id)).toMatchObject({ cardSaved: false })
})

describe('the permission to create orders', () => {
  test('with it an order is taken', async () => {
    for (const { name, orderType, permissions } of integrators) {
      if (orderType !== 'DEFAULT' || !permissions.includes('create')) continue
      expectSealed(await (await here.integrator(name)).create())
    }
  })

  test('without it every order is refused, and nothing else', async () => {
    const integrator = await integratorNamed(here.sandbox, here.url, 'sandbox-closed')
    const order = integrator.order()
    expectRefused(await integrator.send(createOrder, order), 6022, noPermission)
    expectRefused(await integrator.create({ amount: 0 }), 6022, noPermission)
    expectRefused(await integrator.about(orderStatus, order.integratorOrderId), 6005, 5)
    expectRefused(await integrator.about(cancelOrder, order.integratorOrderId), 6005, 5)
    expectSealed(await permitted.create())
  })
})
