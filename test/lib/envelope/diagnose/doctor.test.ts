/**
 * Broken envelopes, each broken another way, as the doctor should read them: the step that fails and what would mend it.
 * The senders' mistakes are made with bare node:crypto here, not with the code under test.
 */
import {
  constants,
  createCipheriv,
  createHash,
  createPublicKey,
  type KeyObject,
  privateEncrypt,
  publicEncrypt,
  randomBytes,
} from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, test, vi } from 'vitest'
import type { RemedyCode } from '../../../../src/lib/envelope/diagnose/damage.ts'
import { diagnose } from '../../../../src/lib/envelope/diagnose/doctor.ts'
import { type OpeningStep, seal } from '../../../../src/lib/envelope/envelope.ts'
import { writeKey } from '../../../../src/lib/envelope/key.ts'
import { writeMembers } from '../../../../src/lib/envelope/layout.ts'
import type { Scheme } from '../../../../src/lib/envelope/scheme.ts'
import { newPair } from '../../../kit/envelope.ts'

// Each kind of damage is looked for with every key.
vi.setConfig({ testTimeout: 60_000 })

const own = newPair()
const other = newPair()
const large = newPair(3072)
const text =
  '{"amount":12.50,"description":"ხელფასი, ნოემბერი","integratorOrderId":"3fa85f64-5717-4562-b3fc-2c963f66afa6"}'

type Members = Record<string, unknown>
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

function oaep(message: Buffer, key: KeyObject = own.publicKey, hash = 'sha256'): Buffer {
  return publicEncrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: hash }, message)
}

function cbc(key: Buffer, iv: Buffer, bytes: Buffer, padding = true): Buffer {
  const cipher = createCipheriv('aes-256-cbc', key, iv).setAutoPadding(padding)
  return Buffer.concat([cipher.update(bytes), cipher.final()])
}

interface Parts {
  readonly key: Buffer
  readonly iv: Buffer
}

// Always the same: a random key would open another message's data once in 256 runs.
const digest = (name: string) => createHash('sha256').update(name).digest()
const parts: Parts = { key: digest('key'), iv: digest('iv').subarray(0, 16) }

/** An envelope as service.md#envelope has it, with one thing done otherwise. */
function sealed(otherwise: {
  readonly keyText?: (parts: Parts) => Buffer
  readonly wrap?: (message: Buffer) => Buffer
  readonly data?: (parts: Parts) => Buffer
  readonly payload?: Buffer
}): Members {
  const usual = () => Buffer.from(`${base64(parts.key)}.${base64(parts.iv)}`)
  const data = otherwise.data?.(parts) ?? cbc(parts.key, parts.iv, otherwise.payload ?? Buffer.from(text))
  const message = otherwise.keyText?.(parts) ?? usual()
  return { encryptedData: base64(data), encryptedKeys: base64((otherwise.wrap ?? oaep)(message)), aes: true }
}

const raw = (message: Buffer) => {
  const block = Buffer.concat([Buffer.alloc(256 - message.length), message])
  return publicEncrypt({ key: own.publicKey, padding: constants.RSA_NO_PADDING }, block)
}

function by(scheme: Scheme, key = own.publicKey, identifier: string | null = null): Members {
  return writeMembers(seal(text, { key, scheme, identifier }))
}

const right = by('oaep-sha256') as Record<string, string>
const { encryptedData = '', encryptedKeys = '' } = right
const data = Buffer.from(encryptedData, 'base64')
const keys = Buffer.from(encryptedKeys, 'base64')

/** The right envelope with other data, or other keys. */
const withData = (other: string) => ({ ...right, encryptedData: other })
const withKeys = (other: string) => ({ ...right, encryptedKeys: other })

const encrypted = (cipher: ReturnType<typeof createCipheriv>) => Buffer.concat([cipher.update(text), cipher.final()])
const ecb = ({ key }: Parts) => encrypted(createCipheriv('aes-256-ecb', key, null))
const counter = ({ key, iv }: Parts) => encrypted(createCipheriv('aes-256-ctr', key, iv))

function gcm({ key, iv }: Parts): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  return Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()])
}

const zeros = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc((16 - (bytes.length % 16)) % 16)])
const usualData = ({ key, iv }: Parts) => cbc(key, iv, Buffer.from(text))
const reversed = (message: Buffer) => Buffer.from(oaep(message)).reverse()
const withPrivateKey = (message: Buffer) => privateEncrypt(other.privateKey, message)
const swap = (value = '') => Buffer.from(value, 'utf16le').swap16()
const half = (value: string) => value.slice(0, Math.floor(value.length / 2))

/** A text in the place of the one of key and IV: k and i are these in base64. */
const keyText = (write: (k: string, i: string, parts: Parts) => string | Buffer) =>
  sealed({ keyText: (parts) => Buffer.from(write(base64(parts.key), base64(parts.iv), parts) as string) })
const payload = (of: string | Buffer) => sealed({ payload: Buffer.from(of as string) })

type Row = readonly [how: string, remedy: RemedyCode, made: Members | string, setting?: Scheme]

const anyOther = () => newPair().publicKey
const { encryptedData: _data, ...noData } = right
const { encryptedKeys: _keys, ...noKeys } = right
const inCapitals = { EncryptedData: encryptedData, EncryptedKeys: encryptedKeys, Aes: true }

/** By the step that fails. */
const cases: Readonly<Record<OpeningStep, readonly Row[]>> = {
  layout: [
    ['nothing at all', 'empty', ' '],
    ['prose', 'no-envelope', 'it does not open'],
    ['JSON without its end', 'truncated', half(JSON.stringify(right))],
    ['no encryptedData', 'no-data', noData],
    ['aes without encryptedKeys', 'no-keys', noKeys],
    ['aes false beside encryptedKeys', 'aes-false', { ...right, aes: false }],
    ['aes says yes', 'aes-unreadable', { ...right, aes: 'yes' }],
    ['names in capitals', 'field-names', inCapitals],
    ['an error of the service', 'service-error', { message: 'x', statusCode: 6010, exceptionGroup: 6 }],
    ['a payload that was never sealed', 'not-sealed', text],
    ['a private key instead', 'private-key', writeKey(other.privateKey, 'base64')],
    ['the legacy block', 'legacy-block', by('rsa-pkcs1')],
    ['the legacy block with OAEP', 'legacy-block', by('rsa-oaep-sha256')],
    ['an AES envelope where a block is set', 'aes-envelope', right, 'rsa-pkcs1'],
  ],
  base64: [
    ['other characters', 'no-base64', withData('*'.repeat(64))],
    ['a character missing', 'truncated', withKeys(encryptedKeys.slice(0, 341))],
  ],
  'block-length': [
    [
      'a private key in the place of encryptedKeys',
      'private-key',
      withKeys(writeKey(other.privateKey, 'base64').trim()),
    ],
    ['encryptedKeys cut off', 'truncated', withKeys(encryptedKeys.slice(0, 300))],
    ['encryptedData cut off', 'truncated', withData(encryptedData.slice(0, 100))],
    ['sealed to a larger key', 'other-key', by('oaep-sha256', large.publicKey)],
    ['fields exchanged', 'swapped-fields', { ...right, encryptedData: encryptedKeys, encryptedKeys: encryptedData }],
    ['hexadecimal instead of base64', 'hex', withKeys(keys.toString('hex'))],
    ['base64 of base64', 'base64-twice', withKeys(base64(Buffer.from(encryptedKeys)))],
    ['AES-GCM', 'cipher-mode', sealed({ data: gcm })],
    ['AES-CTR', 'cipher-mode', sealed({ data: counter })],
  ],
  unwrap: [
    ['MGF1 left at SHA-1', 'mgf1-hash', by('oaep-sha256-mgf1-sha1')],
    ['PKCS#1 where OAEP is set', 'other-padding', by('pkcs1')],
    ['OAEP where PKCS#1 is set', 'other-padding', right, 'pkcs1'],
    ['OAEP with SHA-1', 'oaep-hash', sealed({ wrap: (message) => oaep(message, own.publicKey, 'sha1') })],
    ['no padding', 'no-padding', sealed({ wrap: raw })],
    ['back to front', 'byte-order', sealed({ wrap: reversed })],
    ['encrypted with a private key', 'wrong-half', sealed({ wrap: withPrivateKey })],
    ['sealed to another key', 'other-key', by('oaep-sha256', anyOther())],
    ['a request, sealed to the service', 'wrong-direction', by('oaep-sha256', anyOther(), 'acme')],
    ['a legacy block to another key', 'other-key', by('rsa-pkcs1', anyOther()), 'rsa-pkcs1'],
  ],
  'key-and-iv': [
    ['IV before key', 'iv-before-key', keyText((k, i) => `${i}.${k}`)],
    ['raw bytes', 'raw-key-bytes', keyText((_k, _i, { key, iv }) => Buffer.concat([key, iv]))],
    ['raw key alone', 'raw-key-bytes', keyText((_k, _i, { key }) => key)],
    ['joined by a colon', 'key-text', keyText((k, i) => `${k}:${i}`)],
    ['key and IV in JSON', 'key-text', keyText((key, iv) => JSON.stringify({ key, iv }))],
    ['one base64 of both', 'key-text', keyText((_k, _i, { key, iv }) => base64(Buffer.concat([key, iv])))],
    ['in hexadecimal', 'key-in-hex', keyText((_k, _i, { key, iv }) => `${key.toString('hex')}.${iv.toString('hex')}`)],
    ['the key without IV', 'no-iv', keyText((k) => k)],
    ['a key of 16 bytes', 'key-size', keyText((_k, i, { key }) => `${base64(key.subarray(16))}.${i}`)],
    ['an IV of 12 bytes', 'iv-size', keyText((k, _i, { iv }) => `${k}.${base64(iv.subarray(4))}`)],
    ['key text in UTF-16', 'key-text-utf16', keyText((k, i) => Buffer.from(`${k}.${i}`, 'utf16le'))],
    ['key text in base64', 'base64-twice', keyText((k, i) => base64(Buffer.from(`${k}.${i}`)))],
  ],
  cipher: [
    ['AES-ECB', 'cipher-mode', sealed({ data: ecb })],
    [
      'padded with zeros',
      'pkcs7-padding',
      sealed({ data: ({ key, iv }) => cbc(key, iv, zeros(Buffer.from(text)), false) }),
    ],
    ['cut off between blocks', 'truncated', sealed({ data: (parts) => usualData(parts).subarray(0, 64) })],
    [
      'another message’s data',
      'damaged',
      sealed({ data: () => usualData({ key: digest('x'), iv: data.subarray(0, 16) }) }),
    ],
  ],
  'utf-8': [
    ['an IV that was not used', 'wrong-iv', keyText((k) => `${k}.${base64(Buffer.alloc(16, 0xa5))}`)],
    ['the IV in front of the data', 'iv-in-front', sealed({ data: (own) => Buffer.concat([own.iv, usualData(own)]) })],
    ['Latin-1', 'charset', payload(Buffer.from('{"name":"Zoë Müller"}', 'latin1'))],
    ['UTF-16', 'utf16', payload(Buffer.from(`\uFEFF${text}`, 'utf16le'))],
    ['compressed', 'compressed', payload(gzipSync(text))],
  ],
  json: [
    ['UTF-16, the other way round', 'utf16', payload(swap('{"amount":1}'))],
    ['form-encoded', 'form-encoded', payload('amount=12.50&currency=GEL')],
    ['base64 of the JSON', 'base64-twice', payload(base64(Buffer.from(text)))],
    ['XML', 'not-json', payload('<order><amount>1</amount></order>')],
    ['JSON cut off before it was sealed', 'truncated', payload(text.slice(0, 50))],
  ],
  schema: [['against the contract', 'payload', payload('{"amount":0}')]],
}

const titled = Object.entries(cases).flatMap(([step, rows]) =>
  rows.map(([how, remedy, made, setting = 'oaep-sha256']) => ({ how, step, remedy, made, setting })),
)

test.each(titled)('$how: fails at $step, mended by $remedy', async ({ step, remedy, made, setting }) => {
  const found = await diagnose({
    text: typeof made === 'string' ? made : JSON.stringify(made),
    keys: [{ name: 'own', key: own.privateKey }],
    publicKeys: [{ name: 'other', key: createPublicKey(other.privateKey) }],
    setting: setting as Scheme,
    check: (opened) => (opened.includes('"amount":0') ? ['amount must be greater than 0'] : []),
  })
  expect({ step: found.step, remedy: found.remedies[0]?.code }).toEqual({ step, remedy })
  expect(found.opens).toBe(false)
  expect(found.remedies[0]?.message.length).toBeGreaterThan(10)
})

describe('several keys and schemes', () => {
  const keys = [
    { name: 'own', key: own.privateKey },
    { name: 'other', key: other.privateKey },
  ]
  const setting: Scheme = 'oaep-sha256'
  const patient = { keys, publicKeys: [], setting }

  test('the key and scheme that open it are named, with the changes they needed', async () => {
    const text = JSON.stringify(by('pkcs1', other.publicKey))
    const found = await diagnose({ ...patient, text })
    expect(found).toMatchObject({
      opens: false,
      step: 'unwrap',
      opensWith: { key: 'other', scheme: 'pkcs1' },
      remedies: [{ code: 'other-key' }, { code: 'other-padding' }],
    })
    expect(found.tried).toHaveLength(6)
  })

  test('the one-block set opens with the scheme that is named', async () => {
    for (const scheme of ['rsa-pkcs1', 'rsa-oaep-sha256'] as const) {
      const found = await diagnose({ ...patient, text: JSON.stringify(by(scheme)) })
      expect(found).toMatchObject({ step: 'layout', opensWith: { key: 'own', scheme } })
    }
  })

  test('an envelope that opens has nothing to mend; its key is known', async () => {
    const found = await diagnose({ ...patient, text: JSON.stringify(right) })
    expect(found).toMatchObject({ opens: true, step: null, remedies: [], opensWith: { key: 'own' } })
    expect(found.symmetric?.key).toHaveLength(32)
    expect(found.symmetric?.iv).toHaveLength(16)
  })

  test('two mistakes at once are both named', async () => {
    const wrap = (message: Buffer) =>
      publicEncrypt({ key: own.publicKey, padding: constants.RSA_PKCS1_PADDING }, message)
    const keyText = ({ key, iv }: Parts) => Buffer.from(`${base64(iv)}.${base64(key)}`)
    const found = await diagnose({ ...patient, text: JSON.stringify(sealed({ wrap, keyText })) })
    expect(found.remedies.map(({ code }) => code)).toEqual(['other-padding', 'iv-before-key'])
  })

  test('a key that only looks right by chance is no progress', async () => {
    // A PKCS#1 block whose message is noise, as one random block in 256 is.
    const wrap = () => publicEncrypt({ key: own.publicKey, padding: constants.RSA_PKCS1_PADDING }, randomBytes(61))
    const found = await diagnose({ ...patient, text: JSON.stringify(sealed({ wrap })) })
    expect(found).toMatchObject({ step: 'unwrap', remedies: [{ code: 'other-key' }] })
  })
})
