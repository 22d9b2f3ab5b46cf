import { expect, test } from 'vitest'
import { isBusinessKey } from '../../../../src/lib/contract/core/text.ts'

test.each([
  ['payroll-2026-11:emp-17'],
  ['a key with blanks inside'],
  ['été'.normalize('NFC')],
  ['ხელფასი ნოემბერი'],
  ['k'.repeat(200)],
])('%s is a key', (key) => {
  expect(isBusinessKey(key)).toBe(true)
})

test.each([
  ['nothing', ''],
  ['a blank at its end', 'emp-17 '],
  ['a line break', 'emp\n17'],
  ['an é in two characters', 'e\u0301te\u0301'],
  ['a blank without width', 'emp-17\u200b'],
  ['a soft hyphen', 'emp\u00ad-17'],
  ['a mark of the order of bytes', 'emp-17\ufeff'],
  ['a turn of direction', 'emp\u202e-17'],
  ['a blank that breaks no line', 'emp\u00a017'],
  ['a thin blank', 'emp\u200917'],
  ['a separator of lines', 'emp\u2028-17'],
  ['a selector of variations', 'emp-17\ufe0f'],
  ['another one', 'emp-17\u{e0100}'],
  ['a joiner of graphemes', 'emp\u034f-17'],
  ['a filler of Hangul', 'emp-17\u3164'],
  ['a narrow filler', 'emp\uffa0-17'],
  ['a leading filler', 'emp\u115f-17'],
  ['a vowel of Khmer that is not drawn', 'emp\u17b4-17'],
  ['a selector of Mongolian', 'emp-17\u180b'],
  ['an empty cell of Braille', 'emp-17\u2800'],
  ['too many characters', 'k'.repeat(201)],
])('%s makes no key: it would read like another one', (_what, key) => {
  expect(isBusinessKey(key)).toBe(false)
})
