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

async function by(scheme: Scheme, key = own.publicKey, identifier: string | null = null): Promise<Members> {
  return writeMembers(seal(text, { key, scheme, identifier }))
}

async function members(change: (good: Record<string, string>) => Members): Promise<Members> {
  return change((await by('oaep-sha256')) as Record<string, string>)
}

function ecb(parts: Parts): Buffer {
  const cipher = createCipheriv('aes-256-ecb', parts.key, null)
  return Buffer.concat([cipher.update(text), cipher.final()])
}

function counter(parts: Parts): Buffer {
  const cipher = createCipheriv('aes-256-ctr', parts.key, parts.iv)
  return Buffer.concat([cipher.update(text), cipher.final()])
}

function gcm(parts: Parts): Buffer {
  const cipher = createCipheriv('aes-256-gcm', parts.key, parts.iv)
  return Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()])
}

const zeros = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc((16 - (bytes.length % 16)) % 16)])
const reversed = (message: Buffer) => Buffer.from(oaep(message)).reverse()
const halfOf = (value = '') => value.slice(0, Math.floor(value.length / 2))
const swap = (value = '') => Buffer.from(value, 'utf16le').swap16()

type Made = Members | string | Promise<Members | string>
type Case = readonly [how: string, step: OpeningStep, remedy: RemedyCode, make: () => Made, setting?: Scheme]

const cases: readonly Case[] = [
  // Layout
  ['nothing at all', 'layout', 'empty', () => ' '],
  ['prose', 'layout', 'no-envelope', () => 'it does not open'],
  ['JSON without its end', 'layout', 'truncated', async () => halfOf(JSON.stringify(await by('oaep-sha256')))],
  ['no encryptedData', 'layout', 'no-data', () => members(({ encryptedData, ...rest }) => rest)],
  ['aes without encryptedKeys', 'layout', 'no-keys', () => members(({ encryptedKeys, ...rest }) => rest)],
  ['aes false beside encryptedKeys', 'layout', 'aes-false', () => members((good) => ({ ...good, aes: false }))],
  ['aes says yes', 'layout', 'aes-unreadable', () => members((good) => ({ ...good, aes: 'yes' }))],
  [
    'names in capitals',
    'layout',
    'field-names',
    () => members((good) => ({ EncryptedData: good.encryptedData, EncryptedKeys: good.encryptedKeys, Aes: true })),
  ],
  ['an error of the service', 'layout', 'service-error', () => ({ message: 'x', statusCode: 6010, exceptionGroup: 6 })],
  ['a payload that was never sealed', 'layout', 'not-sealed', () => text],
  ['a private key instead', 'layout', 'private-key', () => writeKey(other.privateKey, 'base64')],
  ['the legacy block', 'layout', 'legacy-block', () => by('rsa-pkcs1')],
  ['the legacy block with OAEP', 'layout', 'legacy-block', () => by('rsa-oaep-sha256')],
  ['an AES envelope where a block is set', 'layout', 'aes-envelope', () => by('oaep-sha256'), 'rsa-pkcs1'],
  // Base64
  ['other characters', 'base64', 'no-base64', () => members((good) => ({ ...good, encryptedData: '*'.repeat(64) }))],
  [
    'a character missing',
    'base64',
    'truncated',
    () => members((good) => ({ ...good, encryptedKeys: good.encryptedKeys?.slice(0, 341) })),
  ],
  [
    'a private key in the place of encryptedKeys',
    'block-length',
    'private-key',
    () => members((good) => ({ ...good, encryptedKeys: writeKey(other.privateKey, 'base64').trim() })),
  ],
  // Lengths
  [
    'encryptedKeys cut off',
    'block-length',
    'truncated',
    () => members((good) => ({ ...good, encryptedKeys: good.encryptedKeys?.slice(0, 300) })),
  ],
  [
    'encryptedData cut off',
    'block-length',
    'truncated',
    () => members((good) => ({ ...good, encryptedData: good.encryptedData?.slice(0, 100) })),
  ],
  ['sealed to a larger key', 'block-length', 'other-key', () => by('oaep-sha256', large.publicKey)],
  [
    'fields exchanged',
    'block-length',
    'swapped-fields',
    () => members((good) => ({ ...good, encryptedData: good.encryptedKeys, encryptedKeys: good.encryptedData })),
  ],
  [
    'hexadecimal instead of base64',
    'block-length',
    'hex',
    () =>
      members((good) => ({ ...good, encryptedKeys: Buffer.from(good.encryptedKeys ?? '', 'base64').toString('hex') })),
  ],
  [
    'base64 of base64',
    'block-length',
    'base64-twice',
    () => members((good) => ({ ...good, encryptedKeys: base64(Buffer.from(good.encryptedKeys ?? '')) })),
  ],
  ['AES-GCM', 'block-length', 'cipher-mode', () => sealed({ data: gcm })],
  ['AES-CTR', 'block-length', 'cipher-mode', () => sealed({ data: counter })],
  // The RSA block
  ['MGF1 left at SHA-1', 'unwrap', 'mgf1-hash', () => by('oaep-sha256-mgf1-sha1')],
  ['PKCS#1 where OAEP is set', 'unwrap', 'other-padding', () => by('pkcs1')],
  ['OAEP where PKCS#1 is set', 'unwrap', 'other-padding', () => by('oaep-sha256'), 'pkcs1'],
  ['OAEP with SHA-1', 'unwrap', 'oaep-hash', () => sealed({ wrap: (message) => oaep(message, own.publicKey, 'sha1') })],
  ['no padding', 'unwrap', 'no-padding', () => sealed({ wrap: raw })],
  ['back to front', 'unwrap', 'byte-order', () => sealed({ wrap: reversed })],
  [
    'encrypted with a private key',
    'unwrap',
    'wrong-half',
    () => sealed({ wrap: (message) => privateEncrypt(other.privateKey, message) }),
  ],
  ['sealed to another key', 'unwrap', 'other-key', () => by('oaep-sha256', newPair().publicKey)],
  [
    'a request, sealed to the service',
    'unwrap',
    'wrong-direction',
    () => by('oaep-sha256', newPair().publicKey, 'acme'),
  ],
  ['a legacy block to another key', 'unwrap', 'other-key', () => by('rsa-pkcs1', newPair().publicKey), 'rsa-pkcs1'],
  // Key and IV
  [
    'IV before key',
    'key-and-iv',
    'iv-before-key',
    () => sealed({ keyText: ({ key, iv }) => Buffer.from(`${base64(iv)}.${base64(key)}`) }),
  ],
  ['raw bytes', 'key-and-iv', 'raw-key-bytes', () => sealed({ keyText: ({ key, iv }) => Buffer.concat([key, iv]) })],
  ['raw key alone', 'key-and-iv', 'raw-key-bytes', () => sealed({ keyText: ({ key }) => key })],
  [
    'joined by a colon',
    'key-and-iv',
    'key-text',
    () => sealed({ keyText: ({ key, iv }) => Buffer.from(`${base64(key)}:${base64(iv)}`) }),
  ],
  [
    'key and IV in JSON',
    'key-and-iv',
    'key-text',
    () => sealed({ keyText: ({ key, iv }) => Buffer.from(JSON.stringify({ key: base64(key), iv: base64(iv) })) }),
  ],
  [
    'one base64 of both',
    'key-and-iv',
    'key-text',
    () => sealed({ keyText: ({ key, iv }) => Buffer.from(base64(Buffer.concat([key, iv]))) }),
  ],
  [
    'in hexadecimal',
    'key-and-iv',
    'key-in-hex',
    () => sealed({ keyText: ({ key, iv }) => Buffer.from(`${key.toString('hex')}.${iv.toString('hex')}`) }),
  ],
  ['the key without IV', 'key-and-iv', 'no-iv', () => sealed({ keyText: ({ key }) => Buffer.from(base64(key)) })],
  [
    'a key of 16 bytes',
    'key-and-iv',
    'key-size',
    () => sealed({ keyText: ({ key, iv }) => Buffer.from(`${base64(key.subarray(16))}.${base64(iv)}`) }),
  ],
  [
    'an IV of 12 bytes',
    'key-and-iv',
    'iv-size',
    () => sealed({ keyText: ({ key, iv }) => Buffer.from(`${base64(key)}.${base64(iv.subarray(4))}`) }),
  ],
  [
    'key text in UTF-16',
    'key-and-iv',
    'key-text-utf16',
    () => sealed({ keyText: ({ key, iv }) => Buffer.from(`${base64(key)}.${base64(iv)}`, 'utf16le') }),
  ],
  [
    'key text in base64',
    'key-and-iv',
    'base64-twice',
    () => sealed({ keyText: ({ key, iv }) => Buffer.from(base64(Buffer.from(`${base64(key)}.${base64(iv)}`))) }),
  ],
  // Cipher
  ['AES-ECB', 'cipher', 'cipher-mode', () => sealed({ data: ecb })],
  [
    'padded with zeros',
    'cipher',
    'pkcs7-padding',
    () => sealed({ data: ({ key, iv }) => cbc(key, iv, zeros(Buffer.from(text)), false) }),
  ],
  [
    'cut off between blocks',
    'cipher',
    'truncated',
    () => sealed({ data: ({ key, iv }) => cbc(key, iv, Buffer.from(text)).subarray(0, 64) }),
  ],
  [
    'another message’s data',
    'cipher',
    'damaged',
    () => sealed({ data: () => cbc(Buffer.alloc(32, 7), Buffer.alloc(16, 9), Buffer.from(text)) }),
  ],
  // Text
  [
    'an IV that was not used',
    'utf-8',
    'wrong-iv',
    () => sealed({ keyText: ({ key }) => Buffer.from(`${base64(key)}.${base64(Buffer.alloc(16, 0xa5))}`) }),
  ],
  [
    'the IV in front of the data',
    'utf-8',
    'iv-in-front',
    () =>
      sealed({
        data: ({ key, iv }) => Buffer.concat([iv, cbc(key, iv, Buffer.from(text))]),
        keyText: ({ key, iv }) => Buffer.from(`${base64(key)}.${base64(iv)}`),
      }),
  ],
  ['Latin-1', 'utf-8', 'charset', () => sealed({ payload: Buffer.from('{"name":"Zoë Müller"}', 'latin1') })],
  ['UTF-16', 'utf-8', 'utf16', () => sealed({ payload: Buffer.from(`\uFEFF${text}`, 'utf16le') })],
  ['UTF-16, the other way round', 'json', 'utf16', () => sealed({ payload: swap('{"amount":1}') })],
  ['compressed', 'utf-8', 'compressed', () => sealed({ payload: gzipSync(text) })],
  ['form-encoded', 'json', 'form-encoded', () => sealed({ payload: Buffer.from('amount=12.50&currency=GEL') })],
  ['base64 of the JSON', 'json', 'base64-twice', () => sealed({ payload: Buffer.from(base64(Buffer.from(text))) })],
  ['XML', 'json', 'not-json', () => sealed({ payload: Buffer.from('<order><amount>1</amount></order>') })],
  ['JSON cut off before it was sealed', 'json', 'truncated', () => sealed({ payload: Buffer.from(text.slice(0, 50)) })],
  ['against the contract', 'schema', 'payload', () => sealed({ payload: Buffer.from('{"amount":0}') })],
]

describe('a broken envelope', () => {
  test(`there are ${cases.length} ways`, () => expect(cases.length).toBeGreaterThanOrEqual(25))

  const named = cases.map(([how, step, remedy, make, setting]) => ({ how, step, remedy, make, setting }))

  test.each(named)('$how: fails at $step, mended by $remedy', async ({ step, remedy, make, setting }) => {
    const made = await make()
    const found = await diagnose({
      text: typeof made === 'string' ? made : JSON.stringify(made),
      keys: [{ name: 'own', key: own.privateKey }],
      publicKeys: [{ name: 'other', key: createPublicKey(other.privateKey) }],
      setting: setting ?? 'oaep-sha256',
      check: (opened) => (opened.includes('"amount":0') ? ['amount must be greater than 0'] : []),
    })
    expect({ step: found.step, remedy: found.remedies[0]?.code }).toEqual({ step, remedy })
    expect(found.opens).toBe(false)
    expect(found.remedies[0]?.message.length).toBeGreaterThan(10)
  })
})

describe('several keys and schemes', () => {
  const keys = [
    { name: 'own', key: own.privateKey },
    { name: 'other', key: other.privateKey },
  ]
  const setting: Scheme = 'oaep-sha256'
  const patient = { keys, publicKeys: [], setting }

  test('the key and scheme that open it are named, with the changes they needed', async () => {
    const text = JSON.stringify(await by('pkcs1', other.publicKey))
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
      const found = await diagnose({ ...patient, text: JSON.stringify(await by(scheme)) })
      expect(found).toMatchObject({ step: 'layout', opensWith: { key: 'own', scheme } })
    }
  })

  test('an envelope that opens has nothing to mend; its key is known', async () => {
    const found = await diagnose({ ...patient, text: JSON.stringify(await by('oaep-sha256')) })
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
