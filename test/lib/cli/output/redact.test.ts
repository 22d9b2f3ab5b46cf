import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Redactor } from '../../../../src/lib/cli/output/redact.ts'

const redactor = new Redactor()
const token = 'eyJhbGciOi.J9~x_y-z+/='

test.each([
  `Authorization: Bearer ${token}`,
  `authorization: bearer ${token}`,
  `> AUTHORIZATION:Bearer   ${token}\r\n`,
  `authorization: ${token}`,
  `Proxy-Authorization: Basic ${token}`,
  `{"authorization":"Bearer ${token}"}`,
  `got Bearer ${token} back`,
  `{"access_token": "${token}", "expires_in":1800}`,
  `{"ACCESS_TOKEN":"${token}"}`,
  `{"refresh_token":"${token}"}`,
  `POST /api/auth?client_secret=${token}&x=1`,
  `access_token=${token}`,
  `http://user:${token.replaceAll('/', '')}@proxy:3128`,
])('a credential is hidden wherever it stands: %s', (text) => {
  const cleaned = redactor.clean(text)
  expect(cleaned).not.toContain(token.slice(0, 8))
  expect(cleaned).toContain('[hidden]')
})

test('the text around a credential stays', () => {
  expect(redactor.clean('a\nAuthorization: Bearer abc\nb')).toBe('a\nAuthorization: Bearer [hidden]\nb')
  expect(redactor.clean('{"client_id":"me","client_secret":"abc","grant_type":"x"}')).toBe(
    '{"client_id":"me","client_secret":"[hidden]","grant_type":"x"}',
  )
  expect(redactor.clean('http://me:pw@proxy:1/x')).toBe('http://me:[hidden]@proxy:1/x')
})

test('a secret in JSON is hidden to its end, whatever it holds', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'aé"\\{},: \n'), minLength: 1 }),
      fc.constantFrom(0, 2),
      (secret, indent) => {
        const text = JSON.stringify({ client_secret: secret, next: 'stays' }, null, indent)
        expect(JSON.parse(redactor.clean(text))).toEqual({ client_secret: '[hidden]', next: 'stays' })
      },
    ),
  )
})

test('a private key is hidden whole, cut off or not', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  for (const type of ['pkcs8', 'sec1'] as const) {
    const pem = privateKey.export({ type, format: 'pem' }).toString()
    for (const text of [pem, pem.replaceAll('\n', '\\n'), pem.slice(0, -40)]) {
      expect(redactor.clean(`before\n${text}`).replace('\\n', '').trim()).toBe('before\n[hidden]')
    }
  }
})

test('a secret that this run has seen is hidden wherever it stands', () => {
  const knows = new Redactor()
  knows.hide('s3cret$&')
  expect(knows.clean('x s3cret$& y/s3cret$&')).toBe('x [hidden] y/[hidden]')
  fc.assert(
    fc.property(fc.string({ minLength: 4 }), fc.string(), fc.string(), (secret, before, after) => {
      fc.pre(!'[hidden]'.includes(secret))
      const one = new Redactor()
      one.hide(secret)
      fc.pre(!`${before}[hidden]${after}`.includes(secret))
      expect(one.clean(before + secret + after)).not.toContain(secret)
    }),
  )
})

test('of two secrets, one inside the other, no part is left to be seen', () => {
  const knows = new Redactor()
  for (const secret of ['abcd', 'abcd-efgh-ijkl', 'efgh']) knows.hide(secret)
  expect(knows.clean('<abcd-efgh-ijkl> <abcd> <efgh>')).toBe('<[hidden]> <[hidden]> <[hidden]>')
})

test('a secret too short to be one does not eat the text', () => {
  const knows = new Redactor()
  knows.hide('e')
  knows.hide('')
  expect(knows.clean('refused')).toBe('refused')
})

test('text without credentials stays as it is', () => {
  for (const text of ['the bearer of this', 'https://pay.example.com:8443/api?x=1', '{"message":"no"}', 'a@b']) {
    expect(redactor.clean(text)).toBe(text)
  }
})

test('a text may break off in the middle of a secret: twelve letters of it are hidden, eleven may be anything', () => {
  const redactor = new Redactor()
  redactor.hide('0123456789abcdefghijkl')
  for (const clean of [(text: string) => redactor.clean(text), (text: string) => redactor.withoutSecrets(text)]) {
    expect(clean('it said: 0123456789ab')).toBe('it said: [hidden]')
    expect(clean('it said: 0123456789a')).toBe('it said: 0123456789a')
  }
})

test('of fewer than eight letters a secret is hidden from people, and left in results, where it may be a sum', () => {
  const redactor = new Redactor()
  for (const secret of ['1234567', '12345678']) redactor.hide(secret)
  expect(redactor.clean('1234567 and 12345678')).toBe('[hidden] and [hidden]')
  expect(redactor.withoutSecrets({ amount: '1234567', note: '12345678' })).toEqual({
    amount: '1234567',
    note: '[hidden]',
  })
})
