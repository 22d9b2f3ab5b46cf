/** Each escape of JSON, of addresses and of HTML: the character it stands for and its length. */
import { expect, test } from 'vitest'
import { escapeAt, lengthOf, nothing, pointOf } from '../../../src/lib/redact/escapes.ts'
import { viewOf } from '../../../src/lib/redact/view.ts'

/** What begins with a text: the character and the length of the escape; null where it begins with none. */
function read(text: string): readonly [string, number] | null {
  const found = escapeAt(viewOf(text).codes, 0)
  return found === nothing ? null : [String.fromCodePoint(pointOf(found)), lengthOf(found)]
}

const meanings: Readonly<Record<string, string>> = {
  ...{ '\\n': '\n', '\\r': '\r', '\\t': '\t', '\\b': '\b' },
  ...{ '\\f': '\f', '\\v': '\v', '\\\\': '\\', '\\/': '/' },
  ...{ '\\"': '"', '\\a': 'a', '\\u0041': 'A', '\\u0000': '\0' },
  ...{ '\\uffff': '\uffff', '\\u00e9': 'é', '\\u00E9': 'é', '\\x41': 'A' },
  ...{ '\\x00': '\0', '%41': 'A', '%00': '\0', '%7e': '~' },
  ...{ '%7E': '~', '%u0041': 'A', '%u0000': '\0', '%u10D0': 'ა' },
  ...{ '&#65;': 'A', '&#65': 'A', '&#x41;': 'A', '&#X41': 'A' },
  ...{ '&#1114111;': '\u{10ffff}', '&#x10ffff;': '\u{10ffff}', '&#128273;': '\u{1f511}', '&amp;': '&' },
  ...{ '&AMP;': '&', '&quot;': '"', '&apos;': "'", '&lt;': '<' },
  ...{ '&gt;': '>', '&sol;': '/', '&bsol;': '\\', '&lsqb;': '[' },
  ...{ '&rbrack;': ']', '&Hat;': '^', '&lowbar;': '_', '&UnderBar;': '_' },
  ...{ '&grave;': '`', '&lcub;': '{', '&rbrace;': '}', '&verbar;': '|' },
  ...{ '&vert;': '|', '&nbsp;': ' ', '&hyphen;': '-', '&dash;': '-' },
  ...{ '&plus;': '+', '&equals;': '=', '&commat;': '@', '&Tab;': '\t' },
  ...{ '&NewLine;': '\n', '&percnt;': '%', '&colon;': ':' },
}

test.each(Object.entries(meanings))('the escape %j stands for %j, and ends where it ends', (written, character) => {
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
