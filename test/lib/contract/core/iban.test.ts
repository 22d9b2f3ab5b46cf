import fc from 'fast-check'
import { isValidIBAN } from 'ibantools'
import { expect, test } from 'vitest'
import {
  groupedIban,
  hasGeorgianPattern,
  hasValidCheckDigits,
  tidyIban,
} from '../../../../src/lib/contract/core/iban.ts'
import { around, assertOfBoth } from '../../../kit/run/property.ts'

const capital = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ')
const digit = fc.constantFrom(...'0123456789')
const account = fc.tuple(
  fc.string({ unit: capital, minLength: 2, maxLength: 2 }),
  fc.string({ unit: digit, minLength: 16, maxLength: 16 }),
)

/** Check digits the long way round: the remainder, digit by digit. */
function withCheckDigits(bban: string): string {
  let rest = 0
  for (const character of `${bban}GE00`) {
    for (const each of String(Number.parseInt(character, 36))) rest = (rest * 10 + Number(each)) % 97
  }
  return `GE${String(98 - rest).padStart(2, '0')}${bban}`
}

const valid = account.map((parts) => withCheckDigits(parts.join('')))

function isValid(text: string): boolean {
  return hasGeorgianPattern(text) && hasValidCheckDigits(text)
}

test('the IBAN of every Georgian account is valid', () => {
  fc.assert(
    fc.property(valid, (iban) => {
      expect(isValidIBAN(iban)).toBe(true)
      expect(isValid(iban)).toBe(true)
    }),
    { numRuns: 500 },
  )
})

test('every pair of check digits is judged as ibantools judges it, those that are never issued among them', () => {
  fc.assert(
    fc.property(account, fc.integer({ min: 0, max: 99 }), (parts, check) => {
      const iban = `GE${String(check).padStart(2, '0')}${parts.join('')}`
      expect(isValid(iban)).toBe(isValidIBAN(iban))
    }),
    { numRuns: 2000 },
  )
  // 02, 98 and 97 are right for these accounts; modulo 97 the other three are the same.
  for (const iban of ['GE99NB0000000000000016', 'GE01NB0000000000000034', 'GE00NB0000000000000052']) {
    expect([hasValidCheckDigits(iban), isValidIBAN(iban)]).toEqual([false, false])
  }
})

test('one mistyped character is always found', () => {
  const damage = fc.tuple(valid, fc.integer({ min: 2, max: 21 }), fc.oneof(capital, digit))
  fc.assert(
    fc.property(damage, ([iban, at, instead]) => {
      fc.pre(iban[at] !== instead)
      const damaged = iban.slice(0, at) + instead + iban.slice(at + 1)
      expect(isValid(damaged)).toBe(false)
      // ibantools takes a digit in the bank code, which the specification does not.
      if (hasGeorgianPattern(damaged)) expect(isValidIBAN(damaged)).toBe(false)
    }),
    { numRuns: 2000 },
  )
})

test('two neighbours that changed places are always found', () => {
  fc.assert(
    fc.property(valid, fc.integer({ min: 2, max: 20 }), (iban, at) => {
      const [one = '', other = ''] = [iban[at], iban[at + 1]]
      fc.pre(one !== other)
      expect(isValid(iban.slice(0, at) + other + one + iban.slice(at + 2))).toBe(false)
    }),
    { numRuns: 1000 },
  )
})

test('text of any kind is a valid Georgian IBAN where it has the pattern and ibantools says so too', () => {
  assertOfBoth(around(valid, 'GE0123456789NBgе ', 24), isValid, (text, isRight) => {
    expect(isRight).toBe(/^GE\d\d[A-Z]{2}\d{16}$/.test(text) && isValidIBAN(text))
  })
})

test.each([
  ['in small letters', 'ge29nb0000000101904917'],
  ['with blanks', 'GE29 NB00 0000 0101 9049 17'],
  ['of another country', 'DE29NB0000000101904917'],
  ['a digit short', 'GE29NB000000010190491'],
  ['a digit long', 'GE29NB00000001019049170'],
  ['with a digit in the bank code', 'GE29N10000000101904917'],
  ['with a letter in the account', 'GE29NB000000010190491A'],
  ['with a line end', 'GE29NB0000000101904917\n'],
  ['with Arabic digits', 'GE29NB000000010190491٧'],
])('an IBAN %s does not have the pattern', (_what, text) => {
  expect(hasGeorgianPattern(text)).toBe(false)
})

test('an IBAN as people type it is brought into the form of the service', () => {
  fc.assert(
    fc.property(valid, fc.array(fc.constantFrom(' ', '\t', '\u00a0', '  '), { maxLength: 22 }), (iban, blanks) => {
      const typed = [...iban].map((character, at) => (blanks[at] ?? '') + character).join('')
      expect(tidyIban(typed)).toBe(iban)
      expect(tidyIban(typed.toLowerCase())).toBe(iban)
    }),
  )
})

test('an IBAN is shown in groups of four, and the groups are the IBAN', () => {
  expect(groupedIban('GE29NB0000000101904917')).toBe('GE29 NB00 0000 0101 9049 17')
  fc.assert(
    fc.property(valid, (iban) => {
      expect(tidyIban(groupedIban(iban))).toBe(iban)
    }),
  )
})
