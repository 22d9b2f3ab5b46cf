import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Secrets } from '../../../src/lib/redact/secrets.ts'

const mask = '[hidden]'
const hidden = (secret: string, text: string) => new Secrets([secret]).hidden(text, mask, Number.POSITIVE_INFINITY)

const hex = (letter: string, digits: number) => (letter.codePointAt(0) ?? 0).toString(16).padStart(digits, '0')
const units = (text: string, write: (unit: string) => string) => text.split('').map(write).join('')
const bytes = (text: string) => [...Buffer.from(text)]

/** Forms in which other programs write a text into theirs. */
const writings: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  'JSON text': (text) => JSON.stringify(text).slice(1, -1),
  'JSON with slashes escaped': (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  'JSON, every letter escaped': (text) => units(text, (unit) => `\\u${hex(unit, 4)}`),
  'JSON, in capitals': (text) => units(text, (unit) => `\\u${hex(unit, 4).toUpperCase()}`),
  'every byte percent-encoded': (text) =>
    bytes(text)
      .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
      .join(''),
  'a part of an address': (text) => encodeURIComponent(text),
  'a field of a form': (text) => new URLSearchParams([['', text]]).toString().slice(1),
  'HTML with what must be escaped': (text) =>
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;')
      .replaceAll('/', '&sol;'),
  'HTML by numbers': (text) => [...text].map((letter) => `&#${letter.codePointAt(0)};`).join(''),
  'HTML by numbers in hex': (text) => [...text].map((letter) => `&#x${hex(letter, 1)};`).join(''),
  base64: (text) => Buffer.from(text).toString('base64'),
  'base64 of addresses': (text) => Buffer.from(text).toString('base64url'),
  'base64 behind one more byte': (text) => Buffer.from(`x${text}`).toString('base64'),
  'base64 between two and more': (text) => Buffer.from(`xy${text}, and more`).toString('base64'),
  'base64 in lines': (text) =>
    (
      Buffer.from(text)
        .toString('base64')
        .match(/.{1,12}/g) ?? []
    ).join('\r\n'),
}

/** Letters that no mask and no name of a writing holds. */
const letters = fc.string({ unit: fc.constantFrom(...'QXZ47é\u{1F511}"\\/&<%+= \''), minLength: 6, maxLength: 40 })
const uuid = fc.uuid({ version: 4 })
const writing = fc.constantFrom(...Object.keys(writings))
const written = (name: string, text: string) => writings[name]?.(text) ?? text
const around = fc.constantFrom('', ' ', '"', '": "', 'a=', '&', '<p>', '{"x":["', ', ', 'https://pay.example/?a=')

test('a secret is hidden however it is written, and written again, wherever it stands', () => {
  fc.assert(
    fc.property(fc.oneof(letters, uuid), writing, writing, around, around, (secret, first, second, before, after) => {
      const text = written(second, written(first, secret))
      const shown = hidden(secret, `${before}${text}${after}`)
      expect(shown).not.toContain(text)
      expect(shown).toContain(mask)
    }),
    { numRuns: 1000 },
  )
})

test('of a secret in base64 nothing can be decoded any more', () => {
  fc.assert(
    fc.property(uuid, fc.string(), fc.string(), (secret, before, after) => {
      const shown = hidden(secret, Buffer.from(`${before}${secret}${after}`).toString('base64'))
      const left = shown.split(mask).map((piece) => Buffer.from(piece, 'base64').toString('latin1'))
      for (const part of [secret.slice(1, 17), secret.slice(-17, -1)]) expect(left.join(' ')).not.toContain(part)
    }),
  )
})

test.each([
  ['capitals', (token: string) => token.toUpperCase()],
  ['no dashes', (token: string) => token.replaceAll('-', '')],
  ['blanks for dashes', (token: string) => token.replaceAll('-', ' ')],
  [
    'capitals, no dashes, in base64',
    (t: string) => Buffer.from(t.replaceAll('-', '').toUpperCase()).toString('base64'),
  ],
  ['two lines', (token: string) => `${token.slice(0, 18)}\n  ${token.slice(18)}`],
])('a token is hidden with %s', (_how, write) => {
  fc.assert(
    fc.property(uuid, (token) => {
      expect(hidden(token, `card ${write(token)}, charged`).replace('=', '')).toBe(`card ${mask}, charged`)
    }),
  )
})

test('a text without a secret stays as it is, to the letter', () => {
  fc.assert(
    fc.property(uuid, fc.string({ unit: 'binary', maxLength: 200 }), fc.uuid({ version: 4 }), (secret, text, other) => {
      fc.pre(secret !== other)
      expect(hidden(secret, `${text}${other}`)).toBe(`${text}${other}`)
    }),
  )
})
