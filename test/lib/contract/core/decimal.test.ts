import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromMinorUnits, JsonNumber, minorUnits, plainDecimal } from '../../../../src/lib/contract/core/decimal.ts'

test('an amount with at most two decimals is read as whole minor units', () => {
  const amount = fc.record({ units: fc.bigInt(0n, 10n ** 30n), decimals: fc.constantFrom(0, 1, 2) })
  fc.assert(
    fc.property(amount, ({ units, decimals }) => {
      const rest = 10n ** BigInt(2 - decimals)
      const kept = units - (units % rest)
      const digits = kept.toString().padStart(3, '0')
      const fraction = digits.slice(-2).slice(0, decimals)
      const text = digits.slice(0, -2) + (decimals > 0 ? `.${fraction}` : '')
      expect(minorUnits(text)).toBe(kept)
    }),
  )
})

test('minor units are written with two decimals and read back as the same', () => {
  expect(fromMinorUnits(1250n)).toBe('12.50')
  expect(fromMinorUnits(-5n)).toBe('-0.05')
  expect(fromMinorUnits(0n)).toBe('0.00')
  expect(fromMinorUnits(-100n)).toBe('-1.00')
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 40n), (units) => {
      expect(minorUnits(fromMinorUnits(units))).toBe(units)
      if (units > 0n) expect(fromMinorUnits(-units)).toBe(`-${fromMinorUnits(units)}`)
    }),
  )
})

test('signs, exponents, separators, letters, other digits and a third decimal make no amount', () => {
  const texts = [
    ...'1e3 1E3 0x10 12,50 +1 -1 01 00 1. .5 1.2.3 1.234 1.000 1_000 5GEL ١٢ １２ 1．5 NaN Infinity 1n'.split(' '),
    ...[' 1', '1 ', '1\n', '1 000', ''],
  ]
  for (const text of texts) expect(minorUnits(text), text).toBeNull()
})

/** True of digits, or digits, a dot and one or two digits, without a zero too many; without a regular expression. */
function looksLikeAnAmount(text: string): boolean {
  const isDigits = (part: string) => part !== '' && [...part].every((each) => '0123456789'.includes(each))
  const [whole = '', fraction, ...more] = text.split('.')
  if (more.length > 0 || !isDigits(whole) || (whole.length > 1 && whole.startsWith('0'))) return false
  return fraction === undefined || (isDigits(fraction) && fraction.length <= 2)
}

test('nothing but plain decimals is ever read as an amount', () => {
  const nearly = fc.string({ unit: fc.constantFrom(...'0123456789..-+eEx, _١２'), maxLength: 8 })
  fc.assert(
    fc.property(fc.oneof(nearly, fc.string({ unit: 'binary' })), (text) => {
      expect(minorUnits(text) !== null).toBe(looksLikeAnAmount(text))
    }),
    { numRuns: 3000 },
  )
})

/** The value of decimal text or of a JSON number as a fraction of whole numbers. */
function fractionOf(token: string): { readonly over: bigint; readonly under: bigint } {
  const [mantissa = '', exponent = '0'] = token.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const shift = Number(exponent) - fraction.length
  const digits = BigInt(whole + fraction) * (mantissa.startsWith('-') ? -1n : 1n)
  return shift >= 0
    ? { over: digits * 10n ** BigInt(shift), under: 1n }
    : { over: digits, under: 10n ** BigInt(-shift) }
}

const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 25 })
const token = fc
  .record({
    sign: fc.constantFrom('', '-'),
    whole: digits.map((text) => text.replace(/^0+(?=\d)/, '')),
    fraction: fc.option(digits, { nil: null }),
    exponent: fc.oneof(
      fc.constant(null),
      fc.tuple(fc.constantFrom('e', 'E'), fc.constantFrom('', '+', '-'), fc.integer({ min: 0, max: 60 })),
    ),
  })
  .map(
    ({ sign, whole, fraction, exponent }) =>
      sign + whole + (fraction === null ? '' : `.${fraction}`) + (exponent === null ? '' : exponent.join('')),
  )

test('the plain text of a JSON number has the same value, no exponent and no zero too many', () => {
  fc.assert(
    fc.property(token, (text) => {
      const plain = plainDecimal(text)
      expect(plain).toMatch(/^-?(0|[1-9]\d*)(\.\d*[1-9])?$/)
      const [was, is] = [fractionOf(text), fractionOf(plain ?? '')]
      expect(is.over * was.under).toBe(was.over * is.under)
    }),
    { numRuns: 2000 },
  )
})

test.each([
  ['12.50', '12.5'],
  ['12.500', '12.5'],
  ['1e3', '1000'],
  ['1E+2', '100'],
  ['125e-1', '12.5'],
  ['5e-3', '0.005'],
  ['0.10', '0.1'],
  ['-0.10', '-0.1'],
  ['9007199254740993', '9007199254740993'],
  ['100.00', '100'],
  ['0', '0'],
  ['0.00', '0'],
])('the number %s is %s in plain text', (text, plain) => {
  expect(plainDecimal(text)).toBe(plain)
})

test.each(['', '-', '1.', '.5', '+1', '0x10', '1e', 'e5', '12,5', ' 1', 'NaN', '١٢', '007', '00', '-01.5'])(
  '%j is no number of JSON and has no plain text',
  (text) => {
    expect(plainDecimal(text)).toBeNull()
  },
)

test('a number that would unfold to an absurd length has no plain text', () => {
  expect(plainDecimal('1e400')).toHaveLength(401)
  expect(plainDecimal('1e401')).toBeNull()
  expect(plainDecimal('1e-401')).toBeNull()
  expect(plainDecimal('1e999999999999999999999')).toBeNull()
  expect(plainDecimal('1'.repeat(401))).toBeNull()
})

test('a number of a JSON text is shown as it was written', () => {
  expect(String(new JsonNumber('12.50'))).toBe('12.50')
  expect(`${new JsonNumber('9007199254740993')}`).toBe('9007199254740993')
})
