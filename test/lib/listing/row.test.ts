import fc from 'fast-check'
import { expect, test } from 'vitest'
import { matchesKey, parseSum } from '../../../src/lib/listing/row.ts'

test.each([
  ['12.50', { amount: '12.50', currency: null }],
  ['12.5', { amount: '12.50', currency: null }],
  ['gel 1200', { amount: '1200.00', currency: 'GEL' }],
  ['0.01 USD', { amount: '0.01', currency: 'USD' }],
  ['GEL12.50', { amount: '12.50', currency: 'GEL' }],
  ['GEL 1 USD', null],
  ['12,50', null],
  ['0x10', null],
  ['12.505', null],
  ['', null],
])('the sum in "%s"', (text, sum) => {
  expect(parseSum(text)).toEqual(sum)
})

test('every sum that is shown is found by itself', () => {
  const sums = fc.tuple(fc.nat(), fc.nat(99), fc.constantFrom('GEL', 'USD', 'EUR'))
  fc.assert(
    fc.property(sums, ([whole, part, currency]) => {
      const amount = `${whole}.${String(part).padStart(2, '0')}`
      expect(parseSum(`${currency} ${amount}`)).toEqual({ amount, currency })
    }),
  )
})

test('a star stands for any rest of a key, and for nothing where there is no key', () => {
  expect(matchesKey('payroll-2026-11:emp-17', 'payroll-2026-11:*')).toBe(true)
  expect(matchesKey('payroll-2026-12:emp-17', 'payroll-2026-11:*')).toBe(false)
  expect(matchesKey('a', '*')).toBe(true)
  expect(matchesKey(null, '*')).toBe(false)
  expect(matchesKey('ab', 'a')).toBe(false)
})
