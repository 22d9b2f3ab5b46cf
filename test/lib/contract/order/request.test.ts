import { describe, expect, test } from 'vitest'
import { fieldsOf } from '../../../../src/lib/contract/core/field.ts'
import { type Permission, permissions } from '../../../../src/lib/contract/core/permission.ts'
import { createOrder } from '../../../../src/lib/contract/order/order.ts'
import { providerFields, providersInUse } from '../../../../src/lib/contract/order/request.ts'
import { tidy, validate } from '../../../../src/lib/contract/validate.ts'
import { complaints, identity, noon, order, orderId, otherId, receiverId, usual } from '../../../kit/contract.ts'

/** The complaints about an order that is right but for some fields. */
function wrongWith(changed: Record<string, unknown>): string[] {
  return complaints(createOrder, { ...order, ...changed })
}

/** A value that passes for every optional field, given that nothing else is sent. */
const optional: Readonly<Record<string, unknown>> = {
  ...{ currency: 'USD', acquiringCurrency: 'EUR', distributionCurrency: 'GEL', language: 'KA', commissionType: 'BOTH' },
  ...{ tipReceiverId: otherId, tipReceiverType: 'USER', callbackUri: 'https://example.com/callback?a=b' },
  ...{ successRedirectUri: 'https://example.com/paid', failRedirectUri: 'http://example.com/not-paid' },
  ...{ directLinkProvider: 'BOG', openBankingLinkProvider: 'LB', cryptoPaymentProvider: 'CITYPAY' },
  ...{ personalNumber: '01001000001', isForeign: 'false', validUntil: '2030-01-15 12:00:01' },
  ...{ saveCard: 'false', cardToken: otherId, payWithPreAuth: 'true' },
  splitDetails: [
    { receiverType: 'BRANCH', receiverIdentifier: receiverId, amount: '10' },
    { receiverType: 'USER', receiverIdentifier: otherId, amount: '2.5' },
  ],
  orderProperties: { DESCRIPTION: { value: 'Tea', isEditable: 'true' } },
}

test('an order with nothing but the required fields keeps every rule and comes out as it went in', () => {
  expect(validate(createOrder, order, { ...usual, permits: new Set() })).toEqual({ ok: true, request: order })
})

test.each(Object.entries(optional))('an order with %s keeps every rule', (name, value) => {
  expect(wrongWith({ [name]: value })).toEqual([])
})

test('the fields of an order are those of the specification in its order, then pre-authorisation', () => {
  expect(fieldsOf(createOrder.request).map(({ name, required }) => `${name}${required ? '' : '?'}`)).toEqual([
    ...['amount', 'receiverId', 'receiverType', 'integratorId', 'integratorOrderId', 'currency?', 'acquiringCurrency?'],
    ...['distributionCurrency?', 'tipReceiverId?', 'tipReceiverType?', 'successRedirectUri?', 'failRedirectUri?'],
    ...['callbackUri?', 'directLinkProvider?', 'openBankingLinkProvider?', 'cryptoPaymentProvider?'],
    ...['installmentPaymentProvider?', 'personalNumber?', 'isForeign?', 'validUntil?', 'language?', 'commissionType?'],
    ...['saveCard?', 'cardToken?', 'subscriptionPlan?', 'splitDetails?', 'orderProperties?', 'payWithPreAuth?'],
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

  test('every value rides in JSON as the specification has it', () => {
    const others = fields.filter(({ json }) => json !== undefined).map(({ name, json }) => [name, json])
    expect(Object.fromEntries(others)).toEqual({
      ...{ amount: 'number', isForeign: 'boolean', saveCard: 'boolean', payWithPreAuth: 'boolean' },
      ...{ subscriptionPlan: 'object', splitDetails: 'list', orderProperties: 'map' },
    })
  })

  test('a person is asked for the payer of an installment, and for the bank that saves the card', () => {
    const asked = (given: Record<string, unknown>) =>
      fields.filter((field) => field.asked?.(given)).map(({ name }) => name)
    expect(asked({})).toEqual([])
    expect(asked({ installmentPaymentProvider: 'CREDO' })).toEqual(['personalNumber', 'isForeign'])
    expect(asked({ saveCard: 'true' })).toEqual(['directLinkProvider'])
  })
})

const plainNumber = 'must be a plain decimal number like 12.50, without exponent or separators'
const moment = 'must be a moment of the calendar, yyyy-MM-dd HH:mm:ss in Tbilisi time, or ISO 8601 with a zone [6049]'
const noMoments = ['2030-02-30 12:00:00', '2030-01-31', '2030-01-31T12:00:00', '31.01.2030 12:00:00', '', 'tomorrow']
const noAddresses = [
  ...['example.com', 'ftp://example.com', 'javascript:alert(1)', 'https://', 'https://[', 'https://a b', ''],
]
const address = 'must be an address that begins with http:// or https:// [6049]'
const noUuids = ['5d1f3f1f-8a2c-11ee-9a53-0242ac120002', '', 'x', `${orderId} `]
const uuids = ['receiverId', 'integratorId', 'integratorOrderId', 'tipReceiverId', 'cardToken']
const addresses = ['successRedirectUri', 'failRedirectUri', 'callbackUri']
const shownProviders = ['directLinkProvider', 'openBankingLinkProvider', 'cryptoPaymentProvider']

/** Of a field: values that it refuses, with the complaint. */
const refusedValues: readonly (readonly [field: string, complaint: string, values: readonly unknown[]])[] = [
  ['amount', 'has more than 2 decimals [6058]', ['1.234', '-0.001']],
  ['amount', `${plainNumber} [6021]`, ['1e3', '']],
  ['amount', `${plainNumber}: write it as 1250.00 [6021]`, ['1250,00']],
  ['amount', 'must be greater than 0 [6068]', ['0', '0.00', '-5']],
  ...uuids.map((name) => [name, 'must be a UUID, version 4 [6049]', noUuids] as const),
  ['receiverType', 'must be BRANCH [6024]', ['USER']],
  ['currency', 'must be one of GEL, USD, EUR [6027]', ['gel']],
  ['acquiringCurrency', 'must be one of GEL, USD, EUR [6029]', ['RUB']],
  ['distributionCurrency', 'must be one of GEL, USD, EUR [6028]', ['']],
  ['tipReceiverType', 'must be one of BRANCH, USER [6049]', ['IBAN']],
  ['language', 'must be one of EN, IT, KA [6049]', ['RU']],
  ['commissionType', 'must be one of SENDER, RECEIVER, BOTH [6049]', ['NOBODY']],
  ...['isForeign', 'saveCard', 'payWithPreAuth'].map(
    (name) => [name, 'must be true or false [6049]', ['yes', '1', 'TRUE']] as const,
  ),
  ...addresses.map((name) => [name, address, noAddresses] as const),
  ['validUntil', moment, noMoments],
  ...shownProviders.map((name) => [name, 'must not be empty [6049]', [' ']] as const),
  ['orderType', 'is not a field of this request [6049]', ['TREASURY']],
]

test.each(refusedValues)('%s %s: %j', (name, complaint, values) => {
  for (const value of values) expect(wrongWith({ [name]: value }), String(value)).toEqual([`${name} ${complaint}`])
})

test('ids and addresses are tidied, and any code of a provider passes', () => {
  for (const name of uuids)
    expect(tidy(createOrder, { [name]: ` ${orderId.toUpperCase()} ` })).toEqual({ [name]: orderId })
  for (const name of addresses)
    expect(tidy(createOrder, { [name]: ' https://a.example ' })).toEqual({ [name]: 'https://a.example' })
  for (const name of shownProviders) expect(wrongWith({ [name]: 'NEW_BANK' })).toEqual([])
})

const payer = { personalNumber: '01001000001', isForeign: 'false' }

const pairs = providerFields.flatMap((first, at) => providerFields.slice(at + 1).map((second) => [first, second]))

test.each(pairs)('providers: %s and %s not both', (first, second) => {
  const said = [`${second} or ${first}: give one provider, not both [6034]`]
  expect(wrongWith({ [String(first)]: 'A', [String(second)]: 'B', ...payer })).toEqual(said)
})

const all = Object.fromEntries(providerFields.map((name) => [name, 'A']))
const digits = 'personalNumber must be 9 or 11 digits, unless isForeign is true [6049]'
const emptyNumber = 'personalNumber must not be empty [6049]'
const noDigits = ['1234567890', '12345678', 'AB1234567', '123456789\n']
const over = 'validUntil must be in the future [6035]'

/** Fields that depend on each other, or on the time, and the complaints. */
const together: readonly (readonly [Record<string, unknown>, readonly string[]])[] = [
  [{ ...all, ...payer }, Array(3).fill(expect.stringContaining('[6034]'))],
  [{ saveCard: 'true' }, ['directLinkProvider is required to save the card [6091]']],
  [{ saveCard: 'true', directLinkProvider: 'BOG' }, []],
  [{ saveCard: 'false' }, []],
  [
    { installmentPaymentProvider: 'CREDO' },
    [
      'personalNumber is required together with an installment provider [6070]',
      'isForeign is required together with an installment provider [6049]',
    ],
  ],
  [{ installmentPaymentProvider: 'CREDO', ...payer }, []],
  ...['123456789', '12345678901'].map((personalNumber) => [{ personalNumber }, []] as const),
  ...noDigits.flatMap((personalNumber) => [
    [{ personalNumber }, [digits]] as const,
    [{ personalNumber, isForeign: 'false' }, [digits]] as const,
    [{ personalNumber, isForeign: 'true' }, []] as const,
  ]),
  [{ personalNumber: '', isForeign: 'true' }, [emptyNumber]],
  [{ personalNumber: '' }, [emptyNumber]],
  // In Tbilisi time, or ISO 8601 with a zone.
  [{ validUntil: '2030-01-15 12:00:01' }, []],
  [{ validUntil: '2030-01-15 12:00:00' }, [over]],
  [{ validUntil: '2030-01-15 08:00:01' }, [over]],
  [{ validUntil: '2030-01-15T08:00:01Z' }, []],
  [{ validUntil: '2030-01-15T12:00:00+04:00' }, [over]],
]

test.each(together)('an order with %j: %j', (changed, said) => {
  expect(wrongWith(changed)).toEqual(said)
})

test('validUntil is compared with the time of the check', () => {
  const request = { ...order, validUntil: '2030-01-15T08:00:01Z' }
  expect(complaints(createOrder, request, { now: noon + 1000 })).toEqual([over])
})

describe('remarks', () => {
  const remarks = (changed: Record<string, unknown>) => createOrder.remarks({ ...order, ...changed })

  test.each(providerFields)('a code of %s that is not known is remarked on, a known one is not', (name) => {
    for (const code of providersInUse[name]) expect(remarks({ [name]: code })).toEqual([])
    expect(remarks({ [name]: 'NEW' })).toEqual([
      `${name} NEW is not among the codes known here (${providersInUse[name].join(', ')}); it is sent as it is`,
    ])
  })

  test('a code of another provider field is remarked on with the field that takes it', () => {
    expect(remarks({ directLinkProvider: 'LB' })).toEqual([
      'directLinkProvider LB is not among the codes known here (BOG, TBC, CREDO, DEFAULT), but among those of openBankingLinkProvider; it is sent as it is',
    ])
    expect(remarks({ cryptoPaymentProvider: 'CREDO' })[0]).toContain(
      'among those of directLinkProvider and openBankingLinkProvider and installmentPaymentProvider;',
    )
  })

  test('half a tip receiver is remarked on', () => {
    const without = (given: string, missing: string) => [
      `${given} is given without ${missing}: the service may not know who gets the tip`,
    ]
    expect(remarks({ tipReceiverId: otherId })).toEqual(without('tipReceiverId', 'tipReceiverType'))
    expect(remarks({ tipReceiverType: 'USER' })).toEqual(without('tipReceiverType', 'tipReceiverId'))
    expect(remarks({ tipReceiverId: otherId, tipReceiverType: 'USER' })).toEqual([])
  })
})

const needed: Readonly<Record<string, Permission>> = {
  ...{ acquiringCurrency: 'currencies', distributionCurrency: 'currencies', callbackUri: 'callback' },
  ...{ tipReceiverId: 'additional', tipReceiverType: 'additional', splitDetails: 'split', validUntil: 'validUntil' },
  ...{ successRedirectUri: 'redirect', failRedirectUri: 'redirect', directLinkProvider: 'provider' },
  ...{ openBankingLinkProvider: 'provider', cryptoPaymentProvider: 'provider' },
  ...{ installmentPaymentProvider: 'provider', saveCard: 'saveCard', cardToken: 'cardToken', subscriptionPlan: 'plan' },
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

const plan = { interval: 'MONTHLY', intervalCount: '1', amount: '9.90' }
const values: Readonly<Record<string, unknown>> = {
  ...{ ...optional, subscriptionPlan: plan, installmentPaymentProvider: 'CREDO' },
  ...{ saveCard: 'false', successRedirectUri: 'https://example.com/' },
}

test.each(Object.entries(needed))('%s without its permission is refused', (name, permission) => {
  const { code, words } = permissions[permission]
  const request = { ...order, ...base[name], [name]: values[name] }
  const others = new Set([...usual.permits].filter((each) => each !== permission))
  expect(complaints(createOrder, request, { permits: others })).toEqual([
    `${name} may be sent only by integrators that the service has permitted ${words} [${code}]`,
  ])
  expect(complaints(createOrder, request)).toEqual([])
})
