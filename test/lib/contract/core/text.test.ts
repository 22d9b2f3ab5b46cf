import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  alphabetComplaint,
  alphabetInWords,
  isIdempotencyKey,
  strangeCharacter,
  textDamage,
} from '../../../../src/lib/contract/core/text.ts'

// The list of the specification (A1, debtorName), written out once more: letters, digits, Georgian letters, space, symbols.
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const georgian = Array.from({ length: 0x10ff - 0x10d0 + 1 }, (_, index) => String.fromCodePoint(0x10d0 + index))
const symbols = ['/', '\\', '-', '?', ':', '(', ')', '.', ',', "'", '+']
const allowed = new Set([...letters, ...'0123456789', ...georgian, ' ', ...symbols])

test('of all characters of Unicode exactly those of the specification are allowed', () => {
  const wrong: string[] = []
  for (let point = 0; point <= 0x10ffff; point += 1) {
    const character = String.fromCodePoint(point)
    if ((alphabetComplaint(character) === null) !== allowed.has(character)) wrong.push(point.toString(16))
  }
  expect(wrong).toEqual([])
})

test('the complaint names the first character that is not allowed and counts characters, not units of UTF-16', () => {
  expect(alphabetComplaint('Nino 😀!')).toBe(
    `"😀" (U+1F600) at position 6 is not allowed; allowed are ${alphabetInWords}`,
  )
  const good = fc.string({ unit: fc.constantFrom(...allowed), maxLength: 20 })
  const bad = fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).filter((character) => !allowed.has(character))
  fc.assert(
    fc.property(good, bad, fc.string({ unit: 'binary', maxLength: 5 }), (before, offender, after) => {
      const point = (offender.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
      const complaint = alphabetComplaint(before + offender + after) ?? ''
      expect(complaint).toContain(`U+${point}`)
      expect(complaint).toContain(`at position ${[...before].length + 1} is not allowed`)
    }),
  )
})

test.each([
  ['a line end', 'a\nb', 'U+000A at position 2'],
  ['a tabulator', '\t', 'U+0009 at position 1'],
  ['an escape', 'ab\u001b[2J', 'U+001B at position 3'],
  ['a no-break space', 'a\u00a0b', 'U+00A0 at position 2'],
  ['a zero-width space', '\u200b', 'U+200B at position 1'],
  ['a right-to-left override', 'a\u202eb', 'U+202E at position 2'],
  ['a combining accent', 'e\u0301', 'U+0301 at position 2'],
  ['half of a surrogate pair', '\ud83d', 'U+D83D at position 1'],
])('%s is named without being printed', (_what, text, named) => {
  const complaint = alphabetComplaint(text) ?? ''
  expect(complaint.startsWith(named)).toBe(true)
})

test('text of allowed characters only has no complaint, an empty one neither', () => {
  expect(alphabetComplaint("ხელფასი, Salary (11/2026) - 5+1 'A' \\ ok?: .")).toBeNull()
  expect(alphabetComplaint('')).toBeNull()
})

test('textDamage: the first character that nobody writes on purpose is named with its position in characters', () => {
  expect(textDamage('Nino Beridze')).toBeNull()
  expect(textDamage('\u{1D11E}\uFFFD')).toContain('has U+FFFD at position 2')
  expect(textDamage('a\u0007')).toBe('has U+0007 at position 2, a control character: delete it')
  expect(textDamage('a\nb')).toBe('has U+000A (line break) at position 2, a control character: delete it')
  expect(textDamage('\u00ADa')).toBe('has U+00AD (soft hyphen) at position 1, which is invisible: delete it')
  expect(textDamage('\u0645\u06CC\u200C\u062E')).toBeNull()
})

test('strangeCharacter: of a value of plain ASCII the first other character is named', () => {
  expect(strangeCharacter('12.50')).toBe('')
  expect(strangeCharacter('12.50\u00A0')).toBe('; it has U+00A0 (no-break space) at position 6')
  expect(strangeCharacter('\uFF11')).toBe('; it has "\uFF11" (U+FF11) at position 1')
})

test.each([
  ['payroll-2026-11:emp-17'],
  ['a key with blanks inside'],
  ['été'.normalize('NFC')],
  ['ხელფასი ნოემბერი'],
  ['k'.repeat(200)],
])('%s is a key', (key) => {
  expect(isIdempotencyKey(key)).toBe(true)
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
  expect(isIdempotencyKey(key)).toBe(false)
})
