import { expect, test } from 'vitest'
import { withoutCardNumbers } from '../../../src/lib/redact/card-number.ts'

const clean = (text: string) => withoutCardNumbers(text, '[hidden]')

test.each([
  ['4111111111111111', '[hidden]'],
  ['{"pan":"5555 5555 5555 4444"}', '{"pan":"[hidden]"}'],
  ['card 4111-1111-1111-1111.', 'card [hidden].'],
  ['{"n":378282246310005}', '{"n":[hidden]}'],
])('hides %s', (text, shown) => {
  expect(clean(text)).toBe(shown)
})

test.each([
  'GE29NB0000000101904917',
  '4111111111111112',
  '411111******1111',
  '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11',
  '2026-11-20T10:00:00.123456789',
  '9007199254740993',
  '1000000.00',
])('leaves %s', (text) => {
  expect(clean(text)).toBe(text)
})
