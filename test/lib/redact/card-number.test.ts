/** Card numbers are hidden wherever a text holds one: every range and length in use, and only with a right check digit. */
import { expect, test } from 'vitest'
import { withoutCardNumbers } from '../../../src/lib/redact/card-number.ts'

const clean = (text: string) => withoutCardNumbers(text, '[hidden]')

/** Each with its check digit; the ranges are those of ISO/IEC 7812 as the networks use them. */
const numbers = [
  ['Visa, 13 digits', '4012345678909'],
  ['Visa, 16 digits', '4012345678901239'],
  ['Visa, 19 digits', '4012345678901234565'],
  ['Mastercard, lowest of 2221 to 2720', '2221000000000009'],
  ['Mastercard, highest of 2221 to 2720', '2720999999999996'],
  ['Mastercard, lowest of 51 to 55', '5101234567890126'],
  ['Mastercard, highest of 51 to 55', '5501234567890122'],
  ['American Express 34, 15 digits', '340123456789014'],
  ['American Express 37, 15 digits', '370123456789017'],
  ['Diners Club 300, 14 digits', '30001234567891'],
  ['Diners Club 305, 14 digits', '30501234567890'],
  ['Diners Club 36, 14 digits', '36012345678901'],
  ['Diners Club 39, 14 digits', '39012345678908'],
  ['Diners Club 36, 19 digits', '3601234567890123456'],
  ['JCB, lowest of 3528 to 3589', '3528000000000007'],
  ['JCB, highest of 3528 to 3589', '3589999999999994'],
  ['JCB, 19 digits', '3540012345678901239'],
  ['Discover 6011', '6011012345678907'],
  ['Discover 644', '6440123456789010'],
  ['Discover 65, 19 digits', '6501234567890123455'],
  ['UnionPay, 16 digits', '6201234567890123'],
  ['UnionPay, 17 digits', '62012345678901237'],
  ['UnionPay, 18 digits', '620123456789012342'],
  ['UnionPay, 19 digits', '6201234567890123452'],
  ['Maestro 50, 13 digits', '5018012345671'],
  ['Maestro 56, 16 digits', '5601234567890121'],
  ['Maestro 58, 18 digits', '589301234567890127'],
  ['Maestro 63, 17 digits', '63040123456789015'],
  ['Maestro 67, 19 digits', '6763012345678901234'],
  ['Maestro, highest of 69', '6999999999999991'],
  ['Mir', '2200012345678907'],
  ['RuPay 81', '8101234567890120'],
  ['RuPay 82', '8201234567890129'],
  ['UzCard', '8600012345678900'],
  ['Napas, 19 digits', '9704012345678901235'],
  ['Troy', '9792012345678906'],
  ['Humo', '9860012345678903'],
] as const

test.each(numbers)('redacting card numbers: %s (%s) is hidden', (_name, number) => {
  expect(clean(number)).toBe('[hidden]')
  expect(clean(`{"pan":"${number}","n":${number}}`)).toBe('{"pan":"[hidden]","n":[hidden]}')
  expect(clean([...number].join(' '))).toBe('[hidden]')
  expect(clean([...number].join('-'))).toBe('[hidden]')
})

test.each(numbers)('redacting card numbers: %s (%s) with any one digit wrong is left', (_name, number) => {
  for (let at = 0; at < number.length; at += 1) {
    const wrong = number.slice(0, at) + ((Number(number[at]) + 1) % 10) + number.slice(at + 1)
    expect(clean(wrong)).toBe(wrong)
  }
})

test.each([
  ['in a sentence', 'card 4111-1111-1111-1111.', 'card [hidden].'],
  ['in groups of four', '{"pan":"5555 5555 5555 4444"}', '{"pan":"[hidden]"}'],
  ['at the end of a sentence with a number behind it', '4111111111111111. 5', '[hidden]. 5'],
  ['twice in one text', '4111111111111111,5555555555554444', '[hidden],[hidden]'],
  // Nobody issues these two ranges: hiding them hides no sum and no id that the service has.
  ['just below Mastercard 2221', '2220999999999991', '[hidden]'],
  ['just above Mastercard 2720', '2721000000000004', '[hidden]'],
])('redacting card numbers: one %s is hidden', (_where, text, shown) => {
  expect(clean(text)).toBe(shown)
})

/** Those of digits alone have a right check digit. */
test.each([
  ['an IBAN', 'GE29NB0000000101904917'],
  ['a wrong check digit', '4111111111111112'],
  ['a masked card number', '411111******1111'],
  ['a UUID', '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'],
  ['a moment', '2026-11-20T10:00:00.123456789'],
  ['the largest safe integer and two', '9007199254740993'],
  ['a sum', '1000000.00'],
  ['12 digits', '500123456781'],
  ['20 digits', '62012345678901234564'],
  ['a first digit 0', '0012345678901237'],
  ['a first digit 1', '1012345678901235'],
  ['a first digit 7', '7012345678901232'],
  ['the first digits 80', '8001234567890121'],
  ['the first digits 83', '8301234567890128'],
  ['the first digits 85', '8501234567890126'],
  ['the first digits 87', '8701234567890124'],
  ['the first digits 90', '9012345678901238'],
  ['the first digits 96', '9601234567890123'],
  ['the first digits 99', '9901234567890120'],
  ['a letter before the number', 'x4111111111111111'],
  ['a letter behind the number', '4111111111111111x'],
  ['a point before the number', '0.4111111111111111'],
  ['a fraction behind the number', '4111111111111111.5'],
  ['two blanks inside', '4111  111111111111'],
])('redacting card numbers: %s (%s) is left', (_what, text) => {
  expect(clean(text)).toBe(text)
})
