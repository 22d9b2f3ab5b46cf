/**
 * `profile add`: makes a profile, or adds to one. A setting that a profile has already is never changed in passing: that
 * takes --replace. So the same line may run twice, and a missing area is added without typing everything again. One answer
 * names every mistake, before anything is written.
 */

import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Members } from '../contract/core/members.ts'
import type { Environment } from '../edge.ts'
import { type Half, readKey, smallExponent } from '../envelope/key.ts'
import { Failure } from '../failure.ts'
import { hint, paste } from '../hint.ts'
import { contents, mustBeOwn, othersMayRead, unreadable } from '../paths.ts'
import { isBuiltIn } from './built-in.ts'
import { limitsAfter } from './limits.ts'
import { readCertificateKey, readCertificates } from './profile.ts'
import { forgetUnused, type Kept, type Profiles } from './profiles.ts'
import { type Keyring, keyringAccount, secretIn, secretOf, secretVariable, sourceInWords } from './secret.ts'
import { limitedOtherwise, servicesAfter } from './service-names.ts'
import {
  type FlagComplaint,
  flagOf,
  type GivenSettings,
  identityComplaints,
  type Setting,
  secretFlags,
  settingNames,
  settings,
  settingsOf,
} from './settings.ts'
import {
  environmentName,
  nameComplaint,
  readSettings,
  type SecretSource,
  type StoredProfile,
  type StoredSettings,
} from './stored.ts'

export interface AddContext {
  readonly profiles: Profiles
  readonly keyring: Keyring
  readonly env: Environment
  readonly stdin: AsyncIterable<Buffer | string> & { readonly isTTY?: boolean }
}

export interface Added {
  readonly profile: StoredProfile
  /** True if the profile existed before. */
  readonly extended: boolean
  readonly warnings: readonly string[]
}

interface Made {
  readonly settings: StoredSettings
  readonly warnings: readonly string[]
}

function refused(complaints: readonly FlagComplaint[], isBuiltInName: boolean): Failure {
  const said = complaints.map(({ flag, message }) => `${flag} ${message}`).join('; ')
  return new Failure('usage', `the profile was not added: ${said}`, {
    hints: [...(isBuiltInName ? [tryLimits] : []), hint`\`${paste('profile add', '--help')}\` shows every flag.`],
  })
}

/** A built-in profile has no settings. */
const tryLimits = hint`To try limits in the sandbox, start it with \`${paste('sandbox start')}\`, and add a profile with its address, \`--environment test\`, and a client of \`${paste('sandbox world')}\`.`

/** Complaints about settings that the profile has already and that would change. */
function changes(before: StoredProfile, after: StoredSettings, draft: GivenSettings | object): FlagComplaint[] {
  return Object.keys(draft).flatMap((name) => {
    const had = before[name]
    // A secret in the keyring is not compared with the one that came: it counts as another.
    const same =
      isDeepStrictEqual(had, after[name]) && !(name === 'clientSecret' && after.clientSecret?.from === 'keyring')
    if (had === undefined || had === false || same) return []
    const now = name === 'clientSecret' ? `in ${sourceInWords(before.clientSecret, {})}` : String(had)
    return [{ flag: `--${flagOf(name)}`, message: `is already set (${now}); add --replace to change it` }]
  })
}

function existing(kept: Kept, name: string): StoredProfile | null {
  return nameComplaint(name) === null ? kept.profile(name) : null
}

/** The operator's word about another host. */
function wordOf(given: GivenSettings): 'same' | 'another' | null {
  if (given['same-service'] === true) return 'same'
  return given['another-service'] === true ? 'another' : null
}

function make(name: string, given: GivenSettings, secret: GivenSecret, kept: Kept): Made {
  const before = existing(kept, name)
  const draft = { ...settingsOf(given), ...(secret.source ? { clientSecret: secret.source } : {}) }
  const { name: _, limits: hadLimits, ...had } = before ?? { name }
  const { limits, ...changed } = limitsAfter(hadLimits, given)
  const merged = { ...had, ...draft, ...(limits.length > 0 ? { limits } : {}) }
  const read = readSettings(merged)
  const files = checkFiles(draft, merged)
  const nameWrong = nameComplaint(name)
  const change = { before, draft, word: wordOf(given), kept }
  const named = read.ok ? servicesAfter({ ...change, after: { ...read.settings, name } }) : null
  const complaints = [
    ...(nameWrong ? [{ flag: 'the name', message: nameWrong }] : []),
    ...(read.ok ? [] : read.complaints.map(({ setting, message }) => ({ flag: `--${flagOf(setting)}`, message }))),
    ...identityComplaints(draft),
    ...changed.complaints,
    ...[...secret.complaints, ...files.complaints].map(({ flag, message }) => ({ flag: `--${flag}`, message })),
    ...(read.ok && before && given.replace !== true ? changes(before, read.settings, draft) : []),
    ...(given['same-service'] && given['another-service']
      ? [{ flag: '--same-service', message: 'or --another-service: give one, not both' }]
      : (named?.complaints ?? [])),
  ]
  if (!read.ok || !named || complaints.length > 0) throw refused(complaints, isBuiltIn(name.toLowerCase()))
  const services = { ...before?.services, ...named.services }
  const warnings = [...secret.warnings, ...files.warnings, ...changed.looser]
  return { settings: { ...read.settings, services }, warnings }
}

/** Payments of a profile stand where they were made: another store does not know them. */
function elsewhere(before: StoredProfile | null, { store, name }: StoredProfile): string[] {
  if (before === null || before.store === store || store === undefined) return []
  return before.store === undefined
    ? [
        `earlier payments of ${name} are in this machine's journal; import them with \`paydesk journal import -p ${name}\``,
      ]
    : [`earlier payments of ${name} are in the store ${before.store}, which is no longer used`]
}

function remarks(profile: StoredProfile, kept: Kept, env: Environment): string[] {
  const noSecret = profile.clientId !== undefined && !profile.clientSecret && env[secretVariable] === undefined
  const secret = noSecret ? [`the profile has no client secret: payouts will need ${secretVariable}`] : []
  return [...secret, ...limitedOtherwise(profile, kept)]
}

/** Throws Failure('usage') with every complaint, or Failure('credentials') when there is no keyring. */
export async function addProfile(name: string, given: GivenSettings, context: AddContext): Promise<Added> {
  const { profiles, keyring, env, stdin } = context
  const secret = await secretGiven(given, env, stdin)
  // Once before the lock, so that a refused line leaves nothing behind, and once inside, on what is kept by then.
  make(name, given, secret, await profiles.read())
  let before: StoredProfile | null = null
  let made: Made | null = null
  const kept = await profiles.put(
    name,
    async (now) => {
      before = existing(now, name)
      made = make(name, given, secret, now)
      if (secret.forKeyring !== null) await keyring.write(keyringAccount(made.settings), secret.forKeyring)
      return made.settings
    },
    { asDefault: given.use === true },
  )
  const profile = kept.profile(name)
  if (!profile || !made) throw new Failure('bug', `profile ${name} was written and is not there`, { moneyMoved: 'no' })
  const { warnings } = made as Made
  const left = before ? await forgetUnused(before, kept, keyring) : []
  return {
    profile,
    extended: before !== null,
    warnings: [...warnings, ...elsewhere(before, profile), ...remarks(profile, kept, env), ...left],
  }
}

/** Files that hold an RSA key, and the half that each must hold. */
const keyFiles: Readonly<Record<string, Half>> = {
  privateKeyFile: 'private',
  walletPrivateKeyFile: 'private',
  servicePublicKeyFile: 'public',
  walletServicePublicKeyFile: 'public',
}

const wrongHalf = {
  private: 'is a public key; opening needs the private half of your pair',
  public: 'is a private key where the public one of the service belongs',
} as const

/** The complaint about a key, or a warning about it. */
function judgedKey(name: string, path: string): { readonly complaint?: string; readonly warning?: string } {
  const half = keyFiles[name]
  const file = half === undefined ? null : contents(path)
  if (half === undefined || file === null || 'why' in file) return {}
  const read = readKey(file.bytes)
  if (!read.ok) return { complaint: read.complaint }
  if (read.key.type !== half) return { complaint: wrongHalf[half] }
  const unusual = smallExponent(read.key)
  return unusual === null ? {} : { warning: `the key in ${path} ${unusual}` }
}

/** The path of a setting that is a file; null where it is not given. */
function pathIn(values: Members, name: string): string | null {
  const path = values[name]
  return typeof path === 'string' && path !== '' ? path : null
}

/** The complaint about a file of a setting, in words that follow its path; null for none. `merged`: all that is known of the profile. */
export function fileComplaint(name: string, path: string, merged: Members): string | null {
  const why = unreadable(path)
  if (why !== null) return `cannot be read: ${why}`
  const { complaint } = judgedKey(name, path)
  if (complaint !== undefined) return complaint
  if (name === 'caFile' || name === 'clientCertificateFile') {
    const read = readCertificates(path)
    return 'complaint' in read ? read.complaint : null
  }
  const certificateFile = pathIn(merged, 'clientCertificateFile')
  if (name !== 'clientKeyFile') return null
  const certificate = certificateFile === null ? null : readCertificates(certificateFile)
  // A certificate that cannot be read is its own complaint.
  if (certificate !== null && !('pem' in certificate)) return null
  const key = readCertificateKey(path, certificate?.pem ?? null)
  return 'complaint' in key ? key.complaint : null
}

/** Complaints about the files given now (`draft`), in the light of the settings that the profile has already (`merged`). */
function checkFiles(draft: Members, merged: Members) {
  const complaints: FlagComplaint[] = []
  const warnings: string[] = []
  for (const name of settingNames) {
    const { flag, takes, isSecret }: Setting = settings[name]
    const path = takes === 'file' ? pathIn(draft, name) : null
    if (path === null) continue
    const complaint = fileComplaint(name, path, merged)
    mustBeOwn(path, 'the file')
    const { warning } = complaint === null ? judgedKey(name, path) : {}
    if (warning !== undefined) warnings.push(warning)
    if (complaint !== null) complaints.push({ flag, message: `${path} ${complaint}` })
    else if (isSecret && othersMayRead(path)) {
      warnings.push(`others can read ${path}: run chmod 600`)
    }
  }
  return { complaints, warnings }
}

interface GivenSecret {
  readonly source: SecretSource | null
  /** The secret that must be in the keyring before the profile may say so. */
  readonly forKeyring: string | null
  readonly complaints: readonly FlagComplaint[]
  readonly warnings: readonly string[]
}

type Stdin = AsyncIterable<Buffer | string> & { readonly isTTY?: boolean }

const nothing: GivenSecret = { source: null, forKeyring: null, complaints: [], warnings: [] }

/** More than any secret; a wrong pipe shall not fill the memory. */
const longest = 64 * 1024

function wrong(flag: string, message: string): GivenSecret {
  return { ...nothing, complaints: [{ flag, message }] }
}

function taken(secret: string, otherwise: SecretSource, inConfig: boolean, warnings: readonly string[]): GivenSecret {
  return {
    source: inConfig ? { from: 'config', value: secret } : otherwise,
    forKeyring: !inConfig && otherwise.from === 'keyring' ? secret : null,
    complaints: [],
    warnings,
  }
}

function fromFile(typed: string, inConfig: boolean): GivenSecret {
  const flag = 'client-secret-file'
  if (typed === '') return wrong(flag, 'must not be empty')
  const path = resolve(typed)
  mustBeOwn(path, 'the file of the client secret')
  const text = secretIn(path)
  if (!text.ok) return wrong(flag, `${path} ${text.complaint}`)
  const open = othersMayRead(path) ? [`others can read ${path}: run chmod 600`] : []
  return taken(text.secret, { from: 'file', path }, inConfig, open)
}

function fromVariable(name: string, inConfig: boolean, env: Environment): GivenSecret {
  const flag = 'client-secret-env'
  // The text is not repeated: it may be the secret itself, given in the place of the name.
  if (!environmentName.test(name)) return wrong(flag, 'takes the name of an environment variable')
  const value = env[name]
  const text = value === undefined ? null : secretOf(value)
  if (text?.ok === false) return wrong(flag, `the variable ${name} ${text.complaint}`)
  if (text !== null) return taken(text.secret, { from: 'env', name }, inConfig, [])
  if (inConfig) return wrong(flag, `the variable ${name} is not set`)
  return { ...nothing, source: { from: 'env', name }, warnings: [`the variable ${name} is not set at the moment`] }
}

async function fromStdin(stdin: Stdin, inConfig: boolean): Promise<GivenSecret> {
  const flag = 'client-secret-stdin'
  if (stdin.isTTY) return wrong(flag, 'needs a pipe, such as `pass show pay | paydesk profile add …`')
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stdin) {
    chunks.push(Buffer.from(chunk))
    length += chunk.length
    if (length > longest) return wrong(flag, 'is too long for a secret')
  }
  const text = secretOf(Buffer.concat(chunks))
  return text.ok ? taken(text.secret, { from: 'keyring' }, inConfig, []) : wrong(flag, text.complaint)
}

async function secretGiven(given: GivenSettings, env: Environment, stdin: Stdin): Promise<GivenSecret> {
  const flags = secretFlags.filter((flag) => given[flag] !== undefined && given[flag] !== false)
  const inConfig = given['store-secrets'] === true
  const [flag] = flags
  if (flags.length > 1) return wrong(flag ?? '', `cannot stand beside --${flags.slice(1).join(', --')}`)
  if (flag === 'client-secret-file') return fromFile(String(given[flag]), inConfig)
  if (flag === 'client-secret-env') return fromVariable(String(given[flag]), inConfig, env)
  if (flag === 'client-secret-stdin') return fromStdin(stdin, inConfig)
  return inConfig ? wrong('store-secrets', 'needs a client secret to store') : nothing
}
