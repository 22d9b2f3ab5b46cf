/** A world: how it begins, and how `sandbox world` shows its clients, integrators and receivers. */
import { z } from 'zod'
import { usualFirstTransactionId, usualRefundedBy } from '../../contract/assumed.ts'
import { fromMinorUnits, JsonNumber } from '../../contract/core/decimal.ts'
import { type Permission, permissionNames } from '../../contract/core/permission.ts'
import { type OrderType, orderTypes, type Permits } from '../../contract/operation.ts'
import type { Clock, Random } from '../../edge.ts'
import { type Scheme, schemes } from '../../envelope/scheme.ts'
import { Failure } from '../../failure.ts'
import { hint, paste } from '../../hint.ts'
import { jsonAmount, oneWordOf, type ResultOf, uuidText } from '../../result.ts'
import type { Store } from '../../store/engine/store.ts'
import { findRow } from '../../store/sandbox/rows.ts'
import type { Row, SandboxTables, SandboxWriter } from '../../store/sandbox/schema.ts'
import {
  type AccountBalance,
  changeWorld,
  hasTransactions,
  replaceWorld,
  type WorldRows,
} from '../../store/sandbox/world.ts'
import { money } from '../ledger.ts'
import {
  distributorRows,
  type Integrator,
  integrators,
  type Receiver,
  receivers,
  registeredReceiver,
  walletIntegrators,
} from './fixtures.ts'
import { keysOfAll } from './keys.ts'
import { type ChangedSettings, setSettings } from './settings.ts'

const payoutReceivers: readonly Row<'receivers'>[] = [
  { receiver_id: '5a9db0c0-0011-4a11-8c11-000000000011', receiver_type: 'BRANCH', name: 'Rustaveli Branch' },
  { receiver_id: '5a9db0c0-0012-4a11-8c11-000000000012', receiver_type: 'USER', name: 'Nino Beridze' },
]

/** A new world: its name, new secrets, and the balances that all accounts start with. `firstTransactionId` is digits. */
function newWorld(now: number, random: Random, firstTransactionId = usualFirstTransactionId): WorldRows {
  return {
    world: {
      world_id: random.uuid(),
      created: now,
      next_transaction_id: firstTransactionId,
      clock_offset: 0,
      callbacks: 'sealed',
      strict: 0,
      providers: '{}',
      refunded_by: usualRefundedBy,
    },
    ...distributorRows(random),
    receivers: payoutReceivers,
  }
}

/** An integrator as `sandbox world` shows it. */
export type DistributorClient = ResultOf<typeof worldTenantsResult>['distributorClients'][number]

export interface World {
  readonly worldId: string
  readonly distributorClients: readonly DistributorClient[]
  readonly receivers: readonly {
    readonly receiverId: string
    readonly receiverType: 'BRANCH' | 'USER'
    readonly name: string
  }[]
  readonly magicDescriptions: readonly { readonly description: string; readonly endsIn: string }[]
}

const words = (joined: string): string[] => joined.split(',').filter(Boolean)

export function permitsOfClient(client: Row<'clients'>): Permits {
  return new Set(words(client.permissions) as Permission[])
}

export function currenciesOf(client: Row<'clients'>): readonly string[] {
  return words(client.currencies)
}

/** A limit without needless decimals: 0.02, 100000. */
function limit(minor: number): JsonNumber {
  return new JsonNumber(fromMinorUnits(BigInt(minor)).replace(/\.00$/, ''))
}

/** As whom a client signs in, and what it may do then. */
export type ClientIdentity = Pick<DistributorClient, 'name' | 'clientId' | 'clientSecret' | 'permissions'>

export function signInOf(client: Row<'clients'>): ClientIdentity {
  return {
    name: client.name,
    clientId: client.client_id,
    clientSecret: client.secret,
    permissions: [...permitsOfClient(client)],
  }
}

export function describeClient(client: Row<'clients'>, accounts: readonly AccountBalance[]): DistributorClient {
  const { minimum, maximum } = client
  const { permissions, ...signsInAs } = signInOf(client)
  return {
    ...signsInAs,
    paysOutBy: client.pays_out_by,
    permissions,
    currencies: currenciesOf(client),
    limits: minimum === null || maximum === null ? null : { minimum: limit(minimum), maximum: limit(maximum) },
    accounts: accounts.map(({ iban, currency, balance, main }) => ({
      iban,
      currency,
      balance: money(balance),
      main: main === 1,
    })),
  }
}

export function describeWorld(
  worldId: string,
  clients: readonly DistributorClient[],
  receivers: readonly Row<'receivers'>[],
  magicDescriptions: World['magicDescriptions'],
): World {
  return {
    worldId,
    distributorClients: clients,
    receivers: receivers.map((row) => ({
      receiverId: row.receiver_id,
      receiverType: row.receiver_type,
      name: row.name,
    })),
    magicDescriptions,
  }
}

const key = z
  .string()
  .regex(/^[A-Za-z0-9+/]+=*$/)
  .describe('Base64 of the DER (SPKI, PKCS#8) in one line; new with every world.')
const scheme = z.enum(schemes)
const keyBits = z.int().describe('The size of its keys, and of those of the service for it.')
const ofPayouts: readonly Permission[] = ['debtor', 'fromIban']

/** One of these; its maker knows it as one of all. */
const permission = (names: readonly Permission[]) => z.enum(permissionNames).meta({ enum: names })

export const worldTenantsResult = z.strictObject({
  worldId: uuidText,
  distributorClients: z
    .array(
      z.strictObject({
        name: z.string(),
        clientId: uuidText,
        clientSecret: z.string().describe('New with every world.'),
        paysOutBy: z.enum(['iban', 'receiver']),
        permissions: z.array(permission(ofPayouts)).describe('Which restricted fields it may send.'),
        currencies: z
          .array(z.string())
          .describe('The first is that of a balance that is asked for without a currency.'),
        limits: z
          .strictObject({
            minimum: jsonAmount,
            maximum: jsonAmount,
          })
          .nullable()
          .describe('Of one payout; null without limits.'),
        accounts: z.array(
          z.strictObject({
            iban: z.string(),
            currency: z.string(),
            balance: jsonAmount.describe('Now.'),
            main: z.boolean().describe('Debited when fromIban is not given.'),
          }),
        ),
      }),
    )
    .describe('Who may pay out. Each stands behind the built-in profile of its name.'),
  receivers: z.array(
    z.strictObject({
      receiverId: uuidText,
      receiverType: z.enum(['BRANCH', 'USER']),
      name: z.string(),
      use: z
        .enum(['payouts', 'orders', 'tips', 'wallet'])
        .describe(
          'What it was made for; whoever is registered may be named wherever its type fits. Payouts go to those of payouts only.',
        ),
      note: z.string().describe('What is special about it; empty if nothing is.'),
      defaultBank: z
        .string()
        .nullable()
        .describe('The bank of directLinkProvider DEFAULT; null where none is configured.'),
      language: z.string().describe('Of the checkout page, where the order names none.'),
      takesTips: z.boolean().describe('Whether orders for it may have a tip receiver.'),
    }),
  ),
  magicDescriptions: z
    .array(
      z.strictObject({
        description: z.string(),
        endsIn: z.string(),
      }),
    )
    .describe('Descriptions that lead a payout to an end other than SUCCESS.'),
  integrators: z
    .array(
      z.strictObject({
        name: z.string(),
        integratorId: uuidText,
        orderType: z.enum(orderTypes),
        scheme: scheme,
        keyBits: keyBits,
        orderLimits: z
          .strictObject({ minimum: jsonAmount, maximum: jsonAmount })
          .describe('Of one order, in its currency; 6026 outside.'),
        permissions: z
          .array(permission(permissionNames.filter((name) => !ofPayouts.includes(name))))
          .describe('What it may do and send.'),
        servicePublicKey: key.describe('What requests are sealed to.'),
        publicKey: key.describe('What answers are sealed to.'),
        privateKey: key.describe('What opens them.'),
        defaults: z
          .strictObject({
            successRedirectUri: z.string(),
            failRedirectUri: z.string(),
            callbackUri: z.string(),
            acquiringCurrency: z.string(),
            distributionCurrency: z.string(),
            commissionType: oneWordOf(['SENDER', 'RECEIVER', 'BOTH']),
          })
          .describe('What onboarding has configured for orders that do not say so themselves.'),
      }),
    )
    .describe('Who sends orders (areas B and D). Each stands behind the built-in profile of its name.'),
  walletIntegrators: z
    .array(
      z.strictObject({
        name: z.string(),
        identifier: uuidText,
        scheme: scheme,
        keyBits: keyBits,
        servicePublicKey: key,
        publicKey: key,
        privateKey: key,
      }),
    )
    .describe('Who sends wallet orders (area C).'),
})

/** Both keys are base64 of the DER in one line. */
interface Seals {
  readonly scheme: Scheme
  readonly servicePublicKey: string
  readonly privateKey: string
}

export interface IntegratorSeals extends Seals {
  readonly integratorId: string
  readonly orderType: OrderType
}

export interface WalletIntegratorSeals extends Seals {
  readonly identifier: string
}

type DescribedReceiver = WorldTenants['receivers'][number]

/** The world with all of its members. */
export type WorldTenants = ResultOf<typeof worldTenantsResult>

const limitsOf = ({ minimum, maximum }: Integrator['orderLimits']) => ({
  minimum: new JsonNumber(minimum),
  maximum: new JsonNumber(maximum),
})

function describeReceiver(receiver: Receiver): DescribedReceiver {
  const { receiverId, receiverType, name, use, note, defaultBank, language, takesTips } = receiver
  return { receiverId, receiverType, name, use, note, defaultBank, language, takesTips }
}

/** Makes the keys that are missing. */
export async function worldTenants(store: Store<SandboxTables>, random: Random, world: World): Promise<WorldTenants> {
  const all = [...integrators, ...walletIntegrators]
  const keys = await keysOfAll(store, random, all)
  const halves = (at: number) => ({
    servicePublicKey: keys[at]?.servicePublicKey ?? '',
    publicKey: keys[at]?.publicKey ?? '',
    privateKey: keys[at]?.privateKey ?? '',
  })
  return {
    ...world,
    integrators: integrators.map(
      ({ name, identifier, orderType, scheme, bits, permissions, orderLimits, defaults }, at) => ({
        ...{ name, integratorId: identifier, orderType, scheme, keyBits: bits },
        ...{ permissions, orderLimits: limitsOf(orderLimits) },
        ...halves(at),
        defaults,
      }),
    ),
    walletIntegrators: walletIntegrators.map(({ name, identifier, scheme, bits }, at) => ({
      ...{ name, identifier, scheme, keyBits: bits },
      ...halves(integrators.length + at),
    })),
    receivers: [
      ...world.receivers.map(
        ({ receiverId, receiverType, name }): DescribedReceiver => ({
          ...describeReceiver(registeredReceiver(receiverId, receiverType, name)),
          use: 'payouts',
        }),
      ),
      ...receivers.map(describeReceiver),
    ],
  }
}

/** The store, the clock and the chance that a service stands on. */
export interface ServiceBase {
  readonly store: Store<SandboxTables>
  readonly clock: Clock
  readonly random: Random
}

/** The beginning of a new world, where that is not the usual one. */
export interface NewWorld extends ChangedSettings {
  readonly firstTransactionId?: string | undefined
}

/** Makes a world where there is none. */
export async function makeWorld({ store, clock, random }: ServiceBase): Promise<void> {
  if (await store.ask((db) => findRow(db, 'world'))) return
  await store.write(async (db) => {
    if (!(await findRow(db, 'world'))) await replaceWorld(db, newWorld(clock.now(), random))
  })
}

/** Puts a new world in the place of the present one. Settings stay that are not changed. */
export async function resetWorld({ store, clock, random }: ServiceBase, { firstTransactionId, ...changed }: NewWorld) {
  const next = newWorld(clock.now(), random, firstTransactionId)
  await store.write(async (db) => {
    const { callbacks, strict, providers, refunded_by } = (await findRow(db, 'world')) ?? next.world
    await replaceWorld(db, { ...next, world: { ...next.world, callbacks, strict, providers, refunded_by } })
    await setSettings(db, changed)
  })
}

/** Numbers transactions from here on. Throws Failure('usage') where such a number may have been given already. */
export async function numberTransactionsFrom(db: SandboxWriter, id: string): Promise<void> {
  const next = (await findRow(db, 'world'))?.next_transaction_id ?? '1'
  if (BigInt(id) < BigInt(next) && (await hasTransactions(db))) {
    throw new Failure('usage', `transactions of this world are numbered up to ${BigInt(next) - 1n} already`, {
      hints: [
        hint`Choose a larger number, or begin anew: \`${paste('sandbox reset', '--first-transaction-id', id)}\`.`,
      ],
    })
  }
  await changeWorld(db, { next_transaction_id: id })
}
