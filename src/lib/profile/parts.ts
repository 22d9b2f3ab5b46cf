import type { Area } from '../contract/operation.ts'
import { originOf } from '../contract/service.ts'
import { settings } from './settings.ts'
import type { StoredProfile } from './stored.ts'

/**
 * The parts of a profile: payouts (area A), orders with cards, subscriptions and users (B and D), the wallet (C). Each has an
 * address and an identity of its own, and a profile may hold any of them.
 */
export const parts = ['payouts', 'orders', 'wallet'] as const
export type Part = (typeof parts)[number]

const ofArea: Readonly<Record<Area, Part>> = { A: 'payouts', B: 'orders', C: 'wallet', D: 'orders' }

export function partOf({ area }: { readonly area: Area }): Part {
  return ofArea[area]
}

/**
 * The address of a part's requests. That of the wallet is not known for sure: its codes suggest that of the orders
 * (service.md#addresses).
 */
export function serviceAddress(stored: StoredProfile, part: Part): string {
  return stored[addressSetting(stored, part)] ?? stored.baseUrl
}

/** The setting that holds the address of a part. */
export function addressSetting({ distributorUrl, ordersUrl, walletUrl }: StoredProfile, part: Part) {
  if (part === 'payouts') return distributorUrl === undefined ? 'baseUrl' : 'distributorUrl'
  if (part === 'wallet' && walletUrl !== undefined) return 'walletUrl'
  return ordersUrl === undefined ? 'baseUrl' : 'ordersUrl'
}

/** The service's own name: given with its first address, kept when it moves. A profile of an earlier paydesk has none written down. */
export function serviceIdOf(stored: StoredProfile, part: Part): string {
  return stored.services?.[part] ?? originOf(serviceAddress(stored, part))
}

/** The identity of the integrator to a part; undefined where the profile does not say. */
export function identityOf(stored: StoredProfile, part: Part): string | undefined {
  if (part === 'payouts') return stored.clientId
  return (part === 'wallet' ? stored.walletIdentifier : undefined) ?? stored.integratorId
}

const ofWalletAlone = [
  'walletUrl',
  'walletScheme',
  'walletIdentifier',
  'walletServicePublicKeyFile',
  'walletPrivateKeyFile',
] as const

/**
 * The parts that a profile has. Settings that the wallet borrows from the orders do not make a wallet: integrators of orders
 * need not have one.
 */
export function partsOf(stored: StoredProfile): readonly Part[] {
  const wallet = ofWalletAlone.some((name) => stored[name] !== undefined)
  return parts.filter((part) => identityOf(stored, part) !== undefined && (part !== 'wallet' || wallet))
}

/** The flag of `profile add` that gives a part its identity. */
export const identityFlag: Readonly<Record<Part, string>> = {
  payouts: settings.clientId.flag,
  orders: settings.integratorId.flag,
  wallet: settings.walletIdentifier.flag,
}
