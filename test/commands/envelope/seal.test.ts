import { describe, expect, test } from 'vitest'
import { open } from '../../../src/lib/envelope/envelope.ts'
import { readEnvelope } from '../../../src/lib/envelope/pasted.ts'
import { schemeFacts, schemes } from '../../../src/lib/envelope/scheme.ts'
import { paydesk } from '../../kit/paydesk.ts'
import { beneficiaryIban } from '../../kit/payment.ts'
import { addProfile, newScene, payload } from './scene.ts'

const scene = newScene()
const { home, privateKey, publicKey, put, pair } = scene
const seal = (...argv: string[]) => paydesk(['envelope', 'seal', ...argv], { home, stdin: payload })
const reopened = (sealed: string) => open(readEnvelope(sealed).envelope, { key: pair.privateKey, scheme: 'any' })

describe('envelope seal', () => {
  test.each(schemes)('%s: JSON and query, in words and as JSON, open to the exact text', async (scheme) => {
    const argv = ['--public-key', publicKey, '--scheme', scheme]
    const names = schemeFacts[scheme].aes
      ? ['identifier', 'encryptedData', 'encryptedKeys', 'aes']
      : ['identifier', 'encryptedData']
    for (const form of [[], ['--json']]) {
      const json = await seal(...argv, '--identifier', 'acme', ...form)
      expect([json.code, json.stderr]).toEqual([0, ''])
      expect(Object.keys(json.json)).toEqual(names)
      expect(await reopened(json.stdout)).toBe(payload)
    }
    const query = await seal(...argv, '--layout', 'query')
    expect(query.stdout).toMatch(/^encryptedData=[\w%]+(&encryptedKeys=[\w%]+&aes=true)?\n$/)
    expect(await reopened(query.stdout)).toBe(payload)
    const inJson = await seal(...argv, '--layout', 'query', '--json')
    expect(await reopened(String(inJson.json.query))).toBe(payload)
  })

  test('the text comes from a file too, and is sealed to the letter', async () => {
    const file = put('order.json', ' {"a" : 1.50}\n')
    const { stdout } = await seal('--public-key', publicKey, '--file', file)
    expect(await reopened(stdout)).toBe(' {"a" : 1.50}\n')
  })

  test('key, scheme and identifier come from the profile', async () => {
    const id = '3f0e7c1a-5b7e-4c53-9a40-0d6f0a1b2c3d'
    const keys = ['--service-public-key', publicKey, '--rsa-padding', 'pkcs1', '--integrator-id', id]
    expect(await paydesk(addProfile('acme', ...keys), { home })).toMatchObject({ code: 0 })
    const sealed = await seal('-p', 'acme')
    expect(sealed.json).toMatchObject({ identifier: id, aes: true })
    const opening = { key: pair.privateKey, scheme: 'pkcs1' } as const
    expect(await open(readEnvelope(sealed.stdout).envelope, opening)).toBe(payload)
    const other = await seal('-p', 'acme', '--scheme', 'oaep-sha256', '--identifier', 'x')
    expect(other.json.identifier).toBe('x')
  })

  test('--as with --check looks at the payload with the rules of the contract', async () => {
    const fine = { amount: 12.5, currency: 'GEL', description: 'Salary', toIban: beneficiaryIban }
    const uniqueId = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'
    const check = (body: unknown) =>
      paydesk(['envelope', 'seal', '--public-key', publicKey, '--as', 'payout.create', '--check'], {
        home,
        stdin: JSON.stringify(body),
      })
    expect(await check({ ...fine, uniqueId })).toMatchObject({ code: 0, stderr: '' })
    const broken = await check({ ...fine, uniqueId, amount: '12.50', currency: 'LARI', tip: 1 })
    expect(broken).toMatchObject({ code: 2, stdout: '' })
    for (const word of ['amount must stand as a number', 'currency', 'tip ', 'Nothing was sealed']) {
      expect(broken.stderr).toContain(word)
    }
    expect((await check([])).stderr).toContain('must be a JSON object')
  })
})

describe('envelope seal refuses, with nothing on stdout', () => {
  const long = JSON.stringify('x'.repeat(300))
  const cases: readonly (readonly [string, string[], number, RegExp, string?])[] = [
    [
      'an unknown operation',
      ['--public-key', publicKey, '--as', 'order.crate', '--check'],
      2,
      /no operation .*order.crate.*payout.create/,
    ],
    ['--check without --as', ['--public-key', publicKey, '--check'], 2, /--as/],
    ['what is no JSON', ['--public-key', publicKey], 2, /payload is no JSON/, 'amount=1'],
    [
      'too long for a block',
      ['--public-key', publicKey, '--scheme', 'rsa-pkcs1'],
      2,
      /302 bytes.*2048 bit.*room for 245[\s\S]*AES scheme/,
      long,
    ],
    [
      'AES in one field',
      ['--public-key', publicKey, '--layout', 'one-field'],
      2,
      /one-field does not go with --scheme oaep-sha256/,
    ],
    [
      'a block in four fields',
      ['--public-key', publicKey, '--scheme', 'rsa-pkcs1', '--layout', 'four-fields'],
      2,
      /four-fields does not go with/,
    ],
    ['a private key', ['--public-key', privateKey], 4, /private key where a public one belongs/],
    ['a key that is not there', ['--public-key', `${home}/none`], 4, /none cannot be read: it does not exist/],
    ['no key and no profile', [], 4, /no profile was named[\s\S]*--public-key <file>/],
    [
      'a profile without one',
      ['-p', 'keyless'],
      4,
      /profile keyless has no service public key[\s\S]*profile add keyless --service-public-key/,
    ],
    ['the sandbox', ['-p', 'sandbox'], 4, /the sandbox has no key files/],
    [
      'a file that is not there',
      ['--public-key', publicKey, '--file', `${home}/none.json`],
      2,
      /none.json cannot be read/,
    ],
    ['an unknown scheme', ['--public-key', publicKey, '--scheme', 'rot13'], 2, /--scheme/],
  ]

  const named = cases.map(([what, argv, code, words, stdin = payload]) => ({ what, argv, code, words, stdin }))

  test.each(named)('$what', async ({ argv, code, words, stdin }) => {
    await paydesk(addProfile('keyless'), { home })
    for (const form of [[], ['--json']]) {
      const ended = await paydesk(['envelope', 'seal', ...argv, ...form], { home, stdin })
      expect([ended.code, ended.stdout]).toEqual([code, ''])
      expect(ended.stderr.replace(/\n\s*/g, ' ')).toMatch(words)
      if (form.length > 0) expect(ended.error).toMatchObject({ exit: code, moneyMoved: 'no' })
    }
  })

  test('at a terminal where nobody may be asked there is nothing to read', async () => {
    const argv = ['envelope', 'seal', '--public-key', publicKey, '--no-input']
    expect(await paydesk(argv, { home, terminal: true })).toMatchObject({ code: 2, stdout: '' })
  })
})
