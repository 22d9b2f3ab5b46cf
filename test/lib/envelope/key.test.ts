import { spawnSync } from 'node:child_process'
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  describeKey,
  fingerprint,
  readKey,
  readPrivateKey,
  readPublicKey,
  writeKey,
} from '../../../src/lib/envelope/key.ts'
import { addProfile, newPair } from '../../kit/envelope.ts'
import { newHome, paydesk } from '../../kit/program.ts'
import { selfSigned } from '../../kit/service.ts'

const own = newPair()
const der = (key: KeyObject) => key.export({ format: 'der', type: key.type === 'private' ? 'pkcs8' : 'spki' })
const pem = (key: KeyObject) => String(key.export({ format: 'pem', type: key.type === 'private' ? 'pkcs8' : 'spki' }))
const base64 = (key: KeyObject) => der(key).toString('base64')

const forms: readonly (readonly [string, (key: KeyObject) => string | Buffer])[] = [
  ['single-line base64', base64],
  ['… with a newline', (key) => `${base64(key)}\n`],
  ['… with Windows line ends around it', (key) => `\r\n${base64(key)}\r\n`],
  ['… in quotes, with a comma', (key) => `"${base64(key)}",`],
  ['… as a line of an environment file', (key) => `SERVICE_KEY=${base64(key)}`],
  ['base64 in lines of 64', (key) => base64(key).replace(/.{64}/g, '$&\n')],
  ['base64 with literal \\n', (key) => base64(key).replace(/.{76}/g, '$&\\n')],
  ['URL-safe base64', (key) => der(key).toString('base64url')],
  ['PEM', pem],
  ['PEM with a byte order mark', (key) => `\uFEFF${pem(key)}`],
  ['PEM with literal \\n', (key) => pem(key).replaceAll('\n', '\\n')],
  ['PEM with literal \\r\\n in quotes', (key) => JSON.stringify(pem(key).replaceAll('\n', '\r\n'))],
  ['PEM in one line', (key) => pem(key).replaceAll('\n', ' ')],
  [
    'PEM with its body in one line',
    (key) =>
      pem(key)
        .replace(/\n(?!-)/g, '')
        .replace(/-----(?=M)/, '-----\n'),
  ],
  ['PEM with text before it', (key) => `Bag Attributes\n    friendlyName: own\n${pem(key)}`],
  ['PEM in base64 once more', (key) => Buffer.from(pem(key)).toString('base64')],
  ['DER', der],
  ['PKCS#1 PEM', (key) => String(key.export({ format: 'pem', type: 'pkcs1' }))],
  ['PKCS#1 in base64', (key) => key.export({ format: 'der', type: 'pkcs1' }).toString('base64')],
]

describe('a key is read as people paste it', () => {
  test.each(forms)('%s', (_form, write) => {
    for (const key of [own.privateKey, own.publicKey]) {
      const read = readKey(Buffer.from(write(key)))
      if (!read.ok) throw new Error(read.complaint)
      expect(read.half).toBe(key.type)
      expect(fingerprint(read.key)).toBe(fingerprint(own.publicKey))
    }
  })

  test('a written key is read, and is one line or PEM', () => {
    for (const key of [own.privateKey, own.publicKey]) {
      expect(writeKey(key, 'base64')).toBe(`${base64(key)}\n`)
      expect(writeKey(key, 'pem')).toBe(pem(key))
      expect(readKey(Buffer.from(writeKey(key, 'base64')))).toMatchObject({ ok: true, half: key.type })
    }
  })
})

test('the fingerprint is the SHA-256 of the SPKI, the same for both halves', () => {
  const expected = createHash('sha256').update(der(own.publicKey)).digest('hex')
  expect(describeKey(own.privateKey)).toEqual({ kind: 'RSA', half: 'private', bits: 2048, fingerprint: expected })
  expect(describeKey(own.publicKey)).toEqual({ kind: 'RSA', half: 'public', bits: 2048, fingerprint: expected })
})

const certificate = selfSigned().cert
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const tiny = generateKeyPairSync('rsa', { modulusLength: 1024 })
const cipher = { cipher: 'aes-256-cbc', passphrase: 'x' }

const block = (label: string) => `-----BEGIN ${label}-----\nMIIB\n-----END ${label}-----`

describe('a key that cannot serve is called by its name', () => {
  const wrong: readonly (readonly [string, string | Buffer, RegExp])[] = [
    ['an EC key', pem(ec.privateKey), /EC key, not an RSA/],
    ['an EC key in its own form', String(ec.privateKey.export({ format: 'pem', type: 'sec1' })), /EC key/],
    ['an EC public key', base64(ec.publicKey), /EC key/],
    ['an Ed25519 key', pem(generateKeyPairSync('ed25519').publicKey), /person's key for approvals \(ed25519\)/],
    ['an RSA-PSS key', pem(generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).publicKey), /rsa-pss/],
    ['a certificate', certificate, /certificate; its key is/],
    ['a key of 1024 bits', pem(tiny.publicKey), /too small: 1024 bits.*2048/],
    [
      'a key under a passphrase',
      String(own.privateKey.export({ format: 'pem', type: 'pkcs8', ...cipher })),
      /passphrase/,
    ],
    ['… in DER', own.privateKey.export({ format: 'der', type: 'pkcs8', ...cipher }).toString('base64'), /passphrase/],
    ['… in PKCS#1', String(own.privateKey.export({ format: 'pem', type: 'pkcs1', ...cipher })), /passphrase/],
    ['an OpenSSH key', block('OPENSSH PRIVATE KEY'), /OpenSSH/],
    ['an OpenSSH public key', 'ssh-rsa AAAAB3NzaC1yc2E= me@host', /OpenSSH/],
    ['a key in XML', '<RSAKeyValue><Modulus>x</Modulus></RSAKeyValue>', /XML/],
    ['a JWK', JSON.stringify(own.publicKey.export({ format: 'jwk' })), /JWK/],
    ['a certificate request', block('CERTIFICATE REQUEST'), /request/],
    ['a PEM without its end', pem(own.privateKey).slice(0, 800), /cut off: its END/],
    ['base64 without its end', base64(own.publicKey).slice(0, 200), /cut off/],
    ['nothing', '', /is empty/],
    ['prose', 'my key', /no key/],
    ['bytes', Buffer.from([0, 1, 2, 3]), /no key and no text/],
    ['DER of no stated length', Buffer.from('3080020101', 'hex'), /no key/],
    ['other DER', Buffer.from('300602010102010500', 'hex').toString('base64'), /no key/],
  ]

  test.each(wrong)('%s', (_what, text, words) => {
    const read = readKey(Buffer.from(text))
    expect(read).toMatchObject({ ok: false, complaint: expect.stringMatching(words) })
  })

  test('the wrong half, in both directions', () => {
    const [secret, open] = [Buffer.from(base64(own.privateKey)), Buffer.from(base64(own.publicKey))]
    expect(() => readPublicKey(secret, '--key f')).toThrow('--key f is a private key where a public one belongs')
    expect(() => readPrivateKey(open, '--private-key f')).toThrow('is a public key; opening needs the private one')
    expect(readPublicKey(open, 'x').equals(createPublicKey(own.privateKey))).toBe(true)
  })

  test('no complaint quotes the key', () => {
    for (const text of [pem(own.privateKey).slice(0, 800), `${base64(own.privateKey).slice(0, 400)}*`]) {
      const read = readKey(Buffer.from(text))
      expect(JSON.stringify(read)).not.toContain(base64(own.privateKey).slice(40, 60))
    }
  })
})

test('openssl names the same fingerprint', ({ skip }) => {
  const openssl = 'openssl'
  const named = spawnSync(openssl, ['pkey', '-pubin', '-outform', 'der'], { input: pem(own.publicKey) })
  if (named.error) skip('openssl is not installed')
  expect(createHash('sha256').update(named.stdout).digest('hex')).toBe(fingerprint(own.privateKey))
})

const written = (key: KeyObject) => Buffer.from(pem(key))

/** Both halves of a pair with another exponent. */
function withExponent(exponent: bigint): { privateKey: KeyObject; publicKey: KeyObject } {
  const hex = exponent.toString(16)
  const e = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url')
  const jwk = { ...own.privateKey.export({ format: 'jwk' }), e }
  const publicKey = createPublicKey({ key: { kty: 'RSA', n: jwk.n ?? '', e }, format: 'jwk' })
  return { privateKey: createPrivateKey({ key: jwk, format: 'jwk' }), publicKey }
}

test.each([
  ['the exponent 1', 1n, /its exponent is 1/],
  ['an even exponent', 65_536n, /exponent 65536 is even/],
] as const)('a key with %s is refused by name, wherever a key is read', async (_what, exponent, words) => {
  const pair = withExponent(exponent)
  for (const key of [pair.privateKey, pair.publicKey])
    expect(readKey(written(key))).toMatchObject({ ok: false, complaint: expect.stringMatching(words) })
  const home = newHome()
  const [sound, envelope] = [join(home, 'sound.pub'), join(home, 'envelope.json')]
  writeFileSync(sound, written(newPair().publicKey))
  writeFileSync(envelope, '{"amount":1}')
  const sealed = await paydesk(['envelope', 'seal', '--public-key', sound, '--file', envelope], { home })
  writeFileSync(envelope, sealed.stdout)
  const [own, service] = [join(home, 'own.key'), join(home, 'service.pub')]
  writeFileSync(own, written(pair.privateKey), { mode: 0o600 })
  writeFileSync(service, written(pair.publicKey), { mode: 0o600 })
  const commands: readonly (readonly [readonly string[], number])[] = [
    [['key', 'show', own], 4],
    [['key', 'import', service, '--to', join(home, 'again.pub')], 4],
    [['envelope', 'seal', '--public-key', service, '--file', own], 4],
    [['envelope', 'open', '--private-key', own, '--file', envelope], 4],
    [addProfile('acme', '--private-key', own), 2],
    [addProfile('acme', '--service-public-key', service), 2],
  ]
  for (const [argv, code] of commands) {
    const ended = await paydesk(argv, { home })
    expect(ended.code, argv.join(' ')).toBe(code)
    expect(ended.stderr).toMatch(words)
  }
})

test('an exponent below 65537 is warned of, and the key serves', async () => {
  const three = generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 3 })
  const home = newHome()
  const [own, service, text] = [join(home, 'own.key'), join(home, 'service.pub'), join(home, 'order.json')]
  writeFileSync(own, written(three.privateKey), { mode: 0o600 })
  writeFileSync(service, written(three.publicKey), { mode: 0o600 })
  writeFileSync(text, '{"amount":1}')
  const sealed = await paydesk(['envelope', 'seal', '--public-key', service, '--file', text], { home })
  expect(sealed).toMatchObject({ code: 0, stderr: expect.stringContaining('has the exponent 3; new keys have 65537') })
  const envelope = join(home, 'envelope.json')
  writeFileSync(envelope, sealed.stdout)
  chmodSync(envelope, 0o600)
  const opened = await paydesk(['envelope', 'open', '--private-key', own, '--file', envelope], { home })
  expect([opened.code, opened.stdout.trim()]).toEqual([0, '{"amount":1}'])
  expect(opened.stderr).toContain('has the exponent 3')
  const added = await paydesk([...addProfile('acme', '--private-key', own), '--json'], { home })
  expect(JSON.parse(added.stdout)).toMatchObject({ warnings: [expect.stringContaining('has the exponent 3')] })
})
