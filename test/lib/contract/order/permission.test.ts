import { expect, test } from 'vitest'
import { fieldsOf } from '../../../../src/lib/contract/core/field.ts'
import { type Permission, permissions } from '../../../../src/lib/contract/core/permission.ts'
import { createOrder } from '../../../../src/lib/contract/order/order.ts'
import { complaints, order, otherId, receiverId, usual } from '../../../kit/contract.ts'

const needed: Readonly<Record<string, Permission>> = {
  acquiringCurrency: 'currencies',
  distributionCurrency: 'currencies',
  tipReceiverId: 'additional',
  tipReceiverType: 'additional',
  successRedirectUri: 'redirect',
  failRedirectUri: 'redirect',
  callbackUri: 'callback',
  directLinkProvider: 'provider',
  openBankingLinkProvider: 'provider',
  cryptoPaymentProvider: 'provider',
  installmentPaymentProvider: 'provider',
  validUntil: 'validUntil',
  saveCard: 'saveCard',
  cardToken: 'cardToken',
  subscriptionPlan: 'plan',
  splitDetails: 'split',
}

test('the fields that need a permission say so, and no others', () => {
  const fields = fieldsOf(createOrder.request)
  const given = fields.filter(({ permission }) => permission).map(({ name, permission }) => [name, permission])
  expect(Object.fromEntries(given)).toEqual(needed)
  for (const { help, permission } of fields) {
    expect(help.includes('needs a permission of the service')).toBe(permission !== undefined)
  }
})

/** The rest of an order that can have the field. */
const base: Readonly<Record<string, object>> = {
  installmentPaymentProvider: { personalNumber: '01001000001', isForeign: 'false' },
  subscriptionPlan: { amount: '0', saveCard: 'true', directLinkProvider: 'BOG' },
}

const values: Readonly<Record<string, unknown>> = {
  acquiringCurrency: 'EUR',
  distributionCurrency: 'GEL',
  tipReceiverId: otherId,
  tipReceiverType: 'USER',
  validUntil: '2030-01-15 12:00:01',
  saveCard: 'false',
  cardToken: otherId,
  subscriptionPlan: { interval: 'MONTHLY', intervalCount: '1', amount: '9.90' },
  splitDetails: [
    { receiverType: 'BRANCH', receiverIdentifier: receiverId, amount: '10' },
    { receiverType: 'USER', receiverIdentifier: otherId, amount: '2.5' },
  ],
}

test.each(Object.entries(needed))('%s without its permission is refused', (name, permission) => {
  const { code, words } = permissions[permission]
  const value = values[name] ?? (name.endsWith('Uri') ? 'https://example.com/' : 'BOG')
  const request = { ...order, ...base[name], [name]: value }
  const others = new Set([...usual.permits].filter((each) => each !== permission))
  expect(complaints(createOrder, request, { permits: others })).toEqual([
    `${name} may be sent only by integrators that the service has permitted ${words} [${code}]`,
  ])
  expect(complaints(createOrder, request)).toEqual([])
})
