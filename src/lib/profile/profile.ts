/**
 * An identity to one part of the service: a stored profile made ready for use. Payouts, orders and the wallet have addresses
 * and identities of their own, so a command asks for the part it needs.
 */

import { type Permission, permissionNames } from '../contract/core/permission.ts'
import type { OrderType, Permits } from '../contract/operation.ts'
import type { Seal } from '../envelope/scheme.ts'
import { Failure } from '../failure.ts'
import { blank, hint, paste } from '../hint.ts'
import type { TransportSettings } from '../http/client.ts'
import { mustBeOwn } from '../readable-file.ts'
import type { Limit } from '../spending.ts'
import { missing } from './missing.ts'
import type { Part } from './parts.ts'
import { type Pem, readCertificateKey, readCertificates } from './secrets/certificate.ts'
import { type Keyring, systemKeyring } from './secrets/keyring.ts'
import { type Environment, fetchSecret, secretVariable } from './secrets/secret.ts'
import { limitsIn } from './settings/limits.ts'
import { serviceAddress, serviceIdOf } from './settings/part.ts'
import { proxiesFor } from './settings/proxy.ts'
import { sealOf } from './settings/seal.ts'
import { settings } from './settings/setting.ts'
import type { StoredProfile } from './settings/stored.ts'

export type DuplicateGuard = 'refuse' | 'warn' | 'off'

export interface Profile {
  readonly name: string
  readonly environment: 'sandbox' | 'test' | 'live'
  readonly part: Part
  /** Origin and path prefix of the part's address, or sandbox:<worldId>. Tokens are kept by it. */
  readonly service: string
  /** The service's own name, which stays when the service moves. Ids are unique in it; it keys the journal and --key. */
  readonly serviceId: string
  /** The present address of the part's requests. */
  readonly baseUrl: string
  /** The identity: client id of payouts, integrator id of orders, identifier of the wallet. */
  readonly clientId: string
  /** Fetched at the last moment, and by payouts only. Throws Failure('credentials'). */
  readonly clientSecret: () => Promise<string>
  /** Identity and keys of the sealed parts; null for payouts. */
  readonly seal: Seal | null
  readonly permits: Permits
  /** Null where the profile does not say what the service has set. */
  readonly orderType: OrderType | null
  readonly duplicateGuard: DuplicateGuard
  /** The limits on its payouts; none of the other parts. */
  readonly limits: readonly Limit[]
  readonly transport: TransportSettings
}

function requireAreaA(stored: StoredProfile, env: Environment): string {
  const flags = [
    ...(stored.clientId ? [] : [`--${settings.clientId.flag} <uuid>`]),
    ...(stored.clientSecret || env[secretVariable] !== undefined ? [] : ['--client-secret-file <file>']),
  ]
  if (!stored.clientId) throw missing(stored.name, 'client id, which payouts need', flags)
  if (flags.length > 0) throw missing(stored.name, 'client secret, which payouts need', flags)
  return stored.clientId
}

/** A file of the connection: the key that proves who asks, and the certificates that prove who answers, are this user's own. */
function orFail(stored: StoredProfile, { flag }: { readonly flag: string }, path: string, read: (path: string) => Pem) {
  mustBeOwn(path, `the file of --${flag}`)
  const found = read(path)
  if ('pem' in found) return found.pem
  throw new Failure('credentials', `--${flag} of profile ${stored.name}: ${path} ${found.complaint}`, {
    hints: [
      hint`Put the file right, or name another with \`${paste('profile add', stored.name, `--${flag}`, blank('<file>'), '--replace')}\`.`,
    ],
  })
}

function transportOf(stored: StoredProfile, address: string, env: Environment): TransportSettings {
  const { caFile, clientCertificateFile, clientKeyFile } = stored
  const ca = caFile && orFail(stored, settings.caFile, caFile, readCertificates)
  const proxies = proxiesFor(address, env)
  if (!clientCertificateFile || !clientKeyFile) return { ...(ca ? { ca } : {}), proxies }
  const cert = orFail(stored, settings.clientCertificateFile, clientCertificateFile, readCertificates)
  const key = orFail(stored, settings.clientKeyFile, clientKeyFile, (path) => readCertificateKey(path, cert))
  return { ...(ca ? { ca } : {}), clientCertificate: { cert, key }, proxies }
}

/** The guard's reaction where the profile sets none. */
export function usualGuard(environment: StoredProfile['environment']): DuplicateGuard {
  return environment === 'live' ? 'refuse' : 'warn'
}

const restricted: ReadonlySet<Permission> = new Set(['debtor', 'fromIban'])

/**
 * The permissions that the desk assumes: the restricted fields of payouts only where the profile says so. The desk does not
 * know what the service permits for orders; it asks the service, whose refusal names the permission.
 */
export function permitsOfProfile(allowRestricted: boolean): Permits {
  return new Set(permissionNames.filter((name) => allowRestricted || !restricted.has(name)))
}

/** Throws Failure('credentials') when the profile has not got this part or its files cannot be used. */
export async function resolveProfile(
  stored: StoredProfile,
  env: Environment,
  part: Part,
  keyring: Keyring = systemKeyring,
): Promise<Profile> {
  const seal = part === 'payouts' ? null : sealOf(stored, part, env)
  const clientId = seal ? seal.identifier : requireAreaA(stored, env)
  const address = serviceAddress(stored, part)
  return {
    name: stored.name,
    environment: stored.environment,
    part,
    service: address,
    serviceId: serviceIdOf(stored, part),
    baseUrl: address,
    clientId,
    clientSecret: () => fetchSecret(stored, env, keyring),
    seal,
    permits: permitsOfProfile(stored.allowRestricted),
    orderType: stored.orderType ?? null,
    duplicateGuard: stored.duplicateGuard ?? usualGuard(stored.environment),
    limits: part === 'payouts' ? limitsIn(stored.limits) : [],
    transport: transportOf(stored, address, env),
  }
}
