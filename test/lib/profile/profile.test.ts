import { readFileSync, rmSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { fingerprint } from '../../../src/lib/envelope/key.ts'
import { Failure } from '../../../src/lib/failure.ts'
import { resolveProfile, schemeFor, sealOf } from '../../../src/lib/profile/profile.ts'
import type { GivenSettings } from '../../../src/lib/profile/settings.ts'
import type { StoredProfile } from '../../../src/lib/profile/stored.ts'
import { add, clientId, drawer, fixture, keys, plainGiven, put } from '../../kit/profile.ts'

const payouts: GivenSettings = { ...plainGiven, 'client-id': clientId }
const integratorId = '5c2f7a10-1111-4a11-8c11-000000000101'

async function resolved(given: GivenSettings, env: Record<string, string> = {}) {
  const { profile } = await add(drawer(), 'acme', { ...payouts, 'client-secret-env': 'PAY', ...given })
  return resolveProfile(profile, env, 'payouts')
}

/** A profile of orders with keys in files. */
async function orders(given: GivenSettings = {}) {
  const directory = drawer()
  const { profile } = await add(directory, 'acme', {
    ...plainGiven,
    'integrator-id': integratorId,
    'service-public-key': put(directory, 'service.pub', keys.service.pub),
    'private-key': put(directory, 'own.key', keys.own.key),
    ...given,
  })
  return profile
}

test('payouts go to the base URL, or to the one of their own', async () => {
  const shared = await resolved({ 'base-url': 'https://Pay.Example.com/prefix/' })
  expect(shared).toMatchObject({ service: 'https://pay.example.com/prefix', baseUrl: 'https://pay.example.com/prefix' })
  const own = await resolved({ 'distributor-url': 'https://payouts.example.com/' })
  expect(own).toMatchObject({ service: 'https://payouts.example.com', baseUrl: 'https://payouts.example.com' })
})

test('the duplicate guard refuses on live and warns on test, unless the profile says otherwise', async () => {
  expect((await resolved({ environment: 'live' })).duplicateGuard).toBe('refuse')
  expect((await resolved({})).duplicateGuard).toBe('warn')
  expect((await resolved({ environment: 'live', 'duplicate-guard': 'off' })).duplicateGuard).toBe('off')
})

test('orders have the integrator id, an address of their own, keys, and need no secret', async () => {
  const stored = await orders({ 'orders-url': 'https://pay.example.com/ecommerce-service/', 'order-type': 'TREASURY' })
  const ready = await resolveProfile(stored, {}, 'orders')
  expect(ready).toMatchObject({
    part: 'orders',
    clientId: integratorId,
    service: 'https://pay.example.com/ecommerce-service',
    baseUrl: 'https://pay.example.com/ecommerce-service',
    orderType: 'TREASURY',
    seal: { identifier: integratorId, scheme: 'oaep-sha256' },
  })
  expect(ready.seal?.own).toHaveLength(1)
  await expect(resolveProfile(stored, {}, 'payouts')).rejects.toMatchObject({
    kind: 'credentials',
    message: 'profile acme has no client id, which payouts need',
  })
})

test('the wallet lives where the orders live, as the same integrator, unless it is told otherwise', async () => {
  const borrowed = await resolveProfile(await orders({ 'orders-url': 'https://orders.example.com' }), {}, 'wallet')
  expect(borrowed).toMatchObject({
    part: 'wallet',
    clientId: integratorId,
    service: 'https://orders.example.com',
    seal: { identifier: integratorId, scheme: 'rsa-pkcs1' },
  })
  const walletIdentifier = '5c2f7a10-2222-4a11-8c11-000000000202'
  const own = {
    'wallet-url': 'https://wallet.example.com',
    'wallet-identifier': walletIdentifier,
    'wallet-scheme': 'aes',
  }
  const ready = await resolveProfile(await orders({ 'orders-url': 'https://orders.example.com', ...own }), {}, 'wallet')
  expect(ready).toMatchObject({
    clientId: walletIdentifier,
    service: 'https://wallet.example.com',
    seal: { identifier: walletIdentifier, scheme: 'oaep-sha256' },
  })
})

test('the secret is fetched when it is asked for and not before', async () => {
  const directory = drawer()
  const path = put(directory, 'secret', 's3cret\n')
  const { profile } = await add(directory, 'acme', { ...payouts, 'client-secret-file': path })
  const ready = await resolveProfile(profile, {}, 'payouts')
  expect(await ready.clientSecret()).toBe('s3cret')
  expect(JSON.stringify(ready)).not.toContain('s3cret')
  rmSync(path)
  await expect(ready.clientSecret()).rejects.toMatchObject({ kind: 'credentials' })
})

test('a profile without payouts names the flags of profile add that give them', async () => {
  const { profile: bare } = await add(drawer(), 'acme', plainGiven)
  const failure = await resolveProfile(bare, {}, 'payouts').catch((error) => error)
  expect(failure).toMatchObject({ exit: 4, message: 'profile acme has no client id, which payouts need' })
  expect(String(failure.toLine().error.hints)).toContain(
    'paydesk profile add acme --client-id <uuid> --client-secret-file',
  )
  const { profile } = await add(drawer(), 'acme', payouts)
  await expect(resolveProfile(profile, {}, 'payouts')).rejects.toThrow('no client secret')
  expect(await (await resolveProfile(profile, { PAYDESK_CLIENT_SECRET: 's' }, 'payouts')).clientSecret()).toBe('s')
})

test('certificates are read, and a file that is gone is said by its flag', async () => {
  const directory = drawer()
  const ca = put(directory, 'ca.pem', readFileSync(fixture('client.pem')))
  const certificates = { 'client-certificate-file': fixture('client.pem'), 'client-key-file': fixture('client.key') }
  const { profile } = await add(directory, 'a', {
    ...payouts,
    'client-secret-env': 'P',
    'ca-file': ca,
    ...certificates,
  })
  const { transport } = await resolveProfile(profile, {}, 'payouts')
  expect(transport.ca).toContain('BEGIN CERTIFICATE')
  expect(transport.clientCertificate).toEqual({
    cert: readFileSync(fixture('client.pem'), 'utf8'),
    key: readFileSync(fixture('client.key'), 'utf8'),
  })
  rmSync(ca)
  await expect(resolveProfile(profile, {}, 'payouts')).rejects.toMatchObject({
    kind: 'credentials',
    message: `--ca-file of profile a: ${ca} cannot be read: it does not exist`,
  })
})

function files() {
  const directory = drawer()
  return {
    servicePublicKeyFile: put(directory, 'service.pub', keys.service.pub),
    privateKeyFile: put(directory, 'own.key', keys.own.key),
    walletServicePublicKeyFile: put(directory, 'wallet.pub', keys.walletService.pub),
    walletPrivateKeyFile: put(directory, 'wallet.key', keys.wallet.key),
  }
}

function stored(more: Partial<StoredProfile>): StoredProfile {
  return { name: 'acme', baseUrl: 'https://pay.example.com', environment: 'test', allowRestricted: false, ...more }
}

type StoredMembers = Partial<StoredProfile>

function refusal(profile: StoredProfile, part: 'orders' | 'wallet', env = {}) {
  try {
    sealOf(profile, part, env)
  } catch (error) {
    if (error instanceof Failure) return error
  }
  throw new Error('it was not refused')
}

const { servicePublicKeyFile, privateKeyFile } = files()
const [serviceKey, privateKey] = [{ servicePublicKeyFile }, { privateKeyFile }]
const ownKeys = { ...serviceKey, ...privateKey }

describe('keys are those of the part', () => {
  const ofOrders = { service: keys.service.fingerprint, own: [keys.own.fingerprint] }
  const ofWallet = { service: keys.walletService.fingerprint, own: [keys.wallet.fingerprint] }
  const seen = (profile: StoredProfile, part: 'orders' | 'wallet', env = {}) => {
    const { toService, own } = sealOf(profile, part, env)
    return { service: fingerprint(toService), own: own.map(fingerprint) }
  }

  test('orders have theirs, whatever the wallet has', () => {
    expect(seen(stored({ integratorId, ...files() }), 'orders')).toEqual(ofOrders)
  })

  test('the wallet has its own, or each of them from the orders', () => {
    const { walletPrivateKeyFile, walletServicePublicKeyFile, ...orders } = files()
    const wallet = (more: Partial<StoredProfile>) => seen(stored({ integratorId, ...orders, ...more }), 'wallet')
    expect(wallet({ walletPrivateKeyFile, walletServicePublicKeyFile })).toEqual(ofWallet)
    expect(wallet({})).toEqual(ofOrders)
    expect(wallet({ walletPrivateKeyFile })).toEqual({ ...ofOrders, own: ofWallet.own })
    expect(wallet({ walletServicePublicKeyFile })).toEqual({ ...ofOrders, service: ofWallet.service })
  })

  test('a wallet alone needs nothing of the orders', () => {
    const { walletPrivateKeyFile, walletServicePublicKeyFile } = files()
    const alone = stored({ walletIdentifier: 'w', walletPrivateKeyFile, walletServicePublicKeyFile })
    expect(seen(alone, 'wallet')).toEqual(ofWallet)
    expect(sealOf(alone, 'wallet', {}).identifier).toBe('w')
  })

  test('PAYDESK_PRIVATE_KEY_FILE stands for the private key, but not for one that the wallet has of its own', () => {
    const { walletPrivateKeyFile, privateKeyFile, ...others } = files()
    const env = { PAYDESK_PRIVATE_KEY_FILE: walletPrivateKeyFile }
    expect(seen(stored({ integratorId, ...others, privateKeyFile }), 'orders', env).own).toEqual(ofWallet.own)
    expect(seen(stored({ integratorId, ...others }), 'orders', env).own).toEqual(ofWallet.own)
    expect(seen(stored({ integratorId, ...others }), 'wallet', env).own).toEqual(ofWallet.own)
    const otherWay = { PAYDESK_PRIVATE_KEY_FILE: privateKeyFile }
    expect(seen(stored({ integratorId, ...others, walletPrivateKeyFile }), 'wallet', otherWay).own).toEqual(
      ofWallet.own,
    )
    expect(
      seen(stored({ integratorId, ...others, privateKeyFile }), 'orders', { PAYDESK_PRIVATE_KEY_FILE: '' }).own,
    ).toEqual(ofOrders.own)
  })
})

const service = 'public key of the service'

test.each<[part: 'orders' | 'wallet', StoredMembers, words: string, flags: readonly string[]]>([
  ['orders', {}, `identity, ${service} and private key, which orders need`, ['--integrator-id', '--private-key']],
  ['orders', { integratorId }, `${service} and private key, which orders need`, ['--service-public-key <file>']],
  ['wallet', { walletIdentifier: 'w' }, `${service} and private key, which wallet need`, ['--service-public-key']],
  ['wallet', {}, `identity, ${service} and private key`, ['--wallet-identifier <uuid>']],
  ['orders', { ...ownKeys }, 'identity, which orders need', ['--integrator-id']],
  ['orders', { integratorId, ...serviceKey }, 'private key, which orders need', ['--private-key']],
  ['orders', { integratorId, ...privateKey }, `${service}, which orders need`, ['--service-public-key']],
])('a missing setting is named with its flag: %s of %j', (part, more, words, flags) => {
  const failure = refusal(stored(more), part)
  expect(failure).toMatchObject({
    kind: 'credentials',
    message: expect.stringContaining(`profile acme has no ${words}`),
  })
  for (const flag of flags) expect(failure.toLine().error.hints[0]).toContain(flag)
})

describe('a key that cannot serve is refused by its name', () => {
  test.each<[string, Partial<StoredProfile>, string]>([
    [
      'a private key as public one',
      { servicePublicKeyFile: privateKeyFile },
      `${privateKeyFile} is a private key where`,
    ],
    [
      'a public key as private one',
      { privateKeyFile: servicePublicKeyFile },
      `${servicePublicKeyFile} is a public key`,
    ],
    ['no key', { privateKeyFile: put(drawer(), 'own.key', 'hello') }, 'is no key'],
    ['a file that is gone', { privateKeyFile: '/nowhere/key' }, '/nowhere/key cannot be read: it does not exist'],
  ])('%s', (_what, wrong, words) => {
    const failure = refusal(stored({ integratorId, ...ownKeys, ...wrong }), 'orders')
    expect(failure).toMatchObject({ kind: 'credentials', message: expect.stringContaining(words) })
  })

  test('a file that is gone, in the variable', () => {
    const env = { PAYDESK_PRIVATE_KEY_FILE: '/nowhere/key' }
    const { message } = refusal(stored({ integratorId, ...ownKeys }), 'orders', env)
    expect(message).toBe('/nowhere/key cannot be read: it does not exist')
  })
})

test('the scheme: that of the profile, else OAEP for orders and one PKCS#1 block for the wallet', () => {
  expect(schemeFor({}, 'orders')).toBe('oaep-sha256')
  expect(schemeFor({ rsaPadding: 'pkcs1', walletScheme: 'rsa-oaep-sha256' }, 'orders')).toBe('pkcs1')
  expect(schemeFor({}, 'wallet')).toBe('rsa-pkcs1')
  expect(schemeFor({ walletScheme: 'rsa-oaep-sha256', rsaPadding: 'pkcs1' }, 'wallet')).toBe('rsa-oaep-sha256')
  expect(schemeFor({ walletScheme: 'aes' }, 'wallet')).toBe('oaep-sha256')
  expect(schemeFor({ walletScheme: 'aes', rsaPadding: 'oaep-sha256-mgf1-sha1' }, 'wallet')).toBe(
    'oaep-sha256-mgf1-sha1',
  )
})
