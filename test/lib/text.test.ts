import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Failure } from '../../src/lib/failure.ts'
import { hint } from '../../src/lib/hint.ts'
import {
  escapedJson,
  escapeFormula,
  longestMessage,
  shortened,
  unescapeFormula,
  visible,
  visiblePage,
  withoutEnd,
  withoutEnds,
} from '../../src/lib/text.ts'

test.each([
  ['an escape sequence', 'a\u001b[2Kb', 'a<U+001B>[2Kb'],
  ['a carriage return', 'GEL 1\rGEL 9', 'GEL 1<U+000D>GEL 9'],
  ['a line end', 'a\nb', 'a<U+000A>b'],
  ['a tabulator', 'a\tb', 'a<U+0009>b'],
  ['a backspace', 'a\bb', 'a<U+0008>b'],
  ['a delete', 'a\u007fb', 'a<U+007F>b'],
  ['an escape of eight bits', 'a\u009b2Jb', 'a<U+009B>2Jb'],
  ['a right-to-left override', 'a\u202eb', 'a<U+202E>b'],
  ['an isolate', 'a\u2066b\u2069', 'a<U+2066>b<U+2069>'],
  ['an Arabic letter mark', 'a\u061cb', 'a<U+061C>b'],
  ['a zero-width space', 'a\u200bb', 'a<U+200B>b'],
  ['a zero-width joiner', 'a\u200db', 'a<U+200D>b'],
  ['a soft hyphen', 'a\u00adb', 'a<U+00AD>b'],
  ['a byte order mark', '\ufeffa', '<U+FEFF>a'],
  ['a line separator', 'a\u2028b\u2029', 'a<U+2028>b<U+2029>'],
  ['a tag character', 'a\u{e0041}b', 'a<U+E0041>b'],
])('%s is shown as its code point', (_what, text, shown) => {
  expect(visible(text)).toBe(shown)
})

test('a page shows each as its code point, escaped, and keeps its line ends', () => {
  expect(visiblePage('<p>a\u202eb</p>\n<p>\u009b2J\t</p>')).toBe('<p>a&lt;U+202E&gt;b</p>\n<p>&lt;U+009B&gt;2J\t</p>')
})

test('JSON is the same data with each of them escaped, characters outside of the first plane as two', () => {
  expect(escapedJson('{\n"a\u009b": "\u202e\u{e0041}ი"\n}')).toBe('{\n"a\\u009b": "\\u202e\\udb40\\udc41ი"\n}')
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), fc.constantFrom(0, 2), (value, indent) => {
      const escaped = escapedJson(JSON.stringify(value, null, indent))
      expect(JSON.parse(escaped)).toEqual(JSON.parse(JSON.stringify(value)))
      expect(escaped.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u)
    }),
  )
})

test('letters of all alphabets, digits and symbols stay as they are', () => {
  for (const text of ['Nino Beridze', 'ნინო ბერიძე', 'Зарплата', '公司', '😀', '€ 12.50', 'e\u0301', '']) {
    expect(visible(text)).toBe(text)
  }
})

test('no text leaves a character that a terminal acts upon, and cleaning twice changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const cleaned = visible(text)
      for (const character of cleaned) {
        const point = character.codePointAt(0) ?? 0
        expect(point >= 0x20 && !(point >= 0x7f && point < 0xa0)).toBe(true)
        expect(character).not.toMatch(/[\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/)
      }
      expect(visible(cleaned)).toBe(cleaned)
    }),
  )
})

const cell = fc.oneof(fc.string(), fc.stringMatching(/^'{0,3}[=+\-@＝]?.{0,3}$/))

test('every cell is given back as it was, and no spreadsheet takes one for a formula', () => {
  fc.assert(
    fc.property(cell, (given) => {
      const written = escapeFormula(given)
      expect(unescapeFormula(written)).toBe(given)
      expect(written).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/)
    }),
  )
})

test('a cell that no spreadsheet would take for a formula stays as it is', () => {
  for (const plain of ['Nino', "'Nino'", '', '12.50', "O'Brien"]) expect(escapeFormula(plain)).toBe(plain)
})

const few = fc.string({ unit: fc.constantFrom('=', '0', 'a', '/'), maxLength: 20 })

test('the letters at the end go, and no others', () => {
  fc.assert(
    fc.property(few, (text) => {
      expect(withoutEnd(text, '=')).toBe(text.replace(/=+$/, ''))
      expect(withoutEnd(text, '=0')).toBe(text.replace(/[=0]+$/, ''))
      expect(withoutEnds(text, '/')).toBe(text.replace(/^\/+|\/+$/g, ''))
    }),
  )
})

const anyText = fc.string({ unit: 'binary', maxLength: 3000 }).map((text) => text.repeat(3))

test('a message has 4 KiB at most; what is cut is counted, and nothing is cut twice', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const shown = shortened(text)
      expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(longestMessage)
      expect(shortened(shown)).toBe(shown)
      if (shown === text) return
      const [, kept = '', more = ''] = /^(.*)… (\d+) more characters$/s.exec(shown) ?? []
      expect(text.startsWith(kept)).toBe(true)
      expect(kept.length + Number(more)).toBe(text.length)
    }),
  )
})

test('one that fits stays as it is', () => {
  const fitting = 'ა'.repeat(1365)
  expect(shortened(fitting)).toBe(fitting)
  expect(shortened(`${fitting}12`)).toMatch(/… \d+ more characters$/)
})

test('a failure, and what the service said, are cut; said more about, it stays as it was', () => {
  const service = { http: 400, statusCode: null, exceptionGroup: null, message: 'y'.repeat(10_000) }
  const failure = new Failure('refused', 'x'.repeat(10_000), { service }).with({ hints: [hint`more`] })
  expect(failure.message).toMatch(/^x{4032}… 5968 more characters$/)
  expect(failure.toLine().error).toMatchObject({
    message: failure.message,
    service: { message: expect.stringMatching(/^y{4032}… 5968 more characters$/) },
  })
})

test('line breaks of a failure and the blanks around them are one blank', () => {
  const told = fc.string({ unit: fc.constantFrom(' ', '\n', '\t', 'a'), maxLength: 20 })
  fc.assert(
    fc.property(told, (text) => {
      expect(new Failure('usage', text).toLine().error.message).toBe(text.replace(/\s*\n\s*/g, ' '))
    }),
  )
})
