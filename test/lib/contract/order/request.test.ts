import { describe, expect, test } from 'vitest'
import { fieldsOf } from '../../../../src/lib/contract/core/field.ts'
import { createOrder } from '../../../../src/lib/contract/order/order.ts'
import { validate } from '../../../../src/lib/contract/validate.ts'
import { complaints, identity, order, otherId, receiverId, usual } from '../../../kit/contract.ts'

/** The complaints about an order that is right but for some fields. */
function wrongWith(changed: Record<string, unknown>): string[] {
  return complaints(createOrder, { ...order, ...changed })
}

/** A value that passes for every optional field, given that nothing else is sent. */
const optional: Readonly<Record<string, unknown>> = {
  currency: 'USD',
  acquiringCurrency: 'EUR',
  distributionCurrency: 'GEL',
  tipReceiverId: otherId,
  tipReceiverType: 'USER',
  successRedirectUri: 'https://example.com/paid',
  failRedirectUri: 'http://example.com/not-paid',
  callbackUri: 'https://example.com/callback?a=b',
  directLinkProvider: 'BOG',
  openBankingLinkProvider: 'LB',
  cryptoPaymentProvider: 'CITYPAY',
  personalNumber: '01001000001',
  isForeign: 'false',
  validUntil: '2030-01-15 12:00:01',
  language: 'KA',
  commissionType: 'BOTH',
  saveCard: 'false',
  cardToken: otherId,
  splitDetails: [
    { receiverType: 'BRANCH', receiverIdentifier: receiverId, amount: '10' },
    { receiverType: 'USER', receiverIdentifier: otherId, amount: '2.5' },
  ],
  orderProperties: { DESCRIPTION: { value: 'Tea', isEditable: 'true' } },
  payWithPreAuth: 'true',
}

test('an order with nothing but the required fields keeps every rule and comes out as it went in', () => {
  expect(validate(createOrder, order, { ...usual, permits: new Set() })).toEqual({ ok: true, request: order })
})

test.each(Object.entries(optional))('an order with %s keeps every rule', (name, value) => {
  expect(wrongWith({ [name]: value })).toEqual([])
})

test('the fields of an order are those of the specification in its order, then pre-authorisation', () => {
  expect(fieldsOf(createOrder.request).map(({ name, required }) => `${name}${required ? '' : '?'}`)).toEqual([
    'amount',
    'receiverId',
    'receiverType',
    'integratorId',
    'integratorOrderId',
    'currency?',
    'acquiringCurrency?',
    'distributionCurrency?',
    'tipReceiverId?',
    'tipReceiverType?',
    'successRedirectUri?',
    'failRedirectUri?',
    'callbackUri?',
    'directLinkProvider?',
    'openBankingLinkProvider?',
    'cryptoPaymentProvider?',
    'installmentPaymentProvider?',
    'personalNumber?',
    'isForeign?',
    'validUntil?',
    'language?',
    'commissionType?',
    'saveCard?',
    'cardToken?',
    'subscriptionPlan?',
    'splitDetails?',
    'orderProperties?',
    'payWithPreAuth?',
  ])
})

test('an empty order is told every field that is required', () => {
  expect(complaints(createOrder, {})).toEqual([
    'amount is required [6049]',
    'receiverId is required [6049]',
    'receiverType is required [6024]',
    'integratorId is required [6049]',
    'integratorOrderId is required [6049]',
  ])
})

describe('fields that are filled in and made', () => {
  const fields = fieldsOf(createOrder.request)

  test('the integrator is filled in with the identity of the profile, the receiver type with BRANCH', () => {
    expect(fields.filter(({ filled }) => filled).map(({ name, filled }) => [name, filled?.(identity)])).toEqual([
      ['receiverType', 'BRANCH'],
      ['integratorId', identity],
    ])
  })

  test('the order id alone is made', () => {
    expect(fields.filter(({ made }) => made).map(({ name }) => name)).toEqual(['integratorOrderId'])
  })

  test('the token of a card alone is a secret', () => {
    expect(fields.filter(({ secret }) => secret).map(({ name }) => name)).toEqual(['cardToken'])
  })

  test('every value rides in JSON as the specification has it', () => {
    const others = fields.filter(({ json }) => json !== undefined).map(({ name, json }) => [name, json])
    expect(Object.fromEntries(others)).toEqual({
      amount: 'number',
      isForeign: 'boolean',
      saveCard: 'boolean',
      subscriptionPlan: 'object',
      splitDetails: 'list',
      orderProperties: 'map',
      payWithPreAuth: 'boolean',
    })
  })

  test('every example keeps the rule of its field', () => {
    for (const { name, example } of fields) {
      if (example !== undefined) expect(wrongWith({ [name]: example }), name).toEqual([])
    }
  })

  test('a person is asked for the payer of an installment, and for the bank that saves the card', () => {
    const asked = (given: Record<string, unknown>) =>
      fields.filter((field) => field.asked?.(given)).map(({ name }) => name)
    expect(asked({})).toEqual([])
    expect(asked({ installmentPaymentProvider: 'CREDO' })).toEqual(['personalNumber', 'isForeign'])
    expect(asked({ saveCard: 'true' })).toEqual(['directLinkProvider'])
  })
})
