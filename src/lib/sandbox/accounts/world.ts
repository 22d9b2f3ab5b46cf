/** A world: how it begins, and how `sandbox world` shows its clients, integrators and receivers. */
import { z } from 'zod'
import { usualFirstTransactionId, usualRefundedBy } from '../../contract/assumed.ts'
import { JsonNumber } from '../../contract/core/decimal.ts'
import { type Permission, permissionNames } from '../../contract/core/permission.ts'
import { orderTypes } from '../../contract/operation.ts'
import type { Clock, Random } from '../../edge.ts'
import { schemes } from '../../envelope/scheme.ts'
import { Failure } from '../../failure.ts'
import { hint, paste } from '../../hint.ts'
import { jsonAmount, oneWordOf, type ResultOf, uuidText } from '../../result.ts'
import type { Store } from '../../store/engine/store.ts'
import { findRow } from '../../store/sandbox/rows.ts'
import type { SandboxReader, SandboxTables, SandboxWriter } from '../../store/sandbox/schema.ts'
import {
  changeWorld,
  hasTransactions,
  readSecrets,
  replaceWorld,
  sumPaidFrom,
  type WorldRows,
} from '../../store/sandbox/world.ts'
import { money } from '../ledger.ts'
import { type Client, clients, integrators, magicDescriptions, receivers, walletIntegrators } from './fixtures.ts'
import { keysOfAll } from './keys.ts'
import { type ChangedSettings, setSettings } from './settings.ts'

/** A new world: its name, and new secrets. `firstTransactionId` is digits. */
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
    clients: clients.map(({ clientId }) => ({ client_id: clientId, secret: random.secret(32) })),
  }
}

export type DistributorClient = ResultOf<typeof worldTenantsResult>['distributorClients'][number]

/** The clients that pay out and the receivers of payouts. */
export interface World extends Pick<WorldTenants, 'worldId' | 'distributorClients' | 'magicDescriptions'> {
  readonly receivers: readonly Pick<WorldTenants['receivers'][number], 'receiverId' | 'receiverType' | 'name'>[]
}

/** As whom a client signs in, and what it may do then. */
export type ClientIdentity = Pick<DistributorClient, 'name' | 'clientId' | 'clientSecret' | 'permissions'>

export interface WorldClients {
  readonly worldId: string
  readonly clients: readonly ClientIdentity[]
}

export async function readClients(db: SandboxReader): Promise<WorldClients> {
  const { worldId, secrets } = await readSecrets(db)
  return {
    worldId,
    clients: clients.map(({ name, clientId, permissions }) => {
      return { name, clientId, clientSecret: secrets.get(clientId) ?? '', permissions: [...permissions] }
    }),
  }
}

export type AccountBalance = Client['accounts'][number] & { readonly balance: number }

/** The accounts of a client, with their present balances in minor units. */
export async function balancesOf(db: SandboxReader, { accounts }: Client): Promise<readonly AccountBalance[]> {
  const balances = accounts.map(async (account) => {
    return { ...account, balance: account.opening - (await sumPaidFrom(db, account.iban)) }
  })
  return await Promise.all(balances)
}

const limitsOf = ({ minimum, maximum }: { readonly minimum: string; readonly maximum: string }) => ({
  minimum: new JsonNumber(minimum),
  maximum: new JsonNumber(maximum),
})

export async function readWorldMembers(db: SandboxReader): Promise<World> {
  const { worldId, clients: identities } = await readClients(db)
  const described = clients.map(async (client, at): Promise<DistributorClient> => {
    const { name, clientId, paysOutBy, permissions, currencies, limits } = client
    const balances = await balancesOf(db, client)
    return {
      ...{ name, clientId, clientSecret: identities[at]?.clientSecret ?? '', paysOutBy },
      ...{ permissions: [...permissions], currencies: [...currencies], limits: limits && limitsOf(limits) },
      accounts: balances.map(({ iban, currency, balance, main }) => {
        return { iban, currency, balance: money(balance), main }
      }),
    }
  })
  return {
    worldId,
    distributorClients: await Promise.all(described),
    receivers: receivers
      .filter(({ use }) => use === 'payouts')
      .map(({ receiverId, receiverType, name }) => ({ receiverId, receiverType, name })),
    magicDescriptions: [...magicDescriptions],
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

export type WorldTenants = ResultOf<typeof worldTenantsResult>

/** Makes the keys that are missing. */
export async function worldTenants(store: Store<SandboxTables>, random: Random, world: World): Promise<WorldTenants> {
  const keys = await keysOfAll(store, random, [...integrators, ...walletIntegrators])
  const keysOf = (owner: string) => {
    const { servicePublicKey = '', publicKey = '', privateKey = '' } = keys.get(owner) ?? {}
    return { servicePublicKey, publicKey, privateKey }
  }
  return {
    ...world,
    integrators: integrators.map(
      ({ name, identifier, owner, orderType, scheme, bits, permissions, orderLimits, defaults }) => ({
        ...{ name, integratorId: identifier, orderType, scheme, keyBits: bits },
        ...{ permissions: [...permissions], orderLimits: limitsOf(orderLimits) },
        ...keysOf(owner),
        defaults,
      }),
    ),
    walletIntegrators: walletIntegrators.map(({ name, identifier, owner, scheme, bits }) => ({
      ...{ name, identifier, scheme, keyBits: bits },
      ...keysOf(owner),
    })),
    receivers: receivers.map(({ receiverId, receiverType, name, use, note, defaultBank, language, takesTips }) => {
      return { receiverId, receiverType, name, use, note, defaultBank, language, takesTips }
    }),
  }
}

export interface ServiceBase {
  readonly store: Store<SandboxTables>
  readonly clock: Clock
  readonly random: Random
}

/** The beginning of a new world, where that is not the usual one. */
export interface NewWorld extends ChangedSettings {
  readonly firstTransactionId?: string | undefined
}

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
