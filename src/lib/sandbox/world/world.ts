/**
 * The tenants of the sandbox. Ids and IBANs are fixed, so that a script written today runs in tomorrow's world; secrets are
 * new with every world, so that nothing that leaks from one is of use.
 */
import { usualFirstTransactionId, usualRefundedBy } from '../../contract/assumed.ts'
import { fromMinorUnits, JsonNumber } from '../../contract/core/decimal.ts'
import type { Permission } from '../../contract/core/permission.ts'
import type { Permits } from '../../contract/operation.ts'
import type { Random } from '../../edge.ts'
import type { ResultOf } from '../../result.ts'
import type { ClientRow, ReceiverRow } from '../../store/sandbox/schema.ts'
import type { AccountBalance, WorldRows } from '../../store/sandbox/world.ts'
import { distributorRows } from './distributor.ts'
import { money } from './money.ts'
import type { worldTenantsResult } from './result.ts'

const receivers: readonly ReceiverRow[] = [
  { receiver_id: '5a9db0c0-0011-4a11-8c11-000000000011', receiver_type: 'BRANCH', name: 'Rustaveli Branch' },
  { receiver_id: '5a9db0c0-0012-4a11-8c11-000000000012', receiver_type: 'USER', name: 'Nino Beridze' },
]

/** A new world: its name, new secrets, and the balances that all accounts start with. `firstTransactionId` is digits. */
export function newWorld(now: number, random: Random, firstTransactionId = usualFirstTransactionId): WorldRows {
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
    receivers,
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

export function permitsOfClient(client: ClientRow): Permits {
  return new Set(words(client.permissions) as Permission[])
}

export function currenciesOf(client: ClientRow): readonly string[] {
  return words(client.currencies)
}

/** A limit without needless decimals: 0.02, 100000. */
function limit(minor: number): JsonNumber {
  return new JsonNumber(fromMinorUnits(BigInt(minor)).replace(/\.00$/, ''))
}

/** As whom a client signs in, and what it may do then. */
export type ClientIdentity = Pick<DistributorClient, 'name' | 'clientId' | 'clientSecret' | 'permissions'>

export function signInOf(client: ClientRow): ClientIdentity {
  return {
    name: client.name,
    clientId: client.client_id,
    clientSecret: client.secret,
    permissions: [...permitsOfClient(client)],
  }
}

export function describeClient(client: ClientRow, accounts: readonly AccountBalance[]): DistributorClient {
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
  receivers: readonly ReceiverRow[],
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
