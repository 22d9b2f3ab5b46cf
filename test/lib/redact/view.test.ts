/** Views of a text: each letter keeps the place in the text where it was written. */
import { expect, test } from 'vitest'
import { escapes } from '../../../src/lib/redact/escapes.ts'
import { fromBase64, mayHoldBase64, type TextView, unescaped, viewOf } from '../../../src/lib/redact/view.ts'

const textOf = ({ codes }: TextView) => String.fromCharCode(...codes)
const places = ({ from, to }: TextView) => Array.from(from, (begin, at) => [begin, to[at]])
const broken = '\uffff'

test('the plain view of a text has each letter at its place', () => {
  const view = viewOf('ab')
  expect([textOf(view), places(view)]).toEqual([
    'ab',
    [
      [0, 1],
      [1, 2],
    ],
  ])
  expect(textOf(viewOf(''))).toBe('')
})

test('the view without escapes has each character at the place of its whole escape', () => {
  const view = unescaped(viewOf('a\\u0041%42c&amp;`'), escapes)
  if (view === null) throw new Error('no escapes')
  expect(textOf(view)).toBe('aABc&`')
  expect(places(view)).toEqual([
    [0, 1],
    [1, 7],
    [7, 10],
    [10, 11],
    [11, 16],
    [16, 17],
  ])
  // One layer more: places are still those of the first text.
  const twice = unescaped(viewOf('%255cn!'), escapes)
  const thrice = twice && unescaped(twice, escapes)
  const last = thrice && unescaped(thrice, escapes)
  expect(last && [textOf(last), places(last)]).toEqual([
    '\n!',
    [
      [0, 6],
      [6, 7],
    ],
  ])
})

test('the view without escapes has a character beyond 16 bits as two letters of one place', () => {
  const view = unescaped(viewOf('&#128273;&#xffff;'), escapes)
  expect(view && [textOf(view), places(view)]).toEqual([
    '\u{1f511}\uffff',
    [
      [0, 9],
      [0, 9],
      [9, 17],
    ],
  ])
})

test('the view without escapes is none where the text has none, or only their first letters', () => {
  for (const text of ['', 'plain', 'a `quoted` word', '100 % & more', 'at the end %', '\\'])
    expect(unescaped(viewOf(text), escapes)).toBeNull()
  expect(unescaped(viewOf('%41\\n'), [0x26])).toBeNull()
})

test('the view of base64 has each byte at the place of the letters that hold it', () => {
  const view = fromBase64(viewOf('YWJj'), 0)
  expect([textOf(view), places(view)]).toEqual([
    'abc',
    [
      [0, 2],
      [1, 3],
      [2, 4],
    ],
  ])
  expect(textOf(fromBase64(viewOf('xxxYWJj'), 3))).toBe('abc')
  // In lines; in the letters of addresses.
  expect(textOf(fromBase64(viewOf('YW\r\n Jj'), 0))).toBe('abc')
  expect(textOf(fromBase64(viewOf('-_-_'), 0))).toBe(textOf(fromBase64(viewOf('+/+/'), 0)))
  expect([...fromBase64(viewOf('+/+/'), 0).codes]).toEqual([0xfb, 0xff, 0xbf])
})

test('the view of base64 breaks off where another letter stands, and skips as many letters behind it', () => {
  const view = fromBase64(viewOf('YWI.YWI='), 0)
  expect([textOf(view), places(view)]).toEqual([
    `ab${broken}ab${broken}`,
    [
      [0, 2],
      [1, 3],
      [3, 4],
      [4, 6],
      [5, 7],
      [7, 8],
    ],
  ])
  expect(textOf(fromBase64(viewOf('xYWJj.xYWJj'), 1))).toBe(`abc${broken}abc`)
})

test('a text may hold base64 of four letters where six letters of base64 stand together', () => {
  for (const text of ['abcdef', '-abcde', 'ab cd\r\nef', '.abcdef.', 'abc.abcdef'])
    expect([text, mayHoldBase64(viewOf(text), 4)]).toEqual([text, true])
  for (const text of ['', 'abcde', 'abc.def', 'ab,cd;ef', 'a b c d e   \t'])
    expect([text, mayHoldBase64(viewOf(text), 4)]).toEqual([text, false])
})
