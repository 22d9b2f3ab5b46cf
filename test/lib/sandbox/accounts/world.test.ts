import { createPrivateKey, createPublicKey } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { permissionNames } from '../../../../src/lib/contract/core/permission.ts'
import { type Random, realRandom } from '../../../../src/lib/edge.ts'
import { writeJson } from '../../../../src/lib/json.ts'
import { cachedPairs } from '../../../kit/key-pairs.ts'
import { create, type Flags } from '../../../kit/payment.ts'
import { newHome, paydesk, succeeds } from '../../../kit/program.ts'
import { callers, toIban } from '../../../kit/sandbox/callers.ts'
import { integratorNamed } from '../../../kit/sandbox/integrator.ts'
import { fileSandbox, freshDirectory, handClock, memorySandbox, served } from '../../../kit/sandbox/stand.ts'
import { done, order, ordered, place } from '../../../kit/world.ts'

const debtor = {
  'debtor-name': 'Example LLC',
  'debtor-iban': 'GE29TB7777777777777777',
  'debtor-identity-number': '206322102',
}

describe('a client with everything', () => {
  const full = (home: string, more: Flags = {}) =>
    paydesk([...create({ profile: 'sandbox-full', ...more }), '--json'], { home })

  test.each([
    ['GEL', 'GE23SB1000000000000021', 1_000_000 - 12.57],
    ['USD', 'GE93SB1000000000000022', 250_000 - 12.57],
    ['EUR', 'GE66SB1000000000000023', 150_000 - 12.57],
  ])('pays by IBAN in %s, with debtor fields, from the account that it names', async (currency, account, left) => {
    const home = newHome()
    await succeeds(full(home, { currency, 'from-iban': account, ...debtor }))
    const balance = await paydesk(['payout', 'balance', '-p', 'sandbox-full', '--currency', currency, '--json'], {
      home,
    })
    expect(balance.json).toEqual([{ currency, amount: left, note: null }])
  })

  test('has a second account, and limits', async () => {
    const home = newHome()
    expect((await full(home, { 'from-iban': 'GE39SB1000000000000024' })).code).toBe(0)
    expect((await full(home, { amount: '100000.01' })).error).toMatchObject({ service: { statusCode: 5046 } })
    expect((await full(home, { amount: '0.01' })).error).toMatchObject({ service: { statusCode: 5045 } })
  })
})

test.each([
  ['more than it has', { amount: '20.01' }],
  ['all that it has: there is a commission', { amount: '20.00' }],
  ['the smallest payout from its second account', { amount: '0.02', 'from-iban': 'GE60SB1000000000000034' }],
])('a client with little money cannot pay %s (5038)', async (_, more: Flags) => {
  const home = newHome()
  const poor = (flags: Flags) => paydesk([...create({ profile: 'sandbox-poor', ...flags }), '--json'], { home })
  expect((await poor(more)).error).toMatchObject({ service: { statusCode: 5038 } })
  await succeeds(poor({ amount: '19.90', ...debtor }))
})

test('an integrator with OAEP and 4096-bit keys creates an order and reads it', async () => {
  const around = place()
  const id = await ordered(around, { profile: 'sandbox-4096' })
  const seen = await done(['order', 'status', id, '-p', 'sandbox-4096'], around)
  expect(seen.json).toMatchObject({ integratorOrderId: id, status: 'INITIAL' })
  const opened = await done(
    order({ profile: 'sandbox-4096', 'direct-link-provider': 'BOG', 'save-card': true }),
    around,
  )
  expect(opened.json.urlForQR).toMatch(/^http/)
})

const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const keyless: Random = {
  ...realRandom,
  rsaKeyPair: () => Promise.reject(new Error('nobody needs keys here')),
}

test('the world names its integrators: who may do what, and how they seal', async () => {
  const { integrators, walletIntegrators } = await (await memorySandbox()).wholeWorld()
  expect(integrators.map(({ name, orderType, scheme }) => [name, orderType, scheme])).toEqual([
    ['sandbox', 'DEFAULT', 'oaep-sha256'],
    ['sandbox-bare', 'DEFAULT', 'oaep-sha256'],
    ['sandbox-closed', 'DEFAULT', 'oaep-sha256'],
    ['sandbox-treasury', 'TREASURY', 'oaep-sha256'],
    ['sandbox-traffic-fine', 'TRAFFIC_FINE', 'oaep-sha256'],
    ['sandbox-legacy', 'DEFAULT', 'rsa-pkcs1'],
    ['sandbox-pkcs1', 'DEFAULT', 'pkcs1'],
    ['sandbox-4096', 'DEFAULT', 'oaep-sha256'],
  ])
  const ofOrders = permissionNames.filter((name) => name !== 'debtor' && name !== 'fromIban')
  expect(integrators[0]?.permissions).toEqual(ofOrders)
  expect(integrators[1]?.permissions).toEqual(['create'])
  expect(walletIntegrators).toMatchObject([{ name: 'sandbox', scheme: 'rsa-pkcs1' }])
})

test('every id is a UUID v4 of its own', async () => {
  const { integrators, walletIntegrators, receivers, distributorClients } = await (await memorySandbox()).wholeWorld()
  const ids = [
    ...distributorClients.map(({ clientId }) => clientId),
    ...integrators.map(({ integratorId }) => integratorId),
    ...walletIntegrators.map(({ identifier }) => identifier),
    ...receivers.map(({ receiverId }) => receiverId),
  ]
  for (const id of ids) expect(id).toMatch(uuid4)
  expect(new Set(ids).size).toBe(ids.length)
})

test('keys are pairs in one line of base64, of the size that the scheme needs; the service has one pair per size', async () => {
  const { integrators, walletIntegrators } = await (await memorySandbox()).wholeWorld()
  const service = new Map<number, string>()
  for (const { scheme, keyBits, publicKey, privateKey, servicePublicKey } of [...integrators, ...walletIntegrators]) {
    const der = (text: string) => Buffer.from(text, 'base64')
    const own = createPublicKey({ key: der(publicKey), format: 'der', type: 'spki' })
    const half = createPublicKey(createPrivateKey({ key: der(privateKey), format: 'der', type: 'pkcs8' }))
    expect(own.equals(half)).toBe(true)
    expect(own.asymmetricKeyDetails?.modulusLength).toBe(keyBits)
    if (scheme.startsWith('rsa-')) expect(keyBits).toBe(4096)
    for (const text of [publicKey, privateKey, servicePublicKey]) expect(text).toMatch(/^[A-Za-z0-9+/]+={0,2}$/)
    expect(servicePublicKey).toBe(service.get(keyBits) ?? servicePublicKey)
    service.set(keyBits, servicePublicKey)
  }
  expect(service.size).toBe(2)
})

test('cards are masked, QR addresses show whether they fix an amount, rates are exact', async () => {
  const { testCards, qrAddresses, rates, receivers } = await (await memorySandbox()).wholeWorld()
  for (const { cardMask, expirationDate } of testCards) {
    expect([cardMask, expirationDate]).toEqual([
      expect.stringMatching(/^\d{6}\*{5,6}\d{4}$/),
      expect.stringMatching(/^(0[1-9]|1[0-2])\/\d{2}$/),
    ])
  }
  expect(qrAddresses.map(({ amount }) => amount && String(amount))).toEqual([
    ...[null, null, '25.00', '7.50', null, '5.00', null, null, null],
  ])
  expect(writeJson(rates)).toBe('{"GEL":1.00,"USD":2.70,"EUR":3.00}')
  expect(receivers.some(({ name }) => /\p{Script=Georgian}/u.test(name))).toBe(true)
})

test('ids stay from world to world, keys do not', async () => {
  const sandbox = await memorySandbox(handClock(), realRandom)
  const before = await sandbox.integrator('sandbox')
  expect(await sandbox.integrator('sandbox')).toEqual(before)
  await sandbox.reset()
  const after = await sandbox.integrator('sandbox')
  expect(after?.integratorId).toBe(before?.integratorId)
  expect(after?.servicePublicKey).not.toBe(before?.servicePublicKey)
  expect(after?.privateKey).not.toBe(before?.privateKey)
})

test('other names are not known', async () => {
  const sandbox = await memorySandbox(handClock(), keyless)
  expect([await sandbox.integrator('nobody'), await sandbox.walletIntegrator('nobody')]).toEqual([null, null])
})

test('payouts, the world of payouts and the ledger never wait for a key', async () => {
  const sandbox = await memorySandbox(handClock(), keyless)
  const { byIban } = await callers(sandbox)
  expect((await byIban.create(toIban())).http).toBe(200)
  expect((await sandbox.ledger()).payouts).toHaveLength(1)
  await expect(sandbox.integrator('sandbox')).rejects.toThrow('nobody needs keys')
})

test('the slower of two throws away what it made', async () => {
  const directory = freshDirectory()
  const first = await fileSandbox(directory)
  const slow = await fileSandbox(directory, handClock(), {
    ...cachedPairs,
    rsaKeyPair: async (bits) => {
      await first.integrator('sandbox')
      return await cachedPairs.rsaKeyPair(bits)
    },
  })
  expect(await slow.integrator('sandbox')).toEqual(await first.integrator('sandbox'))
})

test('keys that were made stay when the sandbox is opened again, and open what was sealed to them', async () => {
  const directory = freshDirectory()
  const first = await fileSandbox(directory)
  const before = await integratorNamed(first, '')
  await first.close()
  const second = await fileSandbox(directory)
  const { url } = await served(second)
  const us = await integratorNamed(second, url)
  expect(us.party.toService.equals(before.party.toService)).toBe(true)
  expect(await us.create()).toMatchObject({ http: 200 })
})
