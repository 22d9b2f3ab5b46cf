import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Secrets } from '../../../src/lib/redact/secrets.ts'

const withoutSecrets = (text: string, secrets: readonly string[], mask: string) =>
  new Secrets(secrets).hidden(text, mask, 4)

/** Few letters, so that words overlap and hold one another. */
const letters = (limits: { minLength?: number; maxLength: number }) =>
  fc.string({ unit: fc.constantFrom('a', 'b', '\u{1F511}'), ...limits })

/** The same, slowly: letter by letter, whether it stands in a word. */
function slowly(text: string, words: readonly string[]): string {
  const hidden = new Set<number>()
  const starts = new Set<number>()
  const note = (word: string, from: number) => {
    starts.add(from)
    for (let at = from; at < Math.min(text.length, from + word.length); at += 1) hidden.add(at)
  }
  for (const word of words.filter(({ length }) => length >= 4)) {
    for (let at = 0; at < text.length; at += 1) {
      const rest = text.slice(at)
      if (rest.startsWith(word) || (rest.length >= 4 && word.startsWith(rest))) note(word, at)
    }
  }
  return [...Array(text.length).keys()].map((at) => (hidden.has(at) ? '*' : text[at])).join('')
}

test('every letter of every secret is hidden, and no other, however they overlap', () => {
  fc.assert(
    fc.property(letters({ maxLength: 60 }), fc.array(letters({ maxLength: 9 }), { maxLength: 6 }), (text, words) => {
      const shown = slowly(text, words).replace(/\*+/g, '*')
      // Secrets side by side have a mask each.
      expect(withoutSecrets(text, words, '*').replace(/\*+/g, '*')).toBe(shown)
    }),
    { numRuns: 1000 },
  )
})

test('a secret in hex is hidden, in either case, with bytes apart, and in base64', () => {
  const secret = 's3cret-ნინო'
  const hex = Buffer.from(secret).toString('hex')
  const apart = (hex.match(/../g) ?? []).join(' ')
  for (const written of [
    hex,
    hex.toUpperCase(),
    apart,
    apart.replaceAll(' ', ':'),
    Buffer.from(hex).toString('base64'),
  ]) {
    const shown = withoutSecrets(`a ${written} b`, [secret], '*')
    expect(shown, written).not.toContain(written.slice(8, 24))
    expect(shown).toMatch(/^a .*b$/)
  }
  expect(withoutSecrets('70696e21 x', ['pin!'], '*')).toBe('* x')
})

test('every copy of a secret is hidden, in the same writing and in others', () => {
  const secret = 'eyJhbGciOiJub25lIn0.token-of-the-day'
  const written = [secret, secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64'), secret]
  const text = JSON.stringify({ first: written[0], again: written.slice(1), note: `${secret} and ${secret}` })
  const shown = withoutSecrets(text, [secret], '*')
  expect(shown).toBe('{"first":"*","again":["*","*","*","*"],"note":"* and *"}')
})

test('masks are never searched again', () => {
  expect(withoutSecrets('a hidd and [hid', ['hidd', '[hid', 'den]'], '[hidden]')).toBe('a [hidden] and [hidden]')
})

test('secrets side by side are two, those that overlap are one, the longer holds the shorter', () => {
  expect(withoutSecrets('TOK-1TOK-2', ['TOK-1', 'TOK-2'], '*')).toBe('**')
  expect(withoutSecrets('abcdefgh!', ['abcde', 'defgh'], '*')).toBe('*!')
  expect(withoutSecrets('TOK-123!', ['TOK-1', 'TOK-123'], '*')).toBe('*!')
})

test('a secret of which the text breaks off in the middle is hidden; what is shorter than four letters is no secret', () => {
  expect(withoutSecrets('said: 3b7c1f', ['3b7c1f1a-beef'], '*')).toBe('said: *')
  expect(withoutSecrets('said: 3b7', ['3b7c1f1a-beef', '3b7', '', 's'], '*')).toBe('said: 3b7')
})

test('a text that was seen before is looked at again when it may break off in another place', () => {
  const secrets = new Secrets(['3b7c1f1a-beef'])
  for (const cutOff of [20, 6, 4, 20, 4]) {
    const shown = secrets.hidden('said: 3b7c1', '*', cutOff)
    expect(shown).toBe(cutOff === 4 ? 'said: *' : 'said: 3b7c1')
  }
})

test('the shortest secret is found in the shortest base64 of it', () => {
  for (const secret of ['abcd', 'abcde', 'abcdef', 'abcdefg']) {
    for (const written of ['base64', 'base64url'] as const) {
      const text = `said: ${Buffer.from(secret).toString(written).replaceAll('=', '')}!`
      expect(new Secrets([secret, 'a longer one']).hidden(text, '*', 99)).toBe('said: *!')
    }
  }
})

test('a secret of 16 letters and digits is hidden whatever stands between them, one of 15 only as it is', () => {
  const sixteen = new Secrets(['3b7c1f1a-beef-0123'])
  for (const text of ['3b7c1f1abeef0123', '3B7C 1F1A BEEF 0123', '3b7c1f1a\nbeef.0123', '3b7c1f1a-beef-0123'])
    expect([text, sixteen.hidden(text, '*', 99)]).toEqual([text, '*'])
  const fifteen = new Secrets(['3b7c1f1a-beef-012'])
  for (const text of ['3b7c1f1abeef012', '3b7c1f1a beef 012'])
    expect([text, fifteen.hidden(text, '*', 99)]).toEqual([text, text])
  expect(fifteen.hidden('3B7C1F1A-beef-012', '*', 99)).toBe('*')
})

test('a secret with a blank is hidden where a form writes a plus for it', () => {
  expect(new Secrets(['a b c']).hidden('x=A+B+C&y', '*', 99)).toBe('x=*&y')
})

test('three layers of escapes hide no secret', () => {
  const thrice = JSON.stringify(JSON.stringify(JSON.stringify('se"cret'))).slice(1, -1)
  expect(new Secrets(['se"cret']).hidden(thrice, '*', 99)).not.toContain('cret')
  expect(new Secrets(['/secret']).hidden('%25252Fsecret', '*', 99)).toBe('*')
})

test('a text breaks off in the middle of a secret only at its own end, not at that of the base64 in it', () => {
  const inside = Buffer.from('anybody has said: 3b7c1f').toString('base64')
  expect(new Secrets(['3b7c1f1a-beef']).hidden(inside, '*', 4)).toBe(inside)
  expect(new Secrets(['3b7c1f1a-beef']).hidden('said: 3b7c1f', '*', 4)).toBe('said: *')
})
