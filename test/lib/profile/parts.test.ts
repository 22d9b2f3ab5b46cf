import { expect, test } from 'vitest'
import { operations } from '../../../src/lib/contract/operations.ts'
import { identityOf, partOf, partsOf, serviceAddress } from '../../../src/lib/profile/parts.ts'
import type { StoredProfile } from '../../../src/lib/profile/stored.ts'

const base = 'https://pay.example.com'
const clientId = '3f0e2a53-7b7c-4a5e-9d53-0f1b8a6f2c11'
const integratorId = '5c2f7a10-1111-4a11-8c11-000000000101'

function stored(more: Partial<StoredProfile> = {}): StoredProfile {
  return { name: 'acme', baseUrl: base, environment: 'test', allowRestricted: false, ...more }
}

test('every operation belongs to a part', () => {
  const parts = new Map(operations.map((operation) => [operation.name, partOf(operation)]))
  expect(parts.get('payout.create')).toBe('payouts')
  expect(parts.get('order.create')).toBe('orders')
  expect(parts.get('card.get')).toBe('orders')
  expect(parts.get('wallet.finalize')).toBe('wallet')
  expect([...parts.values()]).not.toContain(undefined)
})

test('each part may have an address of its own; the wallet is where the orders are, else at the base', () => {
  const ordersUrl = 'https://orders.example.com'
  const walletUrl = 'https://wallet.example.com'
  const distributorUrl = 'https://payouts.example.com'
  const all = (profile: StoredProfile) =>
    (['payouts', 'orders', 'wallet'] as const).map((part) => serviceAddress(profile, part))
  expect(all(stored())).toEqual([base, base, base])
  expect(all(stored({ distributorUrl }))).toEqual([distributorUrl, base, base])
  expect(all(stored({ ordersUrl }))).toEqual([base, ordersUrl, ordersUrl])
  expect(all(stored({ walletUrl }))).toEqual([base, base, walletUrl])
  expect(all(stored({ distributorUrl, ordersUrl, walletUrl }))).toEqual([distributorUrl, ordersUrl, walletUrl])
})

test('the wallet knows the integrator of the orders, unless it has an identifier of its own', () => {
  const all = (profile: StoredProfile) =>
    (['payouts', 'orders', 'wallet'] as const).map((part) => identityOf(profile, part))
  expect(all(stored())).toEqual([undefined, undefined, undefined])
  expect(all(stored({ clientId }))).toEqual([clientId, undefined, undefined])
  expect(all(stored({ integratorId }))).toEqual([undefined, integratorId, integratorId])
  expect(all(stored({ integratorId, walletIdentifier: 'w' }))).toEqual([undefined, integratorId, 'w'])
  expect(all(stored({ walletIdentifier: 'w' }))).toEqual([undefined, undefined, 'w'])
})

test('a profile has the parts that it says something of', () => {
  expect(partsOf(stored())).toEqual([])
  expect(partsOf(stored({ clientId }))).toEqual(['payouts'])
  expect(partsOf(stored({ clientId, integratorId, walletIdentifier: 'w' }))).toEqual(['payouts', 'orders', 'wallet'])
  expect(partsOf(stored({ walletIdentifier: 'w' }))).toEqual(['wallet'])
})

test('an integrator of orders has no wallet until the profile says something of one', () => {
  expect(partsOf(stored({ integratorId }))).toEqual(['orders'])
  const sayings: readonly Parameters<typeof stored>[0][] = [
    { walletScheme: 'aes' },
    { walletUrl: base },
    { walletPrivateKeyFile: '/k' },
    { walletServicePublicKeyFile: '/k' },
  ]
  for (const said of sayings) {
    expect(partsOf(stored({ integratorId, ...said }))).toEqual(['orders', 'wallet'])
    expect(partsOf(stored(said)), 'without an identity it is none').toEqual([])
  }
})
