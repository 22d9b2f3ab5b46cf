import { expect, test } from 'vitest'
import { fieldsOf } from '../../../../src/lib/contract/core/field.ts'
import { createOrder } from '../../../../src/lib/contract/order/order.ts'
import { tidy } from '../../../../src/lib/contract/validate.ts'
import { complaints, order, orderId } from '../../../kit/contract.ts'

/** The complaints about an order that is right but for some fields. */
function wrongWith(changed: Record<string, unknown>): string[] {
  return complaints(createOrder, { ...order, ...changed })
}

test.each([
  ['1.234', 'has more than 2 decimals', 6058],
  ['-0.001', 'has more than 2 decimals', 6058],
  ['1e3', 'must be a plain decimal number like 12.50, without exponent or separators', 6021],
  ['', 'must be a plain decimal number like 12.50, without exponent or separators', 6021],
  ['1250,00', 'must be a plain decimal number like 12.50, without exponent or separators: write it as 1250.00', 6021],
  ['0', 'must be greater than 0', 6068],
  ['0.00', 'must be greater than 0', 6068],
  ['-5', 'must be greater than 0', 6068],
])('the amount %j %s, code %i', (amount, message, code) => {
  expect(wrongWith({ amount })).toEqual([`amount ${message} [${code}]`])
})

test.each(['receiverId', 'integratorId', 'integratorOrderId', 'tipReceiverId', 'cardToken'])(
  '%s is a UUID of version 4',
  (name) => {
    for (const value of ['5d1f3f1f-8a2c-11ee-9a53-0242ac120002', '', 'x', `${orderId} `]) {
      expect(wrongWith({ [name]: value })).toEqual([`${name} must be a UUID, version 4 [6049]`])
    }
    expect(tidy(createOrder, { [name]: ` ${orderId.toUpperCase()} ` })).toEqual({ [name]: orderId })
  },
)

test.each([
  ['receiverType', 'USER', 'must be BRANCH', 6024],
  ['currency', 'gel', 'must be one of GEL, USD, EUR', 6027],
  ['acquiringCurrency', 'RUB', 'must be one of GEL, USD, EUR', 6029],
  ['distributionCurrency', '', 'must be one of GEL, USD, EUR', 6028],
  ['tipReceiverType', 'IBAN', 'must be one of BRANCH, USER', 6049],
  ['language', 'RU', 'must be one of EN, IT, KA', 6049],
  ['commissionType', 'NOBODY', 'must be one of SENDER, RECEIVER, BOTH', 6049],
  ['isForeign', 'yes', 'must be true or false', 6049],
  ['saveCard', '1', 'must be true or false', 6049],
  ['payWithPreAuth', 'TRUE', 'must be true or false', 6049],
])('%s %j is none of its words', (name, value, message, code) => {
  expect(wrongWith({ [name]: value })).toEqual([`${name} ${message} [${code}]`])
})

test.each(['successRedirectUri', 'failRedirectUri', 'callbackUri'])('%s is an address of the web', (name) => {
  for (const value of [
    'example.com',
    'ftp://example.com',
    'javascript:alert(1)',
    'https://',
    'https://[',
    'https://example.com/a b',
    '',
  ]) {
    expect(wrongWith({ [name]: value })).toEqual([
      `${name} must be an address that begins with http:// or https:// [6049]`,
    ])
  }
  expect(tidy(createOrder, { [name]: ' https://example.com ' })).toEqual({ [name]: 'https://example.com' })
})

test.each(['2030-02-30 12:00:00', '2030-01-31', '2030-01-31T12:00:00', '31.01.2030 12:00:00', '', 'tomorrow'])(
  'validUntil %j is no moment',
  (validUntil) => {
    expect(wrongWith({ validUntil })).toEqual([
      'validUntil must be a moment of the calendar, yyyy-MM-dd HH:mm:ss in Tbilisi time, or ISO 8601 with a zone [6049]',
    ])
  },
)

test.each(['directLinkProvider', 'openBankingLinkProvider', 'cryptoPaymentProvider'])(
  'any code of %s passes, an empty one does not',
  (name) => {
    expect(wrongWith({ [name]: 'NEW_BANK' })).toEqual([])
    expect(wrongWith({ [name]: ' ' })).toEqual([`${name} must not be empty [6049]`])
  },
)

test('a value of another kind is refused in every field', () => {
  for (const { name } of fieldsOf(createOrder.request)) {
    for (const value of [5, true, name === 'splitDetails' ? {} : []]) {
      expect(
        wrongWith({ [name]: value }).some((each) => each.startsWith(`${name} `)),
        `${name} ${JSON.stringify(value)}`,
      ).toBe(true)
    }
  }
})

test('a field that the contract does not have is refused by name', () => {
  expect(wrongWith({ orderType: 'TREASURY' })).toEqual(['orderType is no field of this request [6049]'])
})
