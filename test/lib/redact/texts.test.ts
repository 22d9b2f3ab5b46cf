/** Every text of a value is changed, names of members too; numbers only where they are the secret itself. */
import { expect, test } from 'vitest'
import { JsonNumber } from '../../../src/lib/contract/core/decimal.ts'
import { isSecretHeader } from '../../../src/lib/redact/header.ts'
import { overTexts } from '../../../src/lib/redact/texts.ts'

const hide = (text: string) => text.replaceAll('secret', '*').replaceAll('4711', '*')

test('overTexts: texts are changed at every depth, in lists, in members and in their names', () => {
  const value = { a: 'a secret', b: ['secret', { secret: { c: 'no' } }], d: null, e: true, f: undefined }
  expect(overTexts(value, hide)).toEqual({ a: 'a *', b: ['*', { '*': { c: 'no' } }], d: null, e: true, f: undefined })
  expect(overTexts('secret', hide)).toBe('*')
  expect(overTexts(Object.assign(Object.create(null), { a: 'secret' }), hide)).toEqual({ a: '*' })
})

test('overTexts: a number is hidden if it is the secret, and kept if it only holds one', () => {
  expect(overTexts({ n: 4711, m: 47110 }, hide)).toEqual({ n: '*', m: 47110 })
  const [whole, holds] = [new JsonNumber('4711'), new JsonNumber('4711.50')]
  const shown = overTexts({ whole, holds }, hide)
  expect(shown.whole).toBe('*')
  expect(shown.holds).toBe(holds)
})

test('overTexts: two names that become the same stay two members', () => {
  const value = { secret: 1, '*': 2, a: 3, '4711': 4, '* 2': 5 }
  expect(overTexts(value, hide)).toEqual({ '*': 4, '* 2': 1, '* 3': 2, a: 3, '* 2 2': 5 })
})

test('overTexts: ten thousand names that become one have ten thousand numbers', () => {
  const value = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`m${'secret'.repeat(at + 1)}`, at]))
  const shown = overTexts(value, () => 'x')
  expect(Object.keys(shown).slice(0, 3)).toEqual(['x', 'x 2', 'x 3'])
  expect(Object.keys(shown).at(-1)).toBe('x 10000')
  expect(Object.keys(shown)).toHaveLength(10_000)
})

test('overTexts: what is no plain object stays itself', () => {
  const date = new Date(0)
  const change = () => '*'
  expect(overTexts({ date }, change)).toEqual({ '*': date })
  expect(overTexts(date, change)).toBe(date)
})

test.each([
  ...['Authorization', 'proxy-authorization', 'Cookie', 'Set-Cookie', 'X-Auth-Token', 'token', 'x-client-secret'],
  ...[
    'X-Session-Id',
    'X-Authority-Id',
    'X-Password',
    'x-passwd',
    'X-Api-Key',
    'apikey',
    'x-api_key',
    'X-JWT',
    'credentials',
  ],
  ...['x-authenticated-user'],
])('the header %s lets a client in: it is hidden', (name) => {
  expect(isSecretHeader(name)).toBe(true)
})

test.each(['WWW-Authenticate', 'proxy-authenticate', 'Author', 'X-Authority', ':authority', 'Content-Type', 'Date'])(
  'the header %s lets nobody in: it is shown',
  (name) => expect(isSecretHeader(name)).toBe(false),
)
