/**
 * A tenant as other programs need it, to become a client of the sandbox: variables for a shell, and keys as files in the two
 * forms that runners ask for.
 */
import { readPrivateKey, readPublicKey, writeKey } from '../../envelope/key.ts'
import type { WorldTenants } from './world.ts'

/** Names of the variables begin so, lest they stand for the tenant of another service. */
const prefix = 'SANDBOX_'

interface Pair {
  readonly servicePublicKey: string
  readonly publicKey: string
  readonly privateKey: string
}

function partsOf({ distributorClients, integrators, walletIntegrators }: WorldTenants, name: string) {
  const named = <Each extends { readonly name: string }>(all: readonly Each[]) => all.find((each) => each.name === name)
  return { client: named(distributorClients), integrator: named(integrators), wallet: named(walletIntegrators) }
}

export function tenantNames({ distributorClients, integrators, walletIntegrators }: WorldTenants): readonly string[] {
  return [...new Set([...distributorClients, ...integrators, ...walletIntegrators].map(({ name }) => name))]
}

function sealingVariables(before: string, scheme: string, keys: Pair): Record<string, string> {
  return {
    [`${before}SCHEME`]: scheme,
    [`${before}SERVICE_PUBLIC_KEY`]: keys.servicePublicKey,
    [`${before}PUBLIC_KEY`]: keys.publicKey,
    [`${before}PRIVATE_KEY`]: keys.privateKey,
  }
}

function receiverFor({ receivers }: WorldTenants, wanted: WorldTenants['receivers'][number]['use']): string {
  return receivers.find(({ use }) => use === wanted)?.receiverId ?? ''
}

/** The address of the service, and the file of the authority to trust it by; null without https. */
interface Server {
  readonly url: string
  readonly authority: string | null
}

/** The variables of a tenant: address, ids, secret, a receiver to pay, and keys in single-line base64. Empty for a name that has no tenant. */
export function variablesOf(world: WorldTenants, name: string, server: Server): Readonly<Record<string, string>> {
  const { client, integrator, wallet } = partsOf(world, name)
  if (!client && !integrator && !wallet) return {}
  const variables = {
    BASE_URL: server.url,
    ...(server.authority !== null && { CA_FILE: server.authority }),
    ...(client && { CLIENT_ID: client.clientId, CLIENT_SECRET: client.clientSecret }),
    ...(client?.paysOutBy === 'receiver' && { BENEFICIARY_RECEIVER_ID: receiverFor(world, 'payouts') }),
    ...(integrator && { INTEGRATOR_ID: integrator.integratorId, RECEIVER_ID: receiverFor(world, 'orders') }),
    ...(integrator && sealingVariables('', integrator.scheme, integrator)),
    ...(wallet && { WALLET_IDENTIFIER: wallet.identifier, ...sealingVariables('WALLET_', wallet.scheme, wallet) }),
  }
  return Object.fromEntries(Object.entries(variables).map(([each, value]) => [`${prefix}${each}`, value]))
}

interface TenantKey {
  readonly name: string
  readonly text: string
}

function filesOf(owner: string, { servicePublicKey, publicKey, privateKey }: Pair): TenantKey[] {
  const keys = [
    { half: 'private', key: readPrivateKey(Buffer.from(privateKey), owner) },
    { half: 'public', key: readPublicKey(Buffer.from(publicKey), owner) },
    { half: 'service-public', key: readPublicKey(Buffer.from(servicePublicKey), owner) },
  ]
  return keys.flatMap(({ half, key }) => [
    { name: `${owner}.${half}.pem`, text: writeKey(key, 'pem') },
    { name: `${owner}.${half}.key`, text: writeKey(key, 'base64') },
  ])
}

/** The keys of a tenant, each as PEM (.pem) and as base64 in one line (.key). */
export function keyFilesOf(world: WorldTenants, name: string): readonly TenantKey[] {
  const { integrator, wallet } = partsOf(world, name)
  return [...(integrator ? filesOf(name, integrator) : []), ...(wallet ? filesOf(`${name}-wallet`, wallet) : [])]
}
