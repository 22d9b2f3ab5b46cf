/** The keys of a command: the files that its flags name, else the environment, else the profile. */
import type { KeyObject } from 'node:crypto'
import type { NamedKey } from '../envelope/envelope.ts'
import { readPrivateKey, readPublicKey, requireRsaKey, smallExponent } from '../envelope/key.ts'
import type { Scheme } from '../envelope/scheme.ts'
import { Failure } from '../failure.ts'
import { blank, hint, paste } from '../hint.ts'
import { contents, mustBeOwn, warningsAbout } from '../paths.ts'
import type { BuiltIn } from '../profile/built-in.ts'
import { chooseProfile, type ProfileChoice } from '../profile/choose.ts'
import { identityOf, type Part } from '../profile/parts.ts'
import { type Profile, privateKeyVariable, schemeFor } from '../profile/profile.ts'
import { Profiles } from '../profile/profiles.ts'
import { settings } from '../profile/settings.ts'
import type { StoredProfile } from '../profile/stored.ts'
import { builtInProfile, serviceKeyOf } from './desk/profile.ts'
import type { SharedFlags } from './flags/shared.ts'
import type { Invocation } from './invocation.ts'

/** Hears what is unusual about a key that is used all the same. */
type KeyWarning = (line: string) => void

interface KeyFile {
  readonly path: string
  /** The flag or the variable that named it; null where it is named by itself. */
  readonly by: string | null
}

/** Throws Failure('credentials'). */
function keyFrom({ path, by }: KeyFile, read: (bytes: Buffer, name: string) => KeyObject, warn: KeyWarning): NamedKey {
  const name = by === null ? path : `${by} ${path}`
  mustBeOwn(path, 'the key file')
  const file = contents(path)
  if ('why' in file) throw new Failure('credentials', `${name} cannot be read: ${file.why}`)
  const key = read(file.bytes, name)
  const unusual = smallExponent(key)
  const remarks = [
    ...(key.type === 'private' ? warningsAbout(path) : []),
    ...(unusual === null ? [] : [`the key in ${path} ${unusual}`]),
  ]
  for (const remark of remarks) warn(remark)
  return { name: path, key }
}

/** A key of either half. Throws Failure('credentials'). */
export const keyIn = (path: string, warn: KeyWarning): KeyObject => keyFrom({ path, by: null }, requireRsaKey, warn).key

const privateKeyIn = (file: KeyFile, warn: KeyWarning) => keyFrom(file, readPrivateKey, warn)
const publicKeyIn = (file: KeyFile, warn: KeyWarning) => keyFrom(file, readPublicKey, warn)

const orNameTheKey = hint`Or name the key itself, with --private-key <file> or --public-key <file>.`

/** A profile as the owner of envelopes and keys, which are read when they are asked for; its wallet may have other keys than its orders. */
interface Owner {
  /** Its identity at the service; null where the profile does not say. */
  readonly identifier: string | null
  /** The scheme that it seals by; OAEP where the profile says nothing. */
  readonly scheme: Scheme
  readonly orderType: Profile['orderType']
  readonly publicKey: () => NamedKey
  readonly privateKeys: () => Promise<readonly NamedKey[]>
  /** The service's own key, which opens requests: known of the sandbox only. */
  readonly serviceKey: (() => Promise<NamedKey>) | null
}

type KeySetting = 'privateKeyFile' | 'servicePublicKeyFile' | 'walletPrivateKeyFile' | 'walletServicePublicKeyFile'

/** The key files of these settings that the profile has. Throws Failure('credentials') that names the last if it has none. */
function filesOf(
  profile: StoredProfile,
  names: readonly [...KeySetting[], KeySetting],
): readonly [KeyFile, ...KeyFile[]] {
  const [first, ...others] = names.flatMap((name) => {
    const path = profile[name]
    return path === undefined ? [] : [{ path, by: `--${settings[name].flag} of profile ${profile.name}` }]
  })
  if (first) return [first, ...others]
  const { flag } = settings[names.at(-1) ?? names[0]]
  throw new Failure('credentials', `profile ${profile.name} has no ${flag.replaceAll('-', ' ')}`, {
    hints: [hint`Give it: \`${paste('profile add', profile.name, `--${flag}`, blank('<file>'))}\`.`, orNameTheKey],
  })
}

function storedOwner(profile: StoredProfile, part: Part | null, warn: KeyWarning): Owner {
  const wallet = part === 'wallet'
  return {
    identifier: identityOf(profile, wallet ? 'wallet' : 'orders') ?? null,
    scheme: schemeFor(profile, wallet ? 'wallet' : 'orders'),
    orderType: profile.orderType ?? null,
    publicKey: () => {
      const own = wallet ? (['walletServicePublicKeyFile'] as const) : []
      const [file] = filesOf(profile, [...own, 'servicePublicKeyFile'])
      return publicKeyIn(file, warn)
    },
    privateKeys: async () => {
      const files = filesOf(profile, ['walletPrivateKeyFile', 'privateKeyFile'])
      return (wallet ? files : files.toReversed()).map((file) => privateKeyIn(file, warn))
    },
    serviceKey: null,
  }
}

function keysOf({ name, part, seal }: Profile): readonly NamedKey[] {
  return (seal?.own ?? []).map((key) => ({ name: `${name} (${part})`, key }))
}

/** The wallet's profile; null where the built-in one has no wallet. */
async function builtInWallet(invocation: Invocation, name: BuiltIn): Promise<Profile | null> {
  try {
    return await builtInProfile(invocation, name, 'wallet')
  } catch (error) {
    if (error instanceof Failure && error.kind === 'credentials') return null
    throw error
  }
}

async function builtInOwner(invocation: Invocation, name: BuiltIn, part: Part | null): Promise<Owner> {
  const own = part === 'wallet' ? 'wallet' : 'orders'
  const profile = await builtInProfile(invocation, name, own)
  const { seal } = profile
  if (!seal) throw new Failure('credentials', `the built-in profile ${name} has no keys`, { hints: [orNameTheKey] })
  return {
    identifier: seal.identifier,
    scheme: seal.scheme,
    orderType: profile.orderType,
    publicKey: () => ({ name: `${name} (${profile.part})`, key: seal.toService }),
    privateKeys: async () => {
      const wallet = part === null ? await builtInWallet(invocation, name) : null
      return [...keysOf(profile), ...(wallet ? keysOf(wallet) : [])]
    },
    serviceKey: async () => ({
      name: `service of ${name} (${own})`,
      key: await serviceKeyOf(invocation, name, own),
    }),
  }
}

type Named = Pick<SharedFlags, 'profile'>

function choiceOf({ edge, places }: Invocation, { profile: flag }: Named): Promise<ProfileChoice> {
  return chooseProfile({ flag, env: edge.env, atTerminal: false }, new Profiles(places.config))
}

/** The profile that was named or is the default; null where there is none: what came by mail needs none. */
export async function chosenProfile(invocation: Invocation, flags: Named): Promise<ProfileChoice | null> {
  try {
    return await choiceOf(invocation, flags)
  } catch (error) {
    const named = flags.profile !== undefined || Boolean(invocation.edge.env.PAYDESK_PROFILE)
    if (named || !(error instanceof Failure)) throw error
    return null
  }
}

/**
 * The profile whose settings count: where the key is given otherwise, only one that was named, because a default says
 * nothing about an envelope that came by mail. Throws Failure('credentials') where one is needed and none is meant.
 */
async function meantProfile(invocation: Invocation, flags: Named, keyGiven: boolean): Promise<ProfileChoice | null> {
  if (keyGiven) return flags.profile === undefined ? null : choiceOf(invocation, flags)
  try {
    return await choiceOf(invocation, flags)
  } catch (error) {
    throw error instanceof Failure ? error.with({ hints: [orNameTheKey] }) : error
  }
}

/** The files that the profile names keys with. Throws Failure('credentials'). */
export async function keyFilesOf(invocation: Invocation, flags: Named): Promise<readonly string[]> {
  const choice = await meantProfile(invocation, flags, false)
  if (choice?.kind !== 'stored') return []
  const { privateKeyFile, servicePublicKeyFile, walletPrivateKeyFile, walletServicePublicKeyFile } = choice.profile
  const files = [privateKeyFile, servicePublicKeyFile, walletPrivateKeyFile, walletServicePublicKeyFile]
  return files.filter((file) => file !== undefined)
}

/**
 * The owner of the keys: the wallet where `part` says so, else the orders; null where the key is given otherwise and no
 * profile was named. Throws Failure('credentials').
 */
export async function keyOwner(
  invocation: Invocation,
  flags: Named,
  part: Part | null,
  keyGiven: boolean,
  warn: KeyWarning = warnerOf(invocation),
): Promise<Owner | null> {
  const choice = await meantProfile(invocation, flags, keyGiven)
  if (!choice) return null
  if (choice.kind === 'sandbox') return builtInOwner(invocation, choice.name, part)
  return storedOwner(choice.profile, part, warn)
}

/** True where flags or the environment name a private key. */
export function isKeyGiven({ edge }: Invocation, files: readonly string[]): boolean {
  return files.length > 0 || Boolean(edge.env[privateKeyVariable])
}

/** The private keys to open with, at least one, and their owner as of `keyOwner`. Throws Failure('credentials'). */
export async function openingKeys(
  invocation: Invocation,
  flags: Named,
  part: Part | null,
  files: readonly string[],
  warn: KeyWarning = warnerOf(invocation),
): Promise<{ readonly owner: Owner | null; readonly keys: readonly NamedKey[] }> {
  const owner = await keyOwner(invocation, flags, part, isKeyGiven(invocation, files), warn)
  if (files.length > 0) return { owner, keys: files.map((path) => privateKeyIn({ path, by: '--private-key' }, warn)) }
  const path = invocation.edge.env[privateKeyVariable]
  if (path) return { owner, keys: [privateKeyIn({ path, by: privateKeyVariable }, warn)] }
  return { owner, keys: (await owner?.privateKeys()) ?? [] }
}

/** The part that sends requests under this identifier, where the profile says so: the wallet has one of its own. */
async function partOfSender(
  invocation: Invocation,
  flags: Named,
  identifier: string | null,
  keyGiven: boolean,
): Promise<Part | null> {
  const choice = identifier === null ? null : await meantProfile(invocation, flags, keyGiven)
  if (!choice) return null
  const [orders, wallet] =
    choice.kind === 'stored'
      ? [identityOf(choice.profile, 'orders'), identityOf(choice.profile, 'wallet')]
      : [null, (await builtInWallet(invocation, choice.name))?.clientId]
  return identifier === wallet && identifier !== orders ? 'wallet' : null
}

/**
 * The private keys for an envelope that names this sender, or none, as an answer does. A request of a built-in profile
 * opens with the key of the sandbox's service, which comes first. Throws Failure('credentials').
 */
export async function envelopeKeys(
  invocation: Invocation,
  flags: Named,
  identifier: string | null,
  { part = null, files }: { readonly part?: Part | null; readonly files: readonly string[] },
) {
  const keyGiven = isKeyGiven(invocation, files)
  const sender = part ?? (await partOfSender(invocation, flags, identifier, keyGiven))
  const { owner, keys } = await openingKeys(invocation, flags, sender, files)
  const service = identifier === null || keyGiven ? null : ((await owner?.serviceKey?.()) ?? null)
  return { owner, service, keys: service ? [service, ...keys] : keys }
}

/** The public key to seal to. Throws Failure('credentials'). */
export function sealingKey(invocation: Invocation, file: string | undefined, owner: Owner | null): NamedKey {
  const [given] = publicKeysIn(invocation, file === undefined ? [] : [file])
  if (given) return given
  if (owner) return owner.publicKey()
  throw new Failure('credentials', 'no public key to seal with', { hints: [orNameTheKey] })
}

/** The keys of --public-key. */
export function publicKeysIn(invocation: Invocation, files: readonly string[]): readonly NamedKey[] {
  return files.map((path) => publicKeyIn({ path, by: '--public-key' }, warnerOf(invocation)))
}

/** Tells what is unusual about a key, and that others may read a private one. */
export function warnerOf({ output }: Invocation): KeyWarning {
  return (line) => output.warn(line)
}
