import type { KeyObject } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readEnvelope } from '../../../src/lib/envelope/diagnose/inspect.ts'
import { open } from '../../../src/lib/envelope/envelope.ts'
import { writeKey } from '../../../src/lib/envelope/key.ts'
import { schemeFacts, schemes } from '../../../src/lib/envelope/scheme.ts'
import { addProfile, newPair, newScene, payload } from '../../kit/envelope.ts'
import { cachedPairs, withKeyPairs } from '../../kit/key-pairs.ts'
import { beneficiaryIban } from '../../kit/payment.ts'
import { newHome, paydesk, succeeds } from '../../kit/program.ts'

const scene = newScene()
const { home, privateKey, publicKey, put, pair } = scene
const seal = (...argv: string[]) => paydesk(['envelope', 'seal', ...argv], { home, stdin: payload })
const reopened = (sealed: string) => open(readEnvelope(sealed).envelope, { key: pair.privateKey, scheme: 'any' })

test.each(schemes)(
  'envelope seal --scheme %s: JSON and query, as text or not, open to the exact text',
  async (scheme) => {
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
  },
)

test('envelope seal --file: the text is sealed to the letter', async () => {
  const file = put('order.json', ' {"a" : 1.50}\n')
  const { stdout } = await seal('--public-key', publicKey, '--file', file)
  expect(await reopened(stdout)).toBe(' {"a" : 1.50}\n')
})

test('envelope seal -p: key, scheme and identifier come from the profile, and flags win', async () => {
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

test('envelope seal --as --check: a payload that breaks the contract is refused (2) with every violation', async () => {
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
  for (const word of ['amount must be a number', 'currency', 'tip ', 'Nothing was sealed']) {
    expect(broken.stderr).toContain(word)
  }
  expect((await check([])).stderr).toContain('must be a JSON object')
})

describe('envelope seal --as order.create --check', () => {
  const id = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'
  const order = {
    ...{ amount: 12.5, receiverId: id, receiverType: 'BRANCH', integratorId: id, integratorOrderId: id },
    ...{ directLinkProvider: 'BOG', saveCard: true },
  }
  const check = (body: unknown, ...more: string[]) =>
    paydesk(['envelope', 'seal', '--public-key', publicKey, '--as', 'order.create', '--check', ...more], {
      home,
      stdin: JSON.stringify(body),
    })
  const split = (amount: unknown) => ({
    ...order,
    splitDetails: [
      { receiverType: 'BRANCH', receiverIdentifier: id, amount: 10 },
      { receiverType: 'IBAN', receiverIdentifier: beneficiaryIban, amount },
    ],
  })

  test('envelope seal --as order.create --check: orders that keep every rule are sealed (0)', async () => {
    for (const fine of [order, split(2.5), { ...order, tipReceiverId: null }]) {
      expect(await check(fine), JSON.stringify(fine)).toMatchObject({ code: 0, stderr: '' })
    }
  })
})

const walletId = '5c2f7a10-2222-4a11-8c11-000000000201'
const integratorId = '5c2f7a10-1111-4a11-8c11-000000000101'
const wallet = newPair()
const openWith = (sealed: string, key: KeyObject) => open(readEnvelope(sealed).envelope, { key, scheme: 'any' })

test('envelope seal --as wallet.create: key and identifier are those of the wallet, and of the orders otherwise', async () => {
  const walletKey = put('wallet.pub', writeKey(wallet.publicKey, 'pem'))
  const own = ['--integrator-id', integratorId, '--service-public-key', publicKey]
  const others = ['--wallet-identifier', walletId, '--wallet-service-public-key', walletKey]
  await paydesk(addProfile('two', ...own, ...others), { home })
  const ofWallet = await seal('-p', 'two', '--as', 'wallet.create')
  expect(Object.keys(ofWallet.json)).toEqual(['identifier', 'encryptedData'])
  expect(ofWallet.json.identifier).toBe(walletId)
  expect(await openWith(ofWallet.stdout, wallet.privateKey)).toBe(payload)
  for (const as of [[], ['--as', 'order.create'], ['--as', 'card.get']]) {
    const ofOrders = await seal('-p', 'two', ...as)
    expect(ofOrders.json).toMatchObject({ identifier: integratorId, aes: true })
    expect(await openWith(ofOrders.stdout, pair.privateKey)).toBe(payload)
  }
})

test('envelope seal --as wallet.create: a profile without a wallet key uses that of the orders', async () => {
  const own = ['--integrator-id', integratorId, '--service-public-key', publicKey, '--wallet-scheme', 'aes']
  await paydesk(addProfile('one', ...own, '--rsa-padding', 'pkcs1'), { home })
  const sealed = await seal('-p', 'one', '--as', 'wallet.create')
  expect(sealed.json).toMatchObject({ identifier: integratorId, aes: true })
  expect(await openWith(sealed.stdout, pair.privateKey)).toBe(payload)
})

test('envelope seal -p sandbox: orders, wallet and old integrators have their own identifier and layout; no wallet is 4', async () => {
  const around = { home: newHome(), stdin: payload, random: withKeyPairs() }
  const by = (...argv: string[]) => paydesk(['envelope', 'seal', ...argv], around)
  const sealed = [
    [await by('-p', 'sandbox'), '5a9db0c0-0101-4a11-8c11-000000000101', 4],
    [await by('-p', 'sandbox', '--as', 'wallet.create'), '5a9db0c0-0201-4a11-8c11-000000000201', 2],
    [await by('-p', 'sandbox-legacy'), '5a9db0c0-0105-4a11-8c11-000000000105', 2],
  ] as const
  for (const [ended, identifier, members] of sealed) {
    expect(ended.code, ended.stderr).toBe(0)
    expect(ended.json.identifier).toBe(identifier)
    expect(Object.keys(ended.json)).toHaveLength(members)
  }
  expect(await by('-p', 'sandbox-bare', '--as', 'wallet.create')).toMatchObject({ code: 4, stdout: '' })
})

test('envelope seal -p sandbox-bare: a request is sealed to the service, whose key opens it, and the own key does not (4)', async () => {
  const around = { home: newHome(), stdin: payload, random: cachedPairs }
  const sealed = await succeeds(paydesk(['envelope', 'seal', '-p', 'sandbox-bare'], around))
  const open = (argv: string[]) => paydesk(['envelope', 'open', ...argv], { ...around, stdin: sealed.stdout })
  expect(await open(['-p', 'sandbox-bare'])).toMatchObject({ code: 0, stdout: payload })
  const keys = join(around.home, 'keys')
  await paydesk(['sandbox', 'world', '--keys', keys], around)
  expect(await open(['--private-key', join(keys, 'sandbox-bare.private.pem')])).toMatchObject({ code: 4, stdout: '' })
})

const long = JSON.stringify('x'.repeat(300))
const cases: readonly (readonly [string, string[], number, RegExp, string?])[] = [
  [
    'an unknown operation',
    ['--public-key', publicKey, '--as', 'order.crate', '--check'],
    2,
    /no operation .*order.crate.*payout.create/,
  ],
  ['--check without --as', ['--public-key', publicKey, '--check'], 2, /--as/],
  ['a payload that is no JSON', ['--public-key', publicKey], 2, /payload is not JSON/, 'amount=1'],
  [
    'a payload too long for one block',
    ['--public-key', publicKey, '--scheme', 'rsa-pkcs1'],
    2,
    /302 bytes.*2048 bit.*room for 245[\s\S]*AES scheme/,
    long,
  ],
  [
    'AES in one field',
    ['--public-key', publicKey, '--layout', 'one-field'],
    2,
    /--scheme oaep-sha256 has no layout one-field/,
  ],
  [
    'a block in four fields',
    ['--public-key', publicKey, '--scheme', 'rsa-pkcs1', '--layout', 'four-fields'],
    2,
    /has no layout four-fields/,
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
  ['a client of payouts alone', ['-p', 'sandbox-receiver'], 4, /built-in profile sandbox-receiver has no orders/],
  [
    'a file that is not there',
    ['--public-key', publicKey, '--file', `${home}/none.json`],
    2,
    /none.json cannot be read/,
  ],
  ['an unknown scheme', ['--public-key', publicKey, '--scheme', 'rot13'], 2, /--scheme/],
]

const named = cases.map(([what, argv, code, words, stdin = payload]) => ({ what, argv, code, words, stdin }))

test.each(named)('envelope seal with $what fails, and stdout is empty', async ({ argv, code, words, stdin }) => {
  await paydesk(addProfile('keyless'), { home })
  for (const form of [[], ['--json']]) {
    const ended = await paydesk(['envelope', 'seal', ...argv, ...form], { home, stdin })
    expect([ended.code, ended.stdout]).toEqual([code, ''])
    expect(ended.stderr.replace(/\n\s*/g, ' ')).toMatch(words)
    if (form.length > 0) expect(ended.error).toMatchObject({ exit: code, moneyMoved: 'no' })
  }
})

test('envelope seal at a terminal: with --no-input there is nothing to read (2)', async () => {
  const argv = ['envelope', 'seal', '--public-key', publicKey, '--no-input']
  expect(await paydesk(argv, { home, terminal: true })).toMatchObject({ code: 2, stdout: '' })
})
