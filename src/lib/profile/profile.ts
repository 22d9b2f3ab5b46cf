/**
 * An identity to one part of the service: a stored profile made ready for use. Payouts, orders and the wallet have addresses
 * and identities of their own, so a command asks for the part it needs.
 */

import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { type Permission, permissionNames } from '../contract/core/permission.ts'
import type { OrderType, Permits } from '../contract/operation.ts'
import type { Environment } from '../edge.ts'
import { readPrivateKey, readPublicKey } from '../envelope/key.ts'
import type { Scheme, Seal } from '../envelope/scheme.ts'
import { Failure } from '../failure.ts'
import { blank, hint, paste } from '../hint.ts'
import type { TransportSettings } from '../http/client.ts'
import { contents, mustBeOwn } from '../paths.ts'
import type { Limit } from '../spending.ts'
import { proxiesFor } from './address.ts'
import { limitsIn } from './limits.ts'
import { identityFlag, identityOf, type Part, serviceAddress, serviceIdOf } from './parts.ts'
import { fetchSecret, type Keyring, secretVariable, systemKeyring } from './secret.ts'
import { settings } from './settings.ts'
import type { StoredProfile } from './stored.ts'

type DuplicateGuard = 'refuse' | 'warn' | 'off'

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
      hint`Correct the file, or name another with \`${paste('profile add', stored.name, `--${flag}`, blank('<file>'), '--replace')}\`.`,
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

export function missing(profile: string, what: string, flags: readonly string[]): Failure {
  return new Failure('credentials', `profile ${profile} has no ${what}`, {
    hints: [hint`Give it: \`${paste('profile add', profile, ...flags.map(blank))}\` adds to what the profile has.`],
  })
}

export const privateKeyVariable = 'PAYDESK_PRIVATE_KEY_FILE'

function bytesOf(path: string, name: string): Buffer {
  const file = contents(path)
  if ('bytes' in file) return file.bytes
  throw new Failure('credentials', `${name} cannot be read: ${file.why}`)
}

/** The scheme of a part, where the profile sets none (service.md#envelope and service.md#wallet-envelope). */
export function schemeFor({ rsaPadding, walletScheme }: Partial<StoredProfile>, part: Part): Scheme {
  if (part === 'wallet' && walletScheme !== 'aes') return walletScheme ?? 'rsa-pkcs1'
  return rsaPadding ?? 'oaep-sha256'
}

interface Files {
  readonly publicKey: string | undefined
  readonly privateKey: string | undefined
}

function filesOf(stored: StoredProfile, part: Part, env: Environment): Files {
  const { servicePublicKeyFile, walletServicePublicKeyFile, privateKeyFile, walletPrivateKeyFile } = stored
  if (part === 'wallet') {
    return {
      publicKey: walletServicePublicKeyFile ?? servicePublicKeyFile,
      privateKey: walletPrivateKeyFile ?? (env[privateKeyVariable] || privateKeyFile),
    }
  }
  return { publicKey: servicePublicKeyFile, privateKey: env[privateKeyVariable] || privateKeyFile }
}

/** Identity, scheme and keys of a sealed part. Throws Failure('credentials') that names what the profile lacks. */
export function sealOf(stored: StoredProfile, part: Part, env: Environment): Seal {
  const identifier = identityOf(stored, part)
  const { publicKey, privateKey } = filesOf(stored, part, env)
  if (identifier === undefined || publicKey === undefined || privateKey === undefined) {
    const lacking = [
      ...(identifier === undefined ? [['identity', `--${identityFlag[part]} <uuid>`] as const] : []),
      ...(publicKey === undefined
        ? [['public key of the service', `--${settings.servicePublicKeyFile.flag} <file>`] as const]
        : []),
      ...(privateKey === undefined ? [['private key', `--${settings.privateKeyFile.flag} <file>`] as const] : []),
    ]
    const names = lacking.map(([name]) => name)
    const words = names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : names.join()
    const flags = lacking.map(([, flag]) => flag)
    throw missing(stored.name, `${words}, which ${part} need`, flags)
  }
  mustBeOwn(publicKey, 'the key file')
  mustBeOwn(privateKey, 'the key file')
  const toService = readPublicKey(bytesOf(publicKey, publicKey), publicKey)
  const own = readPrivateKey(bytesOf(privateKey, privateKey), privateKey)
  return { identifier, scheme: schemeFor(stored, part), toService, own: [own] }
}

type Pem = { readonly pem: string } | { readonly complaint: string }

const begin = '-----BEGIN CERTIFICATE-----'
const end = '-----END CERTIFICATE-----'

/** Each certificate in a text, from its first line to its last. */
function blocksIn(pem: string): readonly string[] {
  const [, ...pieces] = pem.split(begin)
  return pieces.filter((piece) => piece.includes(end)).map((piece) => begin + piece.slice(0, piece.indexOf(end)) + end)
}

function readPem(path: string): Pem {
  const file = contents(path)
  return 'why' in file ? { complaint: `cannot be read: ${file.why}` } : { pem: file.bytes.toString('utf8') }
}

/** One or more certificates. */
export function readCertificates(path: string): Pem {
  const file = readPem(path)
  if (!('pem' in file)) return file
  const blocks = blocksIn(file.pem)
  if (blocks.length === 0) return { complaint: 'holds no certificate in PEM form' }
  try {
    for (const each of blocks) new X509Certificate(each)
    return file
  } catch {
    return { complaint: 'holds a damaged certificate' }
  }
}

function readKey(pem: string): KeyObject | null {
  try {
    return createPrivateKey(pem)
  } catch {
    return null
  }
}

/** The private key of a certificate; of any, where none is given. It must have no passphrase, because a job at night cannot type one. */
export function readCertificateKey(path: string, certificatePem: string | null): Pem {
  const file = readPem(path)
  if (!('pem' in file)) return file
  if (/ENCRYPTED/.test(file.pem)) return { complaint: 'is protected by a passphrase; take it off (openssl pkey)' }
  const key = readKey(file.pem)
  if (!key) return { complaint: 'holds no private key in PEM form' }
  const fits = certificatePem === null || new X509Certificate(certificatePem).checkPrivateKey(key)
  return fits ? file : { complaint: 'does not belong to the client certificate' }
}
