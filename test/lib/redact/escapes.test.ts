/** Each escape of JSON, of addresses and of HTML: the character it stands for and its length. */
import { expect, test } from 'vitest'
import { escapeAt, lengthOf, nothing, pointOf } from '../../../src/lib/redact/escapes.ts'
import { viewOf } from '../../../src/lib/redact/view.ts'

/** What begins with a text: the character and the length of the escape; null where it begins with none. */
function read(text: string): readonly [string, number] | null {
  const found = escapeAt(viewOf(text).codes, 0)
  return found === nothing ? null : [String.fromCodePoint(pointOf(found)), lengthOf(found)]
}

test.each<[string, string]>([
  ...[['\\n', '\n'] as const, ['\\r', '\r'] as const, ['\\t', '\t'] as const, ['\\b', '\b'] as const],
  ...[['\\f', '\f'] as const, ['\\v', '\v'] as const, ['\\\\', '\\'] as const, ['\\/', '/'] as const],
  ...[['\\"', '"'] as const, ['\\a', 'a'] as const],
  ...[['\\u0041', 'A'] as const, ['\\u0000', '\0'] as const, ['\\uffff', '\uffff'] as const],
  ...[['\\u00e9', 'é'] as const, ['\\u00E9', 'é'] as const, ['\\x41', 'A'] as const, ['\\x00', '\0'] as const],
  ...[['%41', 'A'] as const, ['%00', '\0'] as const, ['%7e', '~'] as const, ['%7E', '~'] as const],
  ...[['%u0041', 'A'] as const, ['%u0000', '\0'] as const, ['%u10D0', 'ა'] as const],
  ...[['&#65;', 'A'] as const, ['&#65', 'A'] as const, ['&#x41;', 'A'] as const, ['&#X41', 'A'] as const],
  ...[
    ['&#1114111;', '\u{10ffff}'] as const,
    ['&#x10ffff;', '\u{10ffff}'] as const,
    ['&#128273;', '\u{1f511}'] as const,
  ],
  ...[['&amp;', '&'] as const, ['&AMP;', '&'] as const, ['&quot;', '"'] as const, ['&apos;', "'"] as const],
  ...[['&lt;', '<'] as const, ['&gt;', '>'] as const, ['&sol;', '/'] as const, ['&bsol;', '\\'] as const],
  ...[['&lsqb;', '['] as const, ['&rbrack;', ']'] as const, ['&Hat;', '^'] as const, ['&lowbar;', '_'] as const],
  ...[['&UnderBar;', '_'] as const, ['&grave;', '`'] as const, ['&lcub;', '{'] as const, ['&rbrace;', '}'] as const],
  ...[['&verbar;', '|'] as const, ['&vert;', '|'] as const, ['&nbsp;', ' '] as const, ['&hyphen;', '-'] as const],
  ...[['&dash;', '-'] as const, ['&plus;', '+'] as const, ['&equals;', '='] as const, ['&commat;', '@'] as const],
  ...[['&Tab;', '\t'] as const, ['&NewLine;', '\n'] as const, ['&percnt;', '%'] as const, ['&colon;', ':'] as const],
])('the escape %j stands for %j, and ends where it ends', (written, character) => {
  expect(read(written)).toEqual([character, written.length])
  expect(read(`${written} 0`)).toEqual([character, written.length])
})

test.each<[string, string, number]>([
  ['\\u004', 'u', 2],
  ['\\u004g', 'u', 2],
  ['\\u00:1', 'u', 2],
  ['\\x4', 'x', 2],
  ['\\x/1', 'x', 2],
  ['\\x4`', 'x', 2],
  ['\\41', '4', 2],
])('the escape %j is too short for a number: it stands for its letter %j', (text, character, length) => {
  expect(read(text)).toEqual([character, length])
})

test.each([
  ...['\\', '%', '%4', '%4g', '%g4', '%4/', '%4:', '%4@', '%4`', '%u004', '%u004g', '%x0041', '%U0041'],
  ...['&', '&;', '&#;', '&#x;', '&#1114112;', '&#x110000;', '&amp', '&unknown;', '&constructor;', '&ampersand;'],
  ...['&{lt;', '&@lt;', '& lt;', '&l;'],
])('%j begins no escape', (text) => {
  expect(read(text)).toBeNull()
})
