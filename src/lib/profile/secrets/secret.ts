/**
 * The client secret: where it is, and how it is fetched from there at the last moment. PAYDESK_CLIENT_SECRET overrides
 * all. No message of this module holds a secret or a part of one.
 */
import { Failure } from '../../failure.ts'
import { blank, type Hint, hint, paste } from '../../hint.ts'
import { contents, mustBeOwn } from '../../readable-file.ts'
import type { SecretSource, StoredProfile } from '../settings/stored.ts'
import type { Keyring } from './keyring.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export const secretVariable = 'PAYDESK_CLIENT_SECRET'

export type SecretText =
  | { readonly ok: true; readonly secret: string }
  | { readonly ok: false; readonly complaint: string }

/** A secret as a file or a pipe holds it: UTF-8, one line break at the end cut off. */
export function secretOf(bytes: Uint8Array): SecretText {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return { ok: false, complaint: 'is not UTF-8 text' }
  }
  const secret = text.replace(/\r?\n$/, '')
  return secret === '' ? { ok: false, complaint: 'is empty' } : { ok: true, secret }
}

/** The account in the keyring: the credential itself, so that it is found again whatever a profile is called. */
export function keyringAccount(profile: Pick<StoredProfile, 'clientId' | 'baseUrl' | 'distributorUrl'>): string {
  return `${profile.clientId ?? ''} at ${profile.distributorUrl ?? profile.baseUrl}`
}

/** The source of a secret, for people. */
export function sourceInWords(source: SecretSource | undefined, env: Environment): string | null {
  if (env[secretVariable] !== undefined) return `the environment variable ${secretVariable}`
  if (source?.from === 'file') return `the file ${source.path}`
  if (source?.from === 'env') return `the environment variable ${source.name}`
  if (source?.from === 'keyring') return 'the keyring of this machine'
  return source ? 'the configuration file' : null
}

function unusable(name: string, what: string, advice: Hint): Failure {
  return new Failure('credentials', `the client secret of profile ${name} ${what}`, { hints: [advice] })
}

function fromVariable(profile: string, variable: string, env: Environment): string {
  const value = env[variable]
  const where = `the environment variable ${variable}`
  if (value === undefined) throw unusable(profile, `is kept in ${where}, which is not set`, hint`Set ${variable}.`)
  if (value === '') throw unusable(profile, `comes from ${where}, which is empty`, hint`Set ${variable}, or remove it.`)
  return value
}

function fromFile(profile: string, path: string): string {
  mustBeOwn(path, 'the file of the client secret')
  const file = contents(path)
  const another = paste('profile add', blank('…'), '--client-secret-file', blank('<file>'), '--replace')
  const advice = hint`Put the file back, or name another with \`${another}\`.`
  if ('why' in file) throw unusable(profile, `cannot be read from ${path}: ${file.why}`, advice)
  const text = secretOf(file.bytes)
  if (!text.ok) throw unusable(profile, `cannot be used: ${path} ${text.complaint}`, advice)
  return text.secret
}

/** The client secret where it stands in a variable, a file or the configuration; null for the keyring. Throws Failure('credentials'). */
function atHand({ name, clientSecret }: StoredProfile, env: Environment): string | null {
  if (env[secretVariable] !== undefined) return fromVariable(name, secretVariable, env)
  if (!clientSecret) {
    throw unusable(name, 'is not known', hint`Give it with --client-secret-file of \`${paste('profile add')}\`.`)
  }
  if (clientSecret.from === 'file') return fromFile(name, clientSecret.path)
  if (clientSecret.from === 'env') return fromVariable(name, clientSecret.name, env)
  return clientSecret.from === 'config' ? clientSecret.value : null
}

/** Fetches the client secret of a profile. Throws Failure('credentials'). */
export async function fetchSecret(profile: StoredProfile, env: Environment, keyring: Keyring): Promise<string> {
  const secret = atHand(profile, env) ?? (await keyring.read(keyringAccount(profile)))
  if (secret) return secret
  const again = paste('profile add', blank('…'), '--client-secret-stdin', '--replace')
  throw unusable(profile.name, 'is not in the keyring of this machine', hint`Give it again with \`${again}\`.`)
}

/**
 * The same where it costs nothing to look: null in the keyring, which may ask a person to open it, and where it cannot be used. A
 * service may quote it though it was not asked with it.
 */
export function secretAtHand(profile: StoredProfile, env: Environment): string | null {
  try {
    return atHand(profile, env)
  } catch {
    return null
  }
}
