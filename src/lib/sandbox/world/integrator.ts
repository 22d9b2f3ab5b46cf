/**
 * The integrators of areas B, C and D. They are fixed, not rows: a world made by an older release has them at once. New with
 * every world are their keys.
 */
import { orderLimits, usualCommissionType } from '../../contract/assumed.ts'
import { type Permission, permissionNames } from '../../contract/core/permission.ts'
import type { OrderType } from '../../contract/operation.ts'
import type { Scheme } from '../../envelope/scheme.ts'

/** The integrator's configuration: it fills in for an order that names no address, language or currency. */
export interface Defaults {
  readonly successRedirectUri: string
  readonly failRedirectUri: string
  readonly callbackUri: string
  readonly acquiringCurrency: string
  readonly distributionCurrency: string
  readonly commissionType: string
}

/** The senders of envelopes, and how these are sealed. */
export interface Sealer {
  readonly name: string
  readonly identifier: string
  readonly scheme: Scheme
  /** Of their own keys, and of the service's for them. */
  readonly bits: 2048 | 4096
  /** The owner of the keys, in the store. */
  readonly owner: string
}

export interface Integrator extends Sealer {
  readonly orderType: OrderType
  readonly permissions: readonly Permission[]
  /** The smallest and the largest order, as decimal text. */
  readonly orderLimits: { readonly minimum: string; readonly maximum: string }
  readonly defaults: Defaults
}

const usualDefaults: Defaults = {
  // Names that never resolve (RFC 2606): no host on the internet hears of a sandbox's payer.
  successRedirectUri: 'https://shop.example/paid',
  failRedirectUri: 'https://shop.example/not-paid',
  callbackUri: 'https://shop.example/callback',
  acquiringCurrency: 'GEL',
  distributionCurrency: 'GEL',
  commissionType: usualCommissionType,
}

/** Everything that orders know of; the others belong to payouts. */
const everyPermission = permissionNames.filter((name) => name !== 'debtor' && name !== 'fromIban')

type Plan = Partial<Pick<Integrator, 'scheme' | 'bits' | 'orderType' | 'permissions' | 'orderLimits'>> & {
  readonly defaults?: Partial<Defaults>
}

function integrator(name: string, number: string, plan: Plan = {}): Integrator {
  const { scheme = 'oaep-sha256', orderType = 'DEFAULT', permissions = everyPermission, defaults } = plan
  return {
    name,
    identifier: `5a9db0c0-0${number}-4a11-8c11-000000000${number}`,
    scheme,
    // One block must hold the whole payload: 501 bytes at 4096 bits.
    bits: plan.bits ?? (scheme.startsWith('rsa-') ? 4096 : 2048),
    owner: `integrator ${name}`,
    orderType,
    permissions,
    orderLimits: plan.orderLimits ?? orderLimits,
    defaults: { ...usualDefaults, ...defaults },
  }
}

const budget: readonly Permission[] = ['create', 'validUntil', 'redirect', 'callback', 'refund']

export const integrators: readonly Integrator[] = [
  integrator('sandbox', '101'),
  integrator('sandbox-bare', '102', { permissions: ['create'], orderLimits: { minimum: '1', maximum: '1000' } }),
  integrator('sandbox-closed', '107', { permissions: [] }),
  integrator('sandbox-treasury', '103', {
    orderType: 'TREASURY',
    permissions: budget,
    defaults: { commissionType: 'SENDER' },
  }),
  integrator('sandbox-traffic-fine', '104', {
    orderType: 'TRAFFIC_FINE',
    permissions: budget,
    defaults: { commissionType: 'SENDER' },
  }),
  integrator('sandbox-legacy', '105', { scheme: 'rsa-pkcs1' }),
  integrator('sandbox-pkcs1', '106', { scheme: 'pkcs1' }),
  // Keys as most integrators are given them (service.md#public-clients).
  integrator('sandbox-4096', '108', { bits: 4096 }),
]

export const walletIntegrators: readonly Sealer[] = [
  {
    name: 'sandbox',
    identifier: '5a9db0c0-0201-4a11-8c11-000000000201',
    scheme: 'rsa-pkcs1',
    bits: 4096,
    owner: 'wallet sandbox',
  },
]

function withIdentifier<Kind extends Sealer>(all: readonly Kind[], identifier: unknown): Kind | null {
  // UUIDs are the same in capitals.
  const sought = String(identifier).trim().toLowerCase()
  return all.find((each) => each.identifier === sought) ?? null
}

export const integratorOf = (identifier: unknown) => withIdentifier(integrators, identifier)
export const walletIntegratorOf = (identifier: unknown) => withIdentifier(walletIntegrators, identifier)
