/** Who I am to the service: a stored profile made ready for use. Of areas B to D nothing is needed here yet. */
import type { Permits } from '../contract/operation.ts'
import { Failure } from '../failure.ts'
import type { TransportSettings } from '../http/transport.ts'
import { type Pem, readCertificateKey, readCertificates } from './certificate.ts'
import { type Keyring, systemKeyring } from './keyring.ts'
import { proxiesFor } from './proxy.ts'
import { type Environment, fetchSecret, secretVariable } from './secret.ts'
import { settings } from './setting.ts'
import type { StoredProfile } from './stored.ts'

export type DuplicateGuard = 'refuse' | 'warn' | 'off'

export interface Profile {
  readonly name: string
  readonly environment: 'sandbox' | 'test' | 'live'
  /** What makes an id unique: origin and path prefix of area A's address, or sandbox:<worldId>. Keys journal, --key and tokens. */
  readonly service: string
  /** Where area A's requests go now. */
  readonly baseUrl: string
  readonly clientId: string
  /** Fetched at the last moment. Throws Failure('credentials'). */
  readonly clientSecret: () => Promise<string>
  readonly permits: Permits
  readonly duplicateGuard: DuplicateGuard
  readonly transport: TransportSettings
}

/** What a command needs of a profile and does not find there: names the flags that give it (4). */
function missing(profile: string, what: string, flags: readonly string[]): Failure {
  return new Failure('credentials', `profile ${profile} has no ${what}`, {
    hints: [`Give it: \`paydesk profile add ${profile} ${flags.join(' ')}\` adds to what the profile has.`],
  })
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

function orFail(stored: StoredProfile, flag: string, path: string, read: Pem): string {
  if ('pem' in read) return read.pem
  throw new Failure('credentials', `--${flag} of profile ${stored.name}: ${path} ${read.complaint}`, {
    hints: [
      `Put the file right, or name another with \`paydesk profile add ${stored.name} --${flag} <file> --replace\`.`,
    ],
  })
}

function transportOf(stored: StoredProfile, address: string, env: Environment): TransportSettings {
  const { caFile, clientCertificateFile, clientKeyFile } = stored
  const ca = caFile && orFail(stored, settings.caFile.flag, caFile, readCertificates(caFile))
  const proxies = proxiesFor(address, env)
  if (!clientCertificateFile || !clientKeyFile) return { ...(ca ? { ca } : {}), proxies }
  const certificates = readCertificates(clientCertificateFile)
  const cert = orFail(stored, settings.clientCertificateFile.flag, clientCertificateFile, certificates)
  const key = orFail(stored, settings.clientKeyFile.flag, clientKeyFile, readCertificateKey(clientKeyFile, cert))
  return { ...(ca ? { ca } : {}), clientCertificate: { cert, key }, proxies }
}

/** What the guard does where the profile says nothing. */
export function usualGuard(environment: StoredProfile['environment']): DuplicateGuard {
  return environment === 'live' ? 'refuse' : 'warn'
}

/** Throws Failure('credentials') when the profile has no area A or its files cannot be used. */
export async function resolveProfile(
  stored: StoredProfile,
  env: Environment,
  keyring: Keyring = systemKeyring,
): Promise<Profile> {
  const clientId = requireAreaA(stored, env)
  const address = stored.distributorUrl ?? stored.baseUrl
  return {
    name: stored.name,
    environment: stored.environment,
    service: address,
    baseUrl: address,
    clientId,
    clientSecret: () => fetchSecret(stored, env, keyring),
    permits: new Set(stored.allowRestricted ? (['debtor', 'fromIban'] as const) : []),
    duplicateGuard: stored.duplicateGuard ?? usualGuard(stored.environment),
    transport: transportOf(stored, address, env),
  }
}
