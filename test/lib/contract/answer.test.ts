import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amountReceived, numericId, statusReceived, textReceived } from '../../../src/lib/contract/answer.ts'
import { JsonNumber, plainDecimal } from '../../../src/lib/contract/core/decimal.ts'
import { createPayout, payoutDetails } from '../../../src/lib/contract/payout/payout.ts'
import { signIn } from '../../../src/lib/contract/sign-in.ts'
import { readJson, writeJson } from '../../../src/lib/json.ts'

test('an id of the service keeps all its digits, whether it came as a number or as text', () => {
  const id = fc.bigInt(0n, 10n ** 40n).map(String)
  fc.assert(
    fc.property(id, (digits) => {
      expect(numericId.parse(new JsonNumber(digits))).toBe(digits)
      expect(numericId.parse(` ${digits} `)).toBe(digits)
    }),
  )
})

test.each(['1.5', '-1', '1e3', '', 'abc'])('%j is no id of the service', (text) => {
  expect(numericId.safeParse(text).success).toBe(false)
  expect(numericId.safeParse(new JsonNumber(text)).success).toBe(false)
})

test('an amount of the service keeps the digits it came with and can always be written as JSON again', () => {
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'0123456789.-e+ ') }),
    fc.tuple(fc.nat(), fc.nat()).map(([whole, fraction]) => `${whole}.${fraction}0`),
  )
  fc.assert(
    fc.property(text, (typed) => {
      const read = amountReceived.safeParse(typed)
      if (!read.success) return
      expect(read.data.text).toBe(typed.trim())
      expect(plainDecimal(read.data.text)).not.toBeNull()
      expect(writeJson(read.data)).toBe(read.data.text)
    }),
    { numRuns: 1000 },
  )
  expect(amountReceived.parse(new JsonNumber('12.50')).text).toBe('12.50')
  expect(amountReceived.safeParse('01.50').success).toBe(false)
  expect(amountReceived.safeParse('12,50').success).toBe(false)
})

test('free text that is absent or null is nothing, and a status loses the blanks around it', () => {
  expect(textReceived.parse(undefined)).toBeNull()
  expect(textReceived.parse(null)).toBeNull()
  expect(textReceived.parse(' as it came ')).toBe(' as it came ')
  expect(statusReceived.parse(' SUCCESS')).toBe('SUCCESS')
})

test('members that the contract does not know are kept', () => {
  const answer = '{"transactionId":1,"status":"INITIAL","uniqueId":"u","distributionFlow":"STANDARD","more":{"n":1.50}}'
  const read = createPayout.answer.parse(readJson(answer))
  expect(read.distributionFlow).toBe('STANDARD')
  expect(writeJson(read.more)).toBe('{"n":1.50}')
  expect(read.statusDescription).toBeNull()
})

test('details need what the specification always shows, and a commission may be missing', () => {
  const details = { transactionId: '7', status: 'SUCCESS', amount: '1.00', currency: 'GEL', uniqueId: 'u' }
  expect(payoutDetails.answer.safeParse(details).success).toBe(true)
  expect(payoutDetails.answer.parse({ ...details, commissionAmount: null }).commissionAmount).toBeNull()
  for (const name of Object.keys(details)) {
    expect(payoutDetails.answer.safeParse({ ...details, [name]: undefined }).success, name).toBe(false)
  }
})

test('the life of an access token is a positive number of seconds', () => {
  const token = { access_token: 'abc', token_type: 'Bearer' }
  expect(signIn.answer.parse({ ...token, expires_in: new JsonNumber('1800') }).expires_in).toBe(1800)
  expect(signIn.answer.parse({ ...token, expires_in: '3600' }).expires_in).toBe(3600)
  for (const expires_in of [new JsonNumber('0'), new JsonNumber('-5'), 'soon', '', null, undefined]) {
    expect(signIn.answer.safeParse({ ...token, expires_in }).success).toBe(false)
  }
  expect(signIn.answer.safeParse({ access_token: '', expires_in: '1800' }).success).toBe(false)
})
