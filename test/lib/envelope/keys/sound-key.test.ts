import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readKey } from '../../../../src/lib/envelope/keys/key.ts'
import { hurriedPaydesk } from '../../../kit/program/hurried-paydesk.ts'
import { newHome } from '../../../kit/program/paydesk.ts'

const sound = generateKeyPairSync('rsa', { modulusLength: 2048 })
const three = generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 3 })

const toNumber = (text: string | undefined) => BigInt(`0x${Buffer.from(text ?? '', 'base64url').toString('hex')}`)
const toText = (number: bigint) => {
  const hex = number.toString(16)
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64url')
}

/** Both halves of the pair, with another exponent or modulus. */
function changed(change: { e?: bigint; n?: (modulus: bigint) => bigint }): {
  privateKey: KeyObject
  publicKey: KeyObject
} {
  const jwk = sound.privateKey.export({ format: 'jwk' })
  const n = toText(change.n?.(toNumber(jwk.n)) ?? toNumber(jwk.n))
  const e = change.e === undefined ? (jwk.e ?? '') : toText(change.e)
  const publicKey = createPublicKey({ key: { kty: 'RSA', n, e }, format: 'jwk' })
  return { privateKey: createPrivateKey({ key: { ...jwk, n, e }, format: 'jwk' }), publicKey }
}

/** A modulus of as many bits with this factor. */
const multipleOf = (factor: bigint) => (modulus: bigint) => {
  const even = modulus - (modulus % factor)
  return even % 2n === 0n && factor !== 2n ? even - factor : even
}

/** A modulus of as many bits that this prime divides, and no other number below 10,000. */
function withOnlySmallFactor(modulus: bigint, factor: bigint): bigint {
  const others = Array.from({ length: 9_998 }, (_, at) => BigInt(at + 2)).filter((each) => each % factor !== 0n)
  for (let cofactor = modulus / factor; ; cofactor -= 1n) {
    if (cofactor % factor !== 0n && others.every((each) => cofactor % each !== 0n)) return cofactor * factor
  }
}

const written = (key: KeyObject) =>
  Buffer.from(key.export({ format: 'pem', type: key.type === 'private' ? 'pkcs8' : 'spki' }))

const weak = [
  ['the exponent 1', { e: 1n }, /its exponent is 1/],
  ['an even exponent', { e: 65_536n }, /exponent 65536 is even/],
  ['an even modulus', { n: multipleOf(2n) }, /its modulus is even/],
  ['a modulus with a small factor', { n: multipleOf(9_973n) }, /its modulus has the factor \d+/],
  ['a modulus with the factor 3', { n: multipleOf(3n) }, /its modulus has the factor 3/],
] as const

describe.each(weak)('a key with %s is refused by name', (_what, change, words) => {
  const pair = changed(change)

  test.each(['privateKey', 'publicKey'] as const)('as %s', (half) => {
    expect(readKey(written(pair[half]))).toMatchObject({
      ok: false,
      complaint: expect.stringMatching(words),
    })
  })

  test('wherever a key is read', async () => {
    const home = newHome()
    const [own, service] = [join(home, 'own.key'), join(home, 'service.pub')]
    writeFileSync(own, written(pair.privateKey), { mode: 0o600 })
    writeFileSync(service, written(pair.publicKey), { mode: 0o600 })
    const profile = ['profile', 'add', 'acme', '--base-url', 'https://pay.example', '--environment', 'test']
    const commands: readonly (readonly [readonly string[], number])[] = [
      [['key', 'show', own], 4],
      [['key', 'import', service, '--to', join(home, 'again.pub')], 4],
      [['envelope', 'seal', '--public-key', service, '--file', own], 4],
      [['envelope', 'open', '--private-key', own, '--file', own], 4],
      [[...profile, '--private-key', own], 2],
      [[...profile, '--service-public-key', service], 2],
    ]
    const ended = await Promise.all(commands.map(([argv]) => hurriedPaydesk(argv, home)))
    expect(ended.map(({ code }) => code)).toEqual(commands.map(([, code]) => code))
    for (const { stderr } of ended) expect(stderr).toMatch(words)
  })
})

test('an exponent below 65537 is warned of, and the key serves', async () => {
  const home = newHome()
  const [own, service, text] = [join(home, 'own.key'), join(home, 'service.pub'), join(home, 'order.json')]
  writeFileSync(own, written(three.privateKey), { mode: 0o600 })
  writeFileSync(service, written(three.publicKey), { mode: 0o600 })
  writeFileSync(text, '{"amount":1}')
  const sealed = await hurriedPaydesk(['envelope', 'seal', '--public-key', service, '--file', text], home)
  expect(sealed).toMatchObject({ code: 0, stderr: expect.stringContaining('has the exponent 3; new keys have 65537') })
  const envelope = join(home, 'envelope.json')
  writeFileSync(envelope, sealed.stdout)
  chmodSync(envelope, 0o600)
  const opened = await hurriedPaydesk(['envelope', 'open', '--private-key', own, '--file', envelope], home)
  expect([opened.code, opened.stdout.trim()]).toEqual([0, '{"amount":1}'])
  expect(opened.stderr).toContain('has the exponent 3')
  const added = await hurriedPaydesk(
    [
      'profile',
      'add',
      'acme',
      '--base-url',
      'https://pay.example',
      '--environment',
      'test',
      '--private-key',
      own,
      '--json',
    ],
    home,
  )
  expect(JSON.parse(added.stdout)).toMatchObject({ warnings: [expect.stringContaining('has the exponent 3')] })
})

/** Products of two large primes have no factor below 10,000; these are the first, some in between, and the last. */
test.each([3n, 5n, 173n, 179n, 9_967n, 9_973n])(
  'a modulus whose only small factor is %d is refused with it',
  (factor) => {
    const n = (modulus: bigint) => withOnlySmallFactor(modulus, factor)
    const read = readKey(written(changed({ n }).publicKey))
    expect(read).toMatchObject({ ok: false, complaint: expect.stringContaining(`the factor ${factor},`) })
  },
)

test('a modulus whose smallest factor is 10007, the first prime above the limit, is accepted', () => {
  const n = (modulus: bigint) => withOnlySmallFactor(modulus, 10_007n)
  expect(readKey(written(changed({ n }).publicKey))).toMatchObject({ ok: true })
})

test('a sound key is read without a word', () => {
  for (const key of [sound.privateKey, sound.publicKey]) expect(readKey(written(key))).toMatchObject({ ok: true })
})

test('the bytes of a key are parsed and checked once in a process', () => {
  const bytes = written(sound.publicKey)
  const first = readKey(bytes)
  expect(readKey(Buffer.from(bytes))).toBe(first)
  expect(readKey(written(sound.privateKey))).not.toBe(first)
})
