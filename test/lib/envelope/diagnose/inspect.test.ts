import { describe, expect, test } from 'vitest'
import { inspect, readEnvelope, readPasted } from '../../../../src/lib/envelope/diagnose/inspect.ts'
import { seal } from '../../../../src/lib/envelope/envelope.ts'
import { writeKey } from '../../../../src/lib/envelope/key.ts'
import { writeMembers, writeQuery } from '../../../../src/lib/envelope/layout.ts'
import { newPair } from '../../../kit/envelope.ts'

const own = newPair(4096)
const text = '{"amount":12.50}'
const sealed = seal(text, { key: own.publicKey, scheme: 'oaep-sha256', identifier: 'acme' })
const members = writeMembers(sealed) as Record<string, string>
const legacy = JSON.stringify(writeMembers(seal(text, { key: own.publicKey, scheme: 'rsa-pkcs1' })))

const codes = (pasted: string) => inspect(pasted).damage.map(({ code, where }) => `${code} ${where}`)
const withKeys = (encryptedKeys: unknown) => JSON.stringify({ ...members, encryptedKeys })

describe('an envelope without a fault', () => {
  test('four fields', () => {
    expect(inspect(JSON.stringify(members))).toEqual({
      layout: 'four-fields',
      identifier: 'acme',
      encryptedData: { characters: 44, base64: 'standard', bytes: 32 },
      encryptedKeys: { characters: 684, base64: 'standard', bytes: 512 },
      cipherBlocks: 2,
      rsaBits: 4096,
      schemes: ['oaep-sha256', 'oaep-sha256-mgf1-sha1', 'pkcs1'],
      damage: [],
    })
  })

  test('one field', () => {
    expect(inspect(legacy)).toMatchObject({
      layout: 'one-field',
      rsaBits: 4096,
      encryptedKeys: null,
      schemes: ['rsa-oaep-sha256', 'rsa-pkcs1'],
      damage: [],
    })
  })

  test.each([
    ['a query', writeQuery(sealed)],
    ['a query with a question mark', `?${writeQuery(sealed)}`],
    ['an address', `https://pay.example.com/api/integrator/order/status?${writeQuery(sealed)}`],
    ['a query whose & was escaped for HTML', writeQuery(sealed).replaceAll('&', '&amp;')],
    ['a query whose plus was never encoded', decodeURIComponent(writeQuery(sealed))],
  ])('%s', (_how, query) => {
    expect(inspect(query)).toMatchObject({ layout: 'query', identifier: 'acme', rsaBits: 4096, damage: [] })
    expect(readEnvelope(query).envelope).toEqual(sealed)
  })
})

describe('damage is named, and where', () => {
  const { encryptedKeys = '' } = members
  const twiceEncoded = encodeURIComponent(encodeURIComponent(encryptedKeys))
  const urlSafe = Buffer.from(encryptedKeys, 'base64').toString('base64url')
  const serviceError = '{"message":"m","statusCode":6010,"exceptionGroup":6}'

  // Of what the doctor names, too, only where it stands.
  const cases: readonly (readonly [string, string, string])[] = [
    ['blanks for plus', withKeys(encryptedKeys.replaceAll('+', ' ')), 'blanks-for-plus encryptedKeys'],
    ['line wraps', withKeys(encryptedKeys.replace(/.{64}/g, '$&\n')), 'line-wraps encryptedKeys'],
    ['line wraps that became blanks', withKeys(encryptedKeys.replace(/.{76}/g, '$& ')), 'line-wraps encryptedKeys'],
    ['literal \\n', withKeys(encryptedKeys.replace(/.{64}/g, '$&\\n')), 'line-wraps encryptedKeys'],
    ['URL-safe', withKeys(urlSafe), 'url-safe-alphabet encryptedKeys, padding-left-out encryptedKeys'],
    ['double percent-encoding', withKeys(twiceEncoded), 'percent-encoded encryptedKeys'],
    [
      'double percent-encoding in a query',
      writeQuery(sealed).replaceAll('%', '%25'),
      'percent-encoded encryptedData, percent-encoded encryptedKeys',
    ],
    ['base64 of base64', withKeys(Buffer.from(encryptedKeys).toString('base64')), 'base64-twice encryptedKeys'],
    ['hexadecimal', withKeys(sealed.keys?.toString('hex')), 'hex encryptedKeys'],
    ['JSON in JSON', JSON.stringify(JSON.stringify(members)), 'json-twice envelope'],
    ['a character lost', withKeys(encryptedKeys.slice(0, 681)), 'truncated encryptedKeys'],
    ['one block cut off', legacy.replace(/.{40}"}$/, '"}'), 'truncated encryptedData'],
    ['a private key as a field', withKeys(writeKey(own.privateKey, 'pem')), 'private-key encryptedKeys'],
    ['a public key as a field', withKeys(writeKey(own.publicKey, 'base64')), 'public-key encryptedKeys'],
    ['a private key alone', writeKey(own.privateKey, 'base64'), 'private-key envelope'],
    ['a value alone', encryptedKeys, 'bare envelope'],
    ['names in snake case', JSON.stringify({ encrypted_data: 'AAAA' }), 'field-names "encrypted_data"'],
    ['a number as a field', withKeys(7), 'not-text encryptedKeys'],
    ['an empty field', withKeys(''), 'empty encryptedKeys'],
    ['aes that says no', JSON.stringify({ ...members, aes: 'false' }), 'aes-false aes'],
    ['an error of the service', serviceError, 'service-error envelope'],
    ['nothing', ' \n', 'empty envelope'],
    ['JSON without its end', JSON.stringify(members).slice(0, 300), 'truncated envelope'],
    ['a list', '[1,2]', 'no-envelope envelope'],
  ]

  test.each(cases)('%s', (_how, pasted, expected) => {
    expect(codes(pasted).join(', ')).toBe(expected)
    for (const { message } of inspect(pasted).damage) expect(message.length).toBeGreaterThan(10)
  })

  test('lost plus signs are put back even at the ends of a value', () => {
    for (const value of ['+AAA', 'AAA+', '++AA', 'A+/+']) {
      const pasted = readPasted(`encryptedData=${value.replaceAll('+', '%20')}&aes=false`)
      expect(readEnvelope(JSON.stringify(pasted?.members)).envelope.data.toString('base64')).toBe(value)
    }
  })
})
