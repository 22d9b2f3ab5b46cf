import { rmSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { fingerprint } from '../../../../src/lib/envelope/key.ts'
import { Failure } from '../../../../src/lib/failure.ts'
import { schemeFor, sealOf } from '../../../../src/lib/profile/settings/seal.ts'
import type { StoredProfile } from '../../../../src/lib/profile/settings/stored.ts'
import { drawer, put } from '../../../kit/profile/desk-drawer.ts'
import { keys } from '../../../kit/profile/keys.ts'

const integratorId = '5c2f7a10-1111-4a11-8c11-000000000101'

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

function refusal(profile: StoredProfile, part: 'orders' | 'wallet', env = {}) {
  try {
    sealOf(profile, part, env)
  } catch (error) {
    if (error instanceof Failure) return error
  }
  throw new Error('it was not refused')
}

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

describe('a missing setting is named with its flag', () => {
  test.each([
    [
      'orders',
      {},
      'identity, public key of the service and private key, which orders need',
      ['--integrator-id <uuid>', '--service-public-key <file>', '--private-key <file>'],
    ],
    [
      'orders',
      { integratorId },
      'public key of the service and private key, which orders need',
      ['--service-public-key <file>', '--private-key <file>'],
    ],
    [
      'wallet',
      { walletIdentifier: 'w' },
      'public key of the service and private key, which wallet need',
      ['--service-public-key <file>', '--private-key <file>'],
    ],
    ['wallet', {}, 'identity, public key of the service and private key', ['--wallet-identifier <uuid>']],
  ] as const)('%s of %j', (part, more, words, flags) => {
    const failure = refusal(stored(more), part)
    expect(failure).toMatchObject({
      kind: 'credentials',
      message: expect.stringContaining(`profile acme has no ${words}`),
    })
    for (const flag of flags) expect(failure.toLine().error.hints[0]).toContain(flag)
  })

  test('one thing alone', () => {
    const { servicePublicKeyFile, privateKeyFile } = files()
    expect(refusal(stored({ servicePublicKeyFile, privateKeyFile }), 'orders').message).toBe(
      'profile acme has no identity, which orders need',
    )
    expect(refusal(stored({ integratorId, servicePublicKeyFile }), 'orders').message).toBe(
      'profile acme has no private key, which orders need',
    )
    expect(refusal(stored({ integratorId, privateKeyFile }), 'orders').message).toBe(
      'profile acme has no public key of the service, which orders need',
    )
  })
})

describe('a key that cannot serve is refused by its name', () => {
  test('a private key where the public one belongs', () => {
    const { privateKeyFile } = files()
    const failure = refusal(stored({ integratorId, privateKeyFile, servicePublicKeyFile: privateKeyFile }), 'orders')
    expect(failure.kind).toBe('credentials')
    expect(failure.message).toContain(`${privateKeyFile} is a private key where a public one belongs`)
  })

  test('a public key where the private one belongs', () => {
    const { servicePublicKeyFile } = files()
    const profile = stored({ integratorId, servicePublicKeyFile, privateKeyFile: servicePublicKeyFile })
    expect(refusal(profile, 'orders').message).toContain(`${servicePublicKeyFile} is a public key`)
  })

  test('a file that is gone, in the profile and in the variable', () => {
    const { servicePublicKeyFile, privateKeyFile } = files()
    const profile = stored({ integratorId, servicePublicKeyFile, privateKeyFile })
    rmSync(privateKeyFile)
    expect(refusal(profile, 'orders').message).toBe(`${privateKeyFile} cannot be read: it does not exist`)
    const env = { PAYDESK_PRIVATE_KEY_FILE: '/nowhere/key' }
    expect(refusal(profile, 'orders', env).message).toBe('/nowhere/key cannot be read: it does not exist')
  })

  test('a file that is no key', () => {
    const { servicePublicKeyFile } = files()
    const nonsense = put(drawer(), 'own.key', 'hello')
    const failure = refusal(stored({ integratorId, servicePublicKeyFile, privateKeyFile: nonsense }), 'orders')
    expect(failure).toMatchObject({ kind: 'credentials', message: expect.stringContaining(nonsense) })
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
