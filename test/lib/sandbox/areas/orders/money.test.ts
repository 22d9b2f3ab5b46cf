import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { apportion, convert, refundedPart, sumsOf } from '../../../../../src/lib/sandbox/areas/orders/money.ts'

const sum = (all: readonly bigint[]) => all.reduce((total, each) => total + each, 0n)
const units = fc.bigInt({ min: 1n, max: 10_000_000n })
const currency = fc.constantFrom('GEL', 'USD', 'EUR')

describe('apportion', () => {
  test.each([
    [100n, [1n, 1n, 1n], [34n, 33n, 33n]],
    [1n, [1n, 1n], [1n, 0n]],
    [10n, [7n, 3n], [7n, 3n]],
    [5n, [0n, 0n], [0n, 0n]],
    [0n, [3n, 4n], [0n, 0n]],
  ])('%s by %s is %s', (total, weights, parts) => {
    expect(apportion(total, weights)).toEqual(parts)
  })

  test('adds up, and is nowhere off by a whole unit', () => {
    fc.assert(
      fc.property(units, fc.array(units, { minLength: 1, maxLength: 8 }), (total, weights) => {
        const parts = apportion(total, weights)
        expect(sum(parts)).toBe(total)
        parts.forEach((part, at) => {
          const exact = Number(total * (weights[at] ?? 0n)) / Number(sum(weights))
          expect(Math.abs(Number(part) - exact)).toBeLessThan(1.000001)
        })
      }),
    )
  })
})

test.each([
  [1000n, 'USD', 'GEL', 'up', 2700n],
  [1000n, 'GEL', 'USD', 'up', 371n],
  [1000n, 'GEL', 'USD', 'down', 370n],
  [1000n, 'USD', 'EUR', 'up', 900n],
  [1n, 'GEL', 'GEL', 'up', 1n],
] as const)('convert: %s %s in %s, rounded %s, is %s', (amount, from, to, round, other) => {
  expect(convert(amount, from, to, round)).toBe(other)
})

test('sums of an order: no sum is negative, and the receivers never get more than the payer pays', () => {
  const terms = fc.record({
    currency,
    acquiringCurrency: currency,
    distributionCurrency: currency,
    commissionType: fc.constantFrom('SENDER', 'RECEIVER', 'BOTH'),
  })
  const parts = fc.array(fc.record({ amount: units, tip: fc.boolean() }), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(parts, terms, (given, agreed) => {
      const { acquired, distributed } = sumsOf(given, agreed)
      expect(distributed).toHaveLength(given.length)
      for (const each of distributed) expect(each).toBeGreaterThanOrEqual(0n)
      const { acquiringCurrency, distributionCurrency } = agreed
      const worth = convert(sum(distributed), distributionCurrency, acquiringCurrency, 'down')
      expect(worth).toBeLessThanOrEqual(acquired)
    }),
  )
})

test('refunds in parts add up to the posted sum', () => {
  fc.assert(
    fc.property(units, fc.array(units, { minLength: 1, maxLength: 6 }), (posted, parts) => {
      const whole = sum(parts)
      const back = parts.map((part, at) => refundedPart(posted, whole, sum(parts.slice(0, at)), part))
      expect(sum(back)).toBe(posted)
    }),
  )
})
