/**
 * The sandbox's built-in data: integrators, clients that pay out, receivers. Ids and IBANs are fixed, so that a script
 * written today runs in tomorrow's world; secrets and keys are new with every world.
 */
import {
  commissionPerMille,
  orderLimits,
  payoutLimits,
  receiverDailyLimit,
  usualBank,
  usualCommissionType,
  usualLanguage,
} from '../../contract/assumed.ts'
import { minorUnits } from '../../contract/core/decimal.ts'
import { ibanOf } from '../../contract/core/iban.ts'
import { type Permission, permissionNames } from '../../contract/core/permission.ts'
import type { OrderType } from '../../contract/operation.ts'
import type { Scheme } from '../../envelope/scheme.ts'
import { findRow } from '../../store/sandbox/rows.ts'
import type { SandboxReader } from '../../store/sandbox/schema.ts'

const usualDefaults = {
  // Names that never resolve (RFC 2606): no host on the internet hears of a sandbox's payer.
  successRedirectUri: 'https://shop.example/paid',
  failRedirectUri: 'https://shop.example/not-paid',
  callbackUri: 'https://shop.example/callback',
  acquiringCurrency: 'GEL',
  distributionCurrency: 'GEL',
  commissionType: usualCommissionType,
}

/** The senders of envelopes, and how these are sealed. */
export interface Sealer {
  readonly name: string
  readonly identifier: string
  readonly scheme: Scheme
  /** Of their own keys, and of the service's for them. */
  readonly bits: 2048 | 4096
  readonly owner: string
}

export interface Integrator extends Sealer {
  readonly orderType: OrderType
  readonly permissions: readonly Permission[]
  /** The smallest and the largest order, as decimal text. */
  readonly orderLimits: { readonly minimum: string; readonly maximum: string }
  /** It fills in for an order that names no address, language or currency. */
  readonly defaults: Readonly<typeof usualDefaults>
}

/** Everything that orders know of; the others belong to payouts. */
const everyPermission = permissionNames.filter((name) => name !== 'debtor' && name !== 'fromIban')

/** An id whose digits tell of what it is: receivers are 011 to 326, integrators 101 to 108. */
export const fixtureId = (number: string): string => `5a9db0c0-0${number}-4a11-8c11-000000000${number}`

function integrator(name: string, number: string, more: Partial<Integrator> = {}): Integrator {
  const { scheme = 'oaep-sha256' } = more
  return {
    ...{ name, identifier: fixtureId(number), scheme, owner: `integrator ${name}` },
    // One block must hold the whole payload: 501 bytes at 4096 bits.
    bits: scheme.startsWith('rsa-') ? 4096 : 2048,
    ...{ orderType: 'DEFAULT', permissions: everyPermission, orderLimits, defaults: usualDefaults },
    ...more,
  }
}

const payerBearsAll = { ...usualDefaults, commissionType: 'SENDER' }
const budget: readonly Permission[] = ['create', 'validUntil', 'redirect', 'callback', 'refund']

export const integrators: readonly Integrator[] = [
  integrator('sandbox', '101'),
  integrator('sandbox-bare', '102', { permissions: ['create'], orderLimits: { minimum: '1', maximum: '1000' } }),
  integrator('sandbox-closed', '107', { permissions: [] }),
  integrator('sandbox-treasury', '103', {
    orderType: 'TREASURY',
    permissions: budget,
    defaults: payerBearsAll,
  }),
  integrator('sandbox-traffic-fine', '104', {
    orderType: 'TRAFFIC_FINE',
    permissions: budget,
    defaults: payerBearsAll,
  }),
  integrator('sandbox-legacy', '105', { scheme: 'rsa-pkcs1' }),
  integrator('sandbox-pkcs1', '106', { scheme: 'pkcs1' }),
  // Keys as most integrators are given them (service.md#public-clients).
  integrator('sandbox-4096', '108', { bits: 4096 }),
]

export const walletIntegrators: readonly Sealer[] = [
  {
    name: 'sandbox',
    identifier: fixtureId('201'),
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

const units = (amount: string): bigint => minorUnits(amount) ?? 0n

interface Account {
  readonly iban: string
  readonly currency: string
  /** At the beginning of a world, in minor units. */
  readonly opening: number
  /** Debited when fromIban is not given. */
  readonly main: boolean
}

/** A client that pays out. Its secret is new with every world. */
export interface Client {
  readonly name: string
  readonly clientId: string
  readonly paysOutBy: 'iban' | 'receiver'
  readonly permissions: readonly Permission[]
  /** The first is that of a balance that is asked for without a currency. */
  readonly currencies: readonly string[]
  /** Of one payout. */
  readonly limits: { readonly minimum: string; readonly maximum: string } | null
  readonly commissionPerMille: number
  readonly accounts: readonly Account[]
}

const account = (iban: string, currency: string, balance: string, main = true): Account => ({
  ...{ iban, currency, opening: Number(units(balance)), main },
})

/** Of a client that pays out by IBAN and may do whatever there is. */
const everything = {
  paysOutBy: 'iban',
  permissions: ['debtor', 'fromIban'],
  currencies: ['GEL', 'USD', 'EUR'],
  limits: payoutLimits,
  commissionPerMille,
} as const

export const clients: readonly Client[] = [
  {
    ...{ ...everything, name: 'sandbox', clientId: fixtureId('001') },
    permissions: [],
    currencies: ['GEL', 'USD'],
    accounts: [
      // More than the largest payout, so that one just above the maximum is refused for that and not for the balance.
      account('GE78SB1000000000000001', 'GEL', '1000000.00'),
      account('GE51SB1000000000000002', 'USD', '250000.00'),
    ],
  },
  {
    ...{ ...everything, name: 'sandbox-receiver', clientId: fixtureId('002') },
    paysOutBy: 'receiver',
    limits: null,
    commissionPerMille: 0,
    accounts: [
      account('GE02SB1000000000000011', 'GEL', '500000.00'),
      account('GE72SB1000000000000012', 'USD', '100000.00'),
      account('GE45SB1000000000000013', 'EUR', '75000.00'),
      account('GE18SB1000000000000014', 'GEL', '20000.00', false),
    ],
  },
  {
    ...{ ...everything, name: 'sandbox-full', clientId: fixtureId('003') },
    accounts: [
      account('GE23SB1000000000000021', 'GEL', '1000000.00'),
      account('GE93SB1000000000000022', 'USD', '250000.00'),
      account('GE66SB1000000000000023', 'EUR', '150000.00'),
      account('GE39SB1000000000000024', 'GEL', '20000.00', false),
    ],
  },
  {
    ...{ ...everything, name: 'sandbox-poor', clientId: fixtureId('004') },
    accounts: [
      account('GE44SB1000000000000031', 'GEL', '20.00'),
      account('GE17SB1000000000000032', 'USD', '5.00'),
      account('GE87SB1000000000000033', 'EUR', '2.00'),
      // Less than the smallest payout and its commission.
      account('GE60SB1000000000000034', 'GEL', '0.02', false),
    ],
  },
]

export function clientOf(clientId: string): Client | null {
  return clients.find((each) => each.clientId === clientId) ?? null
}

export const waitingForBalance = 'INITIAL_INSUFFICIENT_BALANCE'

/** Descriptions of payouts that decide how they end. */
export const magicDescriptions = [
  { description: 'sandbox:failed', endsIn: 'FAILED' },
  { description: 'sandbox:rejected', endsIn: 'REJECTED' },
  { description: 'sandbox:deleted', endsIn: 'DELETED' },
  { description: 'sandbox:insufficient-balance', endsIn: waitingForBalance },
] as const

// The registered receivers of payouts, orders, splits, tips and wallet orders. Every one of them may be named wherever its
// type fits; `use` names the purpose it was made for. Users who were registered (B4) join them.

export interface Receiver {
  readonly receiverId: string
  readonly receiverType: 'BRANCH' | 'USER'
  readonly name: string
  readonly use: 'payouts' | 'orders' | 'tips' | 'wallet'
  readonly note: string
  /** The sum that wallet orders may bring it a day, in minor units. */
  readonly dailyLimit: bigint
  readonly blocked: boolean
  /** The bank of directLinkProvider DEFAULT; null where none is configured. */
  readonly defaultBank: string | null
  /** Of the checkout page, where the order names none. */
  readonly language: string
  /** True if its orders may bring a tip to others. */
  readonly takesTips: boolean
  /** The balance it brings along, per currency; null: all is paid out at once, so that there is nothing to refund from. */
  readonly opening: bigint | null
}

function receiver(
  number: string,
  receiverType: Receiver['receiverType'],
  name: string,
  use: Receiver['use'],
  more: Partial<Receiver> = {},
): Receiver {
  return {
    ...{ receiverId: fixtureId(number), receiverType, name, use, note: '', blocked: false, takesTips: true },
    ...{ dailyLimit: units(receiverDailyLimit), opening: units('1000.00') },
    ...{ defaultBank: usualBank, language: usualLanguage },
    ...more,
  }
}

export const receivers: readonly Receiver[] = [
  receiver('011', 'BRANCH', 'Rustaveli Branch', 'payouts'),
  receiver('012', 'USER', 'Nino Beridze', 'payouts'),
  receiver('301', 'BRANCH', 'Old Town Shop', 'orders'),
  receiver('302', 'BRANCH', 'Riverside Shop', 'orders', { note: 'the second recipient of a split' }),
  receiver('303', 'BRANCH', 'Station Shop', 'orders', {
    note: 'paid out at once: a refund finds its balance too low (6130)',
    opening: null,
  }),
  receiver('304', 'BRANCH', 'Closed Shop', 'orders', { note: 'blocked', blocked: true }),
  receiver('305', 'BRANCH', 'Airport Kiosk', 'orders', {
    note: 'no default bank (DEFAULT is 6093), and no tips (6030)',
    defaultBank: null,
    takesTips: false,
  }),
  receiver('306', 'BRANCH', 'ხაზინა', 'orders', {
    note: 'its checkout page speaks Georgian',
    defaultBank: 'TBC',
    language: 'KA',
  }),
  receiver('311', 'USER', 'Tamar Kapanadze', 'tips'),
  receiver('312', 'USER', 'Giorgi Lomidze', 'tips'),
  receiver('321', 'USER', 'ნინო ბერიძე', 'wallet'),
  receiver('322', 'BRANCH', 'Corner Bakery', 'wallet'),
  receiver('323', 'BRANCH', 'Night Market', 'wallet', { note: 'at its limit, always', dailyLimit: 0n }),
  receiver('324', 'USER', 'Levan Gelashvili', 'wallet', { note: 'at its limit, always', dailyLimit: 0n }),
  receiver('325', 'USER', 'Mariam Dolidze', 'wallet', {
    note: 'may receive 100.00 a day, counted from midnight at the service',
    dailyLimit: units('100.00'),
  }),
  receiver('326', 'USER', 'Irakli Maisuradze', 'wallet', {
    note: 'blocked: wallet orders are REJECTED',
    blocked: true,
  }),
]

/** The account of a receiver, as recorded callbacks name one (service.md#seen-since): made of the digits of its id. */
export function accountOf(receiverId: string): string {
  return ibanOf('TB', receiverId.replace(/\D/g, '').slice(-16).padStart(16, '0'))
}

/** The sum that wallet orders may bring this one a day, in minor units. */
export function dailyLimitOf(receiverId: string): bigint {
  return receivers.find((each) => each.receiverId === receiverId)?.dailyLimit ?? units(receiverDailyLimit)
}

/** The receiver that is registered under this type and id, for whatever use; null if there is none. */
export async function findReceiver(db: SandboxReader, type: unknown, id: unknown): Promise<Receiver | null> {
  const sought = String(id).toLowerCase()
  const known = receivers.find((each) => each.receiverId === sought)
  if (known) return known.receiverType === type ? known : null
  const user = type === 'USER' ? await findRow(db, 'users', { user_id: sought }) : null
  return user && receiver('000', 'USER', 'Registered user', 'orders', { receiverId: sought })
}

/** The names of everyone, by the identity that they send or are paid under. */
export const names: ReadonlyMap<string, string> = new Map([
  ...clients.map(({ clientId, name }) => [clientId, name] as const),
  ...integrators.map(({ identifier, name }) => [identifier, name] as const),
  ...walletIntegrators.map(({ identifier, name }) => [identifier, `${name} (wallet)`] as const),
  ...receivers.map(({ receiverId, name }) => [receiverId, name] as const),
])

export function nameOf(identity: string): string {
  return names.get(identity.toLowerCase()) ?? identity
}
