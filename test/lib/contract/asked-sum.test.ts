/** The sum of an answer is compared by value, and a difference is told in the digits that came. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AskedSum, differenceIn } from '../../../src/lib/contract/answer.ts'
import { fromMinorUnits, JsonNumber } from '../../../src/lib/contract/core/decimal.ts'
import type { Members } from '../../../src/lib/contract/core/members.ts'
import { writeNamed } from '../../../src/lib/contract/operations.ts'
import { isRecord, readJson } from '../../../src/lib/json.ts'

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

test.each(reads)(
  'the sum of %s %j in a read agrees, and differs with another value of any one member',
  (name, request, shown) => {
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
  },
)

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
