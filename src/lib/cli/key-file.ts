/**
 * Where the keys of a command come from: the files that its flags name, else the environment, else the profile, whose
 * wallet may have others than its orders. Keys are read in any form; what cannot serve is refused by its name, and a
 * private key that others may read is remarked upon.
 */
import type { KeyObject } from 'node:crypto'
import { readPrivateKey, readPublicKey, requireRsaKey } from '../envelope/keys/key.ts'
import { smallExponent } from '../envelope/keys/sound-key.ts'
import type { NamedKey } from '../envelope/patient.ts'
import type { Scheme } from '../envelope/scheme.ts'
import { Failure } from '../failure.ts'
import { chooseProfile, type ProfileChoice } from '../profile/choose.ts'
import type { Profile } from '../profile/profile.ts'
import { Profiles } from '../profile/profiles.ts'
import { identityOf, type Part } from '../profile/settings/part.ts'
import { privateKeyVariable, schemeFor } from '../profile/settings/seal.ts'
import { settings } from '../profile/settings/setting.ts'
import type { BuiltIn, StoredProfile } from '../profile/settings/stored.ts'
import { contents, mustBeOwn, othersMayRead } from '../readable-file.ts'

/** What of the outside world says where keys are. */
export interface KeyPlaces {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The directory of the configuration. */
  readonly config: string
  /** The value of --profile. */
  readonly profile: string | undefined
  /** Hears about a private key that others may read. */
  readonly warn: (line: string) => void
}

const otherwise = 'Or name the key itself, with --private-key <file> or --public-key <file>.'

interface Named {
  readonly path: string
  /** The flag or the variable that named it. */
  readonly by: string
}

function bytesOf(path: string, name: string): Buffer {
  mustBeOwn(path, 'the key file')
  const file = contents(path)
  if ('bytes' in file) return file.bytes
  throw new Failure('credentials', `${name} cannot be read: ${file.why}`)
}

function remarkUpon(path: string, key: KeyObject, warn: KeyPlaces['warn']): void {
  if (key.type === 'private' && othersMayRead(path)) warn(`others may read ${path}: chmod 600 keeps it to yourself`)
  const unusual = smallExponent(key)
  if (unusual !== null) warn(`the key in ${path} ${unusual}`)
}

/** A key of either half. Throws Failure('credentials'). */
export function keyIn(path: string, warn: KeyPlaces['warn']): KeyObject {
  const key = requireRsaKey(bytesOf(path, path), path)
  remarkUpon(path, key, warn)
  return key
}

function privateKeyIn({ path, by }: Named, warn: KeyPlaces['warn']): NamedKey {
  const name = `${by} ${path}`
  const key = readPrivateKey(bytesOf(path, name), name)
  remarkUpon(path, key, warn)
  return { name: path, key }
}

function publicKeyIn({ path, by }: Named, warn: KeyPlaces['warn']): NamedKey {
  const name = `${by} ${path}`
  const key = readPublicKey(bytesOf(path, name), name)
  remarkUpon(path, key, warn)
  return { name: path, key }
}

function choiceOf({ env, config, profile }: KeyPlaces): Promise<ProfileChoice> {
  return chooseProfile({ flag: profile, env, atTerminal: false }, new Profiles(config))
}

/**
 * The profile whose settings count: where the key is given otherwise (`keyGiven`), only one that was named, because a default
 * says nothing about an envelope that came by mail. Throws Failure('credentials') where one is needed and none is meant.
 */
async function meant(places: KeyPlaces, keyGiven: boolean): Promise<ProfileChoice | null> {
  if (keyGiven) return places.profile === undefined ? null : choiceOf(places)
  try {
    return await choiceOf(places)
  } catch (error) {
    throw error instanceof Failure ? error.with({ hints: [otherwise] }) : error
  }
}

/** The files that the profile meant names keys with. Throws Failure('credentials'). */
export async function keyFiles(places: KeyPlaces): Promise<readonly string[]> {
  const choice = await meant(places, false)
  if (choice?.kind !== 'stored') return []
  const { privateKeyFile, servicePublicKeyFile, walletPrivateKeyFile, walletServicePublicKeyFile } = choice.profile
  const files = [privateKeyFile, servicePublicKeyFile, walletPrivateKeyFile, walletServicePublicKeyFile]
  return files.filter((file) => file !== undefined)
}

/** Whose envelopes these are, and the keys for them; these are read when somebody asks for them. */
export interface Owner {
  /** Who it is to the service; null where the profile does not say. */
  readonly identifier: string | null
  /** How it seals; OAEP where the profile says nothing. */
  readonly scheme: Scheme
  readonly orderType: Profile['orderType']
  /** Throw Failure('credentials'). */
  readonly publicKey: () => NamedKey
  readonly privateKeys: () => Promise<readonly NamedKey[]>
}

type KeySetting = 'privateKeyFile' | 'servicePublicKeyFile' | 'walletPrivateKeyFile' | 'walletServicePublicKeyFile'

/** The key files of these settings that the profile has. Throws Failure('credentials') that names the last if it has none. */
function filesOf(profile: StoredProfile, names: readonly [...KeySetting[], KeySetting]): readonly Named[] {
  const files = names.flatMap((name) => {
    const path = profile[name]
    return path === undefined ? [] : [{ path, by: `--${settings[name].flag} of profile ${profile.name}` }]
  })
  if (files.length > 0) return files
  const { flag } = settings[names.at(-1) ?? names[0]]
  throw new Failure('credentials', `profile ${profile.name} has no ${flag.replaceAll('-', ' ')}`, {
    hints: [`Give it: \`paydesk profile add ${profile.name} --${flag} <file>\`.`, otherwise],
  })
}

function storedOwner(profile: StoredProfile, part: Part | null, warn: KeyPlaces['warn']): Owner {
  const wallet = part === 'wallet'
  return {
    identifier: identityOf(profile, wallet ? 'wallet' : 'orders') ?? null,
    scheme: schemeFor(profile, wallet ? 'wallet' : 'orders'),
    orderType: profile.orderType ?? null,
    publicKey: () => {
      const [file] = filesOf(profile, [
        ...(wallet ? (['walletServicePublicKeyFile'] as const) : []),
        'servicePublicKeyFile',
      ])
      return publicKeyIn(file as Named, warn)
    },
    privateKeys: async () => {
      const files = filesOf(profile, ['walletPrivateKeyFile', 'privateKeyFile'])
      return (wallet ? files : files.toReversed()).map((file) => privateKeyIn(file, warn))
    },
  }
}

/** A profile of the sandbox, which has keys and no files. */
export type BuiltInProfile = (name: BuiltIn, part: Part) => Promise<Profile>

function keysOf({ name, part, seal }: Profile): readonly NamedKey[] {
  return (seal?.own ?? []).map((key) => ({ name: `${name} (${part})`, key }))
}

async function builtInOwner(name: BuiltIn, part: Part | null, builtIn: BuiltInProfile): Promise<Owner> {
  const profile = await builtIn(name, part === 'wallet' ? 'wallet' : 'orders')
  const { seal } = profile
  if (!seal) throw new Failure('credentials', `the built-in profile ${name} has no keys`, { hints: [otherwise] })
  const ofWallet = async () => {
    try {
      return keysOf(await builtIn(name, 'wallet'))
    } catch (error) {
      if (error instanceof Failure && error.kind === 'credentials') return []
      throw error
    }
  }
  return {
    identifier: seal.identifier,
    scheme: seal.scheme,
    orderType: profile.orderType,
    publicKey: () => ({ name: `${name} (${profile.part})`, key: seal.toService }),
    privateKeys: async () => [...keysOf(profile), ...(part === null ? await ofWallet() : [])],
  }
}

/**
 * Whose keys count: those of the wallet where `part` says so, else of the orders; null where the key is given otherwise and
 * no profile was named. Throws Failure('credentials').
 */
export async function ownerFor(
  places: KeyPlaces,
  builtIn: BuiltInProfile,
  part: Part | null,
  keyGiven: boolean,
): Promise<Owner | null> {
  const choice = await meant(places, keyGiven)
  if (!choice) return null
  if (choice.kind === 'sandbox') return builtInOwner(choice.name, part, builtIn)
  return storedOwner(choice.profile, part, places.warn)
}

/** Whether keys to open with are named outside of profiles. */
export function privateKeyGiven(files: readonly string[], { env }: KeyPlaces): boolean {
  return files.length > 0 || Boolean(env[privateKeyVariable])
}

/** The private keys to open with, at least one. Throws Failure('credentials'). */
export async function privateKeys(
  files: readonly string[],
  { env, warn }: KeyPlaces,
  owner: Owner | null,
): Promise<readonly NamedKey[]> {
  if (files.length > 0) return files.map((path) => privateKeyIn({ path, by: '--private-key' }, warn))
  const path = env[privateKeyVariable]
  if (path) return [privateKeyIn({ path, by: privateKeyVariable }, warn)]
  return (await owner?.privateKeys()) ?? []
}

/** The public key to seal to. Throws Failure('credentials'). */
export function publicKey(file: string | undefined, owner: Owner | null, warn: KeyPlaces['warn']): NamedKey {
  if (file !== undefined) return publicKeyIn({ path: file, by: '--public-key' }, warn)
  if (owner) return owner.publicKey()
  throw new Failure('credentials', 'there is no key to seal to', { hints: [otherwise] })
}

/** The public keys that flags name. Throws Failure('credentials'). */
export function publicKeys(files: readonly string[], warn: KeyPlaces['warn']): readonly NamedKey[] {
  return files.map((path) => publicKeyIn({ path, by: '--public-key' }, warn))
}
