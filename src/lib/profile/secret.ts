/**
 * The client secret: where it is, and how it is fetched from there at the last moment. PAYDESK_CLIENT_SECRET overrides
 * all. No message of this module holds a secret or a part of one.
 */
import type { Environment } from '../edge.ts'
import { Failure, FailureBeforeSending } from '../failure.ts'
import { blank, type Hint, hint, paste } from '../hint.ts'
import { contents, mustBeOwn, othersMayRead, textOf } from '../paths.ts'
import { codePoint, withoutEnds } from '../text.ts'
import { type Setting, settingNames, settings } from './settings.ts'
import type { SecretSource, StoredProfile } from './stored.ts'

export const secretVariable = 'PAYDESK_CLIENT_SECRET'

type SecretText = { readonly ok: true; readonly secret: string } | { readonly ok: false; readonly complaint: string }

const lineEnds = '\r\n'

const characters: Readonly<Record<string, string>> = {
  ' ': 'a blank',
  '\t': 'a tab',
  '\n': 'a line break',
  '\r': 'a line break',
}

/** A character that nobody sees, by its name. */
function nameOf(character: string): string {
  return characters[character] ?? `the character ${codePoint(character)}`
}

/** A secret as a file, a pipe or a variable holds it, without the mark of its encoding and the line breaks around it. */
export function secretOf(given: Uint8Array | string): SecretText {
  const text = typeof given === 'string' ? given.replace(/^\uFEFF/, '') : textOf(given)
  if (text === null) return { ok: false, complaint: 'is not UTF-8 text' }
  if (text.includes('\0')) return { ok: false, complaint: 'is UTF-16 without its mark, or no text: save it as UTF-8' }
  const secret = withoutEnds(text, lineEnds)
  if (secret.trim() === '') return { ok: false, complaint: 'is empty' }
  const unseen = /[\s\p{Cc}\p{Cf}]/u.exec(secret)
  if (unseen === null) return { ok: true, secret }
  return {
    ok: false,
    complaint: `has ${nameOf(unseen[0])} in it, as character ${unseen.index + 1}: is it the right text?`,
  }
}

/** The secret in a file; a complaint is in words that follow its path. */
export function secretIn(path: string): SecretText {
  const file = contents(path)
  return 'why' in file ? { ok: false, complaint: `cannot be read: ${file.why}` } : secretOf(file.bytes)
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
  if (value === undefined) throw unusable(profile, `is in ${where}, which is not set`, hint`Set ${variable}.`)
  const text = secretOf(value)
  if (!text.ok)
    throw unusable(profile, `comes from ${where}, which ${text.complaint}`, hint`Set ${variable}, or remove it.`)
  return text.secret
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
  if (secret) return withoutEnds(secret, lineEnds)
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

export interface Keyring {
  /** The secret of an account; null where there is none. */
  read(account: string): Promise<string | null>
  write(account: string, secret: string): Promise<void>
  forget(account: string): Promise<void>
}

const service = 'paydesk'

async function entry(account: string) {
  const { AsyncEntry } = await import('@napi-rs/keyring')
  return new AsyncEntry(service, account, { linux: { store: 'secret-service' } })
}

async function orFail<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    // Of the library's words only the first line, cut: it never quotes a secret today, and shall not fill a screen either.
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '').slice(0, 160) : 'unknown reason'
    throw new Failure('credentials', `the keyring of this machine cannot be used: ${why}`, {
      hints: [
        hint`Keep the secret in a file: \`profile add\` with --client-secret-file <file>.`,
        hint`Or in an environment variable: --client-secret-env <NAME>, or PAYDESK_CLIENT_SECRET for every profile.`,
        hint`Or in the configuration file itself, mode 0600: add --store-secrets.`,
      ],
    })
  }
}

export const systemKeyring: Keyring = {
  read: (account) => orFail(async () => (await entry(account)).getPassword()),
  write: (account, secret) => orFail(async () => (await entry(account)).setPassword(secret)),
  forget: (account) =>
    orFail(async () => {
      await (await entry(account)).deleteCredential()
    }),
}

/** The files that a profile names: those with a secret, and those that anybody may read. */
export function filesOfProfile(profile: StoredProfile): {
  readonly secret: readonly string[]
  readonly open: readonly string[]
} {
  const files = settingNames.flatMap((name) => {
    const { takes, isSecret = false }: Setting = settings[name]
    const path = takes === 'file' ? profile[name] : undefined
    return typeof path === 'string' ? [{ path, isSecret }] : []
  })
  const { clientSecret } = profile
  return {
    secret: [
      ...(clientSecret?.from === 'file' ? [clientSecret.path] : []),
      ...files.flatMap(({ path, isSecret }) => (isSecret ? [path] : [])),
    ],
    open: files.flatMap(({ path, isSecret }) => (isSecret ? [] : [path])),
  }
}

/** A line for every file of the profile that holds a secret and may be read by others. */
export function openToOthers(profile: StoredProfile, configFile: string): readonly string[] {
  const files = [...(profile.clientSecret?.from === 'config' ? [configFile] : []), ...filesOfProfile(profile).secret]
  return [...new Set(files)].filter(othersMayRead).map((file) => `others can read ${file}: run chmod 600`)
}

const variable = 'NODE_TLS_REJECT_UNAUTHORIZED'

/** The warning where certificates are not checked; null where they are. Throws Failure('credentials') for a live profile. */
export function uncheckedCertificates({ name, environment }: StoredProfile, env: Environment): string | null {
  if (env[variable] !== '0') return null
  const why = `${variable}=0 lets anybody pose as the service`
  if (environment !== 'live') return `CERTIFICATES ARE NOT CHECKED: ${why}; unset it, and name your own with --ca-file`
  throw new FailureBeforeSending('credentials', `${why}: the live profile ${name} cannot be used with this setting`, {
    hints: [
      hint`unset ${variable}`,
      hint`A certificate of your own is trusted with \`${paste('profile add', blank('…'), '--ca-file', blank('<file>'))}\`.`,
    ],
  })
}
