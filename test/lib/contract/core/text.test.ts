import fc from 'fast-check'
import { expect, test } from 'vitest'
import { alphabetComplaint, alphabetInWords } from '../../../../src/lib/contract/core/text.ts'

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

test('a Cyrillic letter among Latin ones is found and named by its code point', () => {
  expect(alphabetComplaint('Sаlary')).toMatch(/^"а" \(U\+0430\) at position 2 is not allowed; allowed are letters A–Z/)
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
