import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type AskedSum,
  amountReceived,
  differenceIn,
  numericId,
  statusReceived,
  textReceived,
} from '../../../src/lib/contract/answer.ts'
import { fromMinorUnits, JsonNumber, plainDecimal } from '../../../src/lib/contract/core/decimal.ts'
import type { Members } from '../../../src/lib/contract/core/members.ts'
import { writeNamed } from '../../../src/lib/contract/operations.ts'
import { createPayout, payoutDetails } from '../../../src/lib/contract/payout/payout.ts'
import { signIn } from '../../../src/lib/contract/sign-in.ts'
import { isRecord, readJson, writeJson } from '../../../src/lib/json.ts'

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

const asked: AskedSum = { amount: ['13.00'], currency: ['GEL'] }

function difference(answer: string): string | null {
  const members = readJson(answer)
  return differenceIn(isRecord(members) ? members : {}, asked)
}

describe('the sum of an answer', () => {
  test.each(['{}', '{"amount":13,"currency":"GEL"}', '{"Amount":"13.0","currency":"gel"}', '{"amount":null}'])(
    '%s repeats 13.00 GEL or says nothing of it',
    (answer) => expect(difference(answer)).toBeNull(),
  )

  test.each([
    ['{"amount":99}', 'amount is 99.00, not 13.00'],
    ['{"amount":13,"currency":"USD"}', 'currency is USD, not GEL'],
    ['{"amount":"13.001"}', 'amount is 13.001, not 13.00'],
    ['{"amount":[13.10]}', 'amount is ["13.10"], not 13.00'],
    ['{"amount":{"value":13}}', 'amount is {"value":"13"}, not 13.00'],
  ])('%s is another one: %s', (answer, words) => expect(difference(answer)).toBe(words))

  test('is another one exactly where it has other minor units', () => {
    const units = fc.bigInt(1n, 10n ** 15n)
    fc.assert(
      fc.property(units, units, (one, other) => {
        const answer = { amount: new JsonNumber(fromMinorUnits(other)) }
        expect(differenceIn(answer, { amount: [fromMinorUnits(one)] }) === null).toBe(one === other)
        expect(differenceIn(answer, { amount: [fromMinorUnits(other)] })).toBeNull()
      }),
    )
  })
})

const order = { amount: '25', currency: 'USD', receiverId: 'f47ac10b-58cc-4372-a567-0e02b2c3d479' }
const part = { amount: '5', currency: 'GEL' }

/** What a read shows of each write, with all that repeats its sum. */
const reads = [
  ['order.create', order, { amount: '25.00', currency: 'usd', initialCurrency: 'USD' }],
  ['order.create', { amount: '25' }, { amount: '25', currency: 'GEL', initialCurrency: 'GEL' }],
  ['order.complete', part, { amount: '5.00', currency: 'GEL', initialCurrency: 'GEL' }],
  ['wallet.finalize', part, { amount: '5', currency: 'GEL' }],
] as const

function sumShown(name: string, request: Members): AskedSum {
  const evidence = writeNamed(name)?.evidence
  if (!evidence) throw new Error(`no read shows ${name}`)
  return evidence.sum(request)
}

test.each(reads)('the sum of %s %j in a read agrees, and differs by any one member', (name, request, shown) => {
  const asked = sumShown(name, request)
  expect(differenceIn(shown, asked)).toBeNull()
  for (const [member, value] of Object.entries(shown)) {
    const other = member === 'amount' ? '25.01' : 'EUR'
    const words = differenceIn({ ...shown, [member]: other }, asked)
    expect(words).toContain(`${member} is ${other}, not `)
    // The samples of the service write some members with a capital letter.
    const capital = member.charAt(0).toUpperCase() + member.slice(1)
    expect(differenceIn({ ...shown, [capital]: other }, asked)).toBe(words)
    expect(differenceIn({ ...shown, [member]: null }, asked)).toBeNull()
    expect(differenceIn({ ...shown, [member]: value }, asked)).toBeNull()
  }
})

test('the sum of an order: a plan names another amount, and a pre-authorised order is compared by its currency alone', () => {
  const plan = { ...order, amount: '0', subscriptionPlan: { amount: '15' } }
  expect(differenceIn({ amount: '0' }, sumShown('order.create', plan))).toBeNull()
  expect(differenceIn({ amount: '15' }, sumShown('order.create', plan))).toBeNull()
  expect(differenceIn({ amount: '14' }, sumShown('order.create', plan))).toBe('amount is 14.00, not 0.00')
  const held = sumShown('order.create', { ...order, payWithPreAuth: 'true' })
  expect(differenceIn({ amount: '99', currency: 'USD' }, held)).toBeNull()
  expect(differenceIn({ amount: '99', currency: 'EUR' }, held)).toBe('currency is EUR, not USD')
  const paid = sumShown('order.create', { ...order, payWithPreAuth: 'false' })
  expect(differenceIn({ amount: '99' }, paid)).toBe('amount is 99.00, not 25.00')
})

test('the sum of a finalization: details may show 0 for none, and no other amount', () => {
  const asked = sumShown('wallet.finalize', part)
  expect(differenceIn({ amount: '0' }, asked)).toBeNull()
  expect(differenceIn({ amount: '0.01' }, asked)).toBe('amount is 0.01, not 5.00')
  expect(differenceIn({ amount: '5', currency: 'USD' }, asked)).toBe('currency is USD, not GEL')
  // A request without a currency says nothing of it.
  expect(differenceIn({ amount: '5', currency: 'USD' }, sumShown('wallet.finalize', { amount: '5' }))).toBeNull()
})
