/** Limits of a profile as they are typed, kept and told. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { currencies } from '../../../src/lib/contract/payout/request.ts'
import {
  countedInWords,
  isSameKind,
  type Limit,
  limitSpans,
  limitText,
  readLimit,
} from '../../../src/lib/spending/limit.ts'
import { around, assertOfBoth } from '../../kit/run/property.ts'

function limitOf(text: string): Limit {
  const read = readLimit(text)
  if (!read.ok) throw new Error(read.complaint)
  return read.limit
}

describe('limits', () => {
  test.each([
    ['GEL 5000/payout', { currency: 'GEL', most: 500_000n, per: 'payout' }, 'GEL 5000.00/payout'],
    ['GEL 20000/day', { currency: 'GEL', most: 2_000_000n, per: 'day' }, 'GEL 20000.00/day'],
    ['100/hour', { currency: null, most: 100n, per: 'hour' }, '100/hour'],
    [' USD 0.01/hour ', { currency: 'USD', most: 1n, per: 'hour' }, 'USD 0.01/hour'],
    ['EUR 0/payout', { currency: 'EUR', most: 0n, per: 'payout' }, 'EUR 0.00/payout'],
    ['0/day', { currency: null, most: 0n, per: 'day' }, '0/day'],
    ['GEL 1.5/day', { currency: 'GEL', most: 150n, per: 'day' }, 'GEL 1.50/day'],
  ] as const)('a limit typed "%s" is read', (text, limit, kept) => {
    expect(readLimit(text)).toEqual({ ok: true, limit })
    expect(limitText(limit)).toBe(kept)
  })

  test.each([
    ['', 'is written like'],
    ['5000', 'is written like'],
    ['GEL 5000', 'is written like'],
    ['GEL 5000/week', 'is written like'],
    ['GEL5000/day', 'takes a plain number'],
    ['GEL  5000/day', 'is written like'],
    ['GEL 5000/day/x', 'is written like'],
    ['x GEL 5000/day', 'is written like'],
    ['GEL /day', 'is written like'],
    ['GEL 5000 /day', 'is written like'],
    ['gel 5000/day', 'knows the currencies GEL, USD, EUR, not "gel"'],
    ['GBP 5000/day', 'knows the currencies GEL, USD, EUR, not "GBP"'],
    ['GEL 5,000/day', 'takes a plain number like 5000 or 5000.50, not "5,000"'],
    ['GEL 5e3/day', 'takes a plain number'],
    ['GEL -5/day', 'takes a plain number'],
    ['GEL 05/day', 'takes a plain number'],
    ['GEL 5.001/day', 'takes a plain number'],
    ['GEL 0x10/day', 'takes a plain number'],
    ['GEL 1234567890123456/day', 'takes a plain number'],
    ['GEL ٥/day', 'takes a plain number'],
    ['1.5/hour', 'needs a currency'],
    ['100.00/hour', 'needs a currency'],
    ['1/payout', 'needs a currency'],
  ])('a limit typed "%s" is refused: it %s', (text, words) => {
    const read = readLimit(text)
    expect(read).toMatchObject({ ok: false, complaint: expect.stringContaining(words) })
  })

  const amounts = fc
    .tuple(fc.bigInt({ min: 0n, max: 999_999_999_999n }), fc.constantFrom('', '.5', '.05', '.50'))
    .map(([whole, rest]) => `${whole}${rest}`)
  const sums = fc
    .tuple(fc.constantFrom(...currencies), amounts, fc.constantFrom(...limitSpans))
    .map(([currency, amount, per]) => `${currency} ${amount}/${per}`)
  const counts = fc
    .tuple(fc.bigInt({ min: 0n, max: 999_999n }), fc.constantFrom('hour', 'day'))
    .map(([count, per]) => `${count}/${per}`)

  test('a limit in the form in which it is kept is read as the same limit', () => {
    const letters = 'GELUSD 0159.,/-eadhourypt'
    assertOfBoth(
      around(fc.oneof(sums, counts), letters, 20),
      (text) => readLimit(text).ok,
      (text, accepted) => {
        if (!accepted) return
        const limit = limitOf(text)
        expect(limitOf(limitText(limit))).toEqual(limit)
        // No digit is lost or invented: what was typed is the same number.
        const [, , amount = '', per] = /^(?:(\S+) )?(\S+)\/(\S+)$/.exec(text.trim()) ?? []
        const [whole = '', rest = ''] = amount.split('.')
        const units = BigInt(whole) * 100n + BigInt(rest.padEnd(2, '0'))
        expect(limit.most).toBe(limit.currency === null ? units / 100n : units)
        expect(limit.per).toBe(per)
        expect(limit.currency === null && (limit.per === 'payout' || rest !== '')).toBe(false)
      },
    )
  })
})

test('a sum is told with its currency, a number of payouts with its noun', () => {
  expect(countedInWords({ currency: 'GEL' }, 1250n)).toBe('GEL 12.50')
  expect([0n, 1n, 2n].map((count) => countedInWords({ currency: null }, count))).toEqual([
    '0 payouts',
    '1 payout',
    '2 payouts',
  ])
})

test('limits are of one kind if both their currency and their span are the same', () => {
  const same = (one: string, other: string) => isSameKind(limitOf(one), limitOf(other))
  expect(same('GEL 1/day', 'GEL 2/day')).toBe(true)
  expect(same('GEL 1/day', 'GEL 1/hour')).toBe(false)
  expect(same('GEL 1/day', 'USD 1/day')).toBe(false)
  expect(same('1/day', 'GEL 1/day')).toBe(false)
})
