import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatRemark, logLines, Redactor } from '../../../../src/lib/cli/output/output.ts'
import { untimed } from '../../../kit/process.ts'

const moment = Date.parse('2026-11-20T10:03:25Z')

test('every line says when it was written, in the zone, and which payment it is about', () => {
  const about = { key: 'payroll-2026-11:emp-17', id: '5a9db0c0-0301-4a11-8c11-000000000301' }
  const before = '2026-11-20T14:03:25+04:00 key=payroll-2026-11:emp-17 id=5a9db0c0-0301-4a11-8c11-000000000301'
  const lines = logLines('warning: one\n  → two', about, moment, 'Asia/Tbilisi')
  expect(lines).toBe(`${before} warning: one\n${before}   → two`)
})

test('a key that is no word stands in quotes; nothing stands there where nothing is known', () => {
  expect(logLines('one', { key: 'emp "17"', id: null }, moment, 'UTC')).toBe(
    String.raw`2026-11-20T10:03:25+00:00 key="emp \"17\"" one`,
  )
  expect(logLines('one', { key: null, id: null }, moment, 'UTC')).toBe('2026-11-20T10:03:25+00:00 one')
})

test('whatever the key is, the text is what stands behind time, key and id', () => {
  const keys = fc.option(fc.string({ minLength: 1, unit: 'grapheme' }))
  const lines = fc.array(fc.constantFrom('warning: the answer was lost', '  → paydesk resume'), { minLength: 1 })
  const holds = fc.property(keys, lines, (key, said) => {
    const text = said.join('\n')
    expect(untimed(logLines(text, { key, id: 'j-3f9a1c2b7d10' }, moment, 'UTC'))).toBe(text)
  })
  fc.assert(holds)
})

const redactor = new Redactor()
const token = 'eyJhbGciOi.J9~x_y-z+/='

test.each([
  ...[`Authorization: Bearer ${token}`, `authorization: bearer ${token}`],
  ...[`> AUTHORIZATION:Bearer   ${token}\r\n`, `authorization: ${token}`, `Proxy-Authorization: Basic ${token}`],
  ...[`{"authorization":"Bearer ${token}"}`, `got Bearer ${token} back`],
  ...[`{"access_token": "${token}", "expires_in":1800}`, `{"ACCESS_TOKEN":"${token}"}`],
  ...[`{"refresh_token":"${token}"}`, `POST /api/auth?client_secret=${token}&x=1`, `access_token=${token}`],
  ...[`http://user:${token.replaceAll('/', '')}@proxy:3128`],
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

test('text without credentials stays as it is', () => {
  for (const text of ['the bearer of this', 'https://pay.example.com:8443/api?x=1', '{"message":"no"}', 'a@b']) {
    expect(redactor.clean(text)).toBe(text)
  }
})

test('a text may break off in the middle of a secret: twelve letters of it are hidden, eleven may be anything', () => {
  const redactor = new Redactor()
  redactor.hide('0123456789abcdefghijkl')
  for (const clean of [(text: string) => redactor.clean(text), (text: string) => redactor.withoutSecrets(text)]) {
    expect(clean('0123456789abcdefghijkl: 0123456789ab')).toBe('[hidden]: [hidden]')
    expect(clean('it said: 0123456789a')).toBe('it said: 0123456789a')
  }
})

test('of fewer than eight letters a secret is hidden from people, and left in results, where it may be a sum', () => {
  const redactor = new Redactor()
  for (const secret of ['1234567', '12345678']) redactor.hide(secret)
  expect(redactor.clean('1234567 and 12345678')).toBe('[hidden] and [hidden]')
  const shown = { amount: '1234567', note: '[hidden]' }
  expect(redactor.withoutSecrets({ amount: '1234567', note: '12345678' })).toEqual(shown)
})

const accounts = Array.from({ length: 8 }, (_, at) => `GE02LB335832075800038${at}`)
const warning = `warning: 8 beneficiaries are paid for the first time: ${accounts.join('; ')}`

test.each([60, 80, 140, 200])('no account is broken at a terminal of %i columns', (columns) => {
  const lines = formatRemark({ isTTY: true, columns }, warning, null).split('\n')
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns)
  expect(lines.map((line) => line.trim()).join(' ')).toBe(warning)
})

test('a file gets a line as it is', () => {
  expect(formatRemark({ columns: 80 }, warning, null)).toBe(warning)
})
