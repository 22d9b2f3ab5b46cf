import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCallback } from '../../../src/lib/contract/callback.ts'
import { JsonNumber } from '../../../src/lib/contract/core/decimal.ts'
import { isRecord, readJson, writeJson } from '../../../src/lib/json.ts'

const read = (value: unknown) => readCallback(readJson(JSON.stringify(value)) as Record<string, unknown>)

test.each([
  [{ cardToken: 't' }, { cardToken: 't' }],
  [{ token: 't' }, { cardToken: 't' }],
  [{ cardToken: null, token: 't' }, { cardToken: 't' }],
  [
    { cardToken: 't', token: 'u' },
    { cardToken: 't', token: 'u' },
  ],
])('the token of a card: %j', (cardInfo, expected) => {
  expect(read({ integratorOrderId: 'o', cardInfo }).fields.cardInfo).toMatchObject(expected)
})

test('amounts as numbers or as text, with their digits; unknown members kept', () => {
  const sent = readJson('{"transactionId":9007199254740993,"amount":12.50,"acquiringAmount":"7.10","x":1.0}')
  const { fields } = readCallback(isRecord(sent) ? sent : {})
  expect(fields).toMatchObject({
    transactionId: '9007199254740993',
    amount: new JsonNumber('12.50'),
    acquiringAmount: new JsonNumber('7.10'),
  })
  expect(writeJson(fields.x)).toBe('1.0')
})

test.each([
  [{ integratorOrderId: 'o' }, 'payment'],
  [{ IntegratorOrderId: 'o' }, 'payment'],
  [{ transactionId: 1 }, 'payment'],
  [{ integratorOrderId: 'o', subscriptionId: 's' }, 'payment'],
  [{ subscriptionId: 's', historyId: 'h' }, 'subscription'],
  [{ subscriptionId: 's' }, 'subscription'],
  [{ integratorOrderId: 'o', historyId: 'h' }, 'subscription'],
  [{ integratorOrderId: null, status: 'SUCCESS' }, 'unknown'],
  [{}, 'unknown'],
])('%j is of the kind %s', (value, kind) => {
  expect(read(value).kind).toBe(kind)
})

test('a member of the wrong kind is named, and takes no other with it', () => {
  expect(read({ integratorOrderId: 'o', amount: 'much', Status: {}, transactionId: 7 })).toMatchObject({
    odd: ['amount', 'status'],
    fields: { integratorOrderId: 'o', transactionId: '7', amount: null, status: null },
  })
})

describe('two that say the same', () => {
  const about = (value: unknown) => read(value).about
  const one = { integratorOrderId: 'AB-1', transactionId: 7, status: 'SUCCESS', amount: 12.5 }

  test.each([
    [{ ...one, amount: '12.50' }],
    [{ ...one, transactionId: '7', receiverId: 'x' }],
    [{ ...one, integratorOrderId: 'ab-1', status: ' SUCCESS' }],
  ])('%j', (other) => {
    expect(about(other)).toBe(about(one))
  })

  test.each([
    [{ ...one, transactionId: 8 }],
    [{ ...one, status: 'FAILED' }],
    [{ ...one, amount: 12.51 }],
    [{ ...one, integratorOrderId: 'AB-2' }],
    [{ ...one, historyId: 'h' }],
  ])('not %j', (other) => {
    expect(about(other)).not.toBe(about(one))
  })

  test('null where a callback does not name its subject', () => {
    expect(about({ status: 'SUCCESS' })).toBeNull()
  })
})

test('nothing that is JSON makes it throw', () => {
  const names = ['amount', 'status', 'cardInfo', 'transactionId', 'integratorOrderId', 'historyId', 'Amount']
  const value = fc.dictionary(fc.constantFrom(...names), fc.jsonValue({ maxDepth: 3 }))
  fc.assert(
    fc.property(value, (given) => {
      const { fields, kind } = read(given)
      expect(writeJson(fields)).toBeTruthy()
      if (kind === 'unknown') expect(readJson(writeJson(fields))).toEqual(readJson(JSON.stringify(given)))
    }),
  )
})
