/**
 * Where the keys of a command come from: the files that its flags name, else the environment, else the profile. Keys are
 * read in any form; what cannot serve is refused by its name, and a private key that others may read is remarked upon.
 */
import type { KeyObject } from 'node:crypto'
import type { NamedKey } from './envelope/doctor.ts'
import { readPrivateKey, readPublicKey, requireKey } from './envelope/key.ts'
import type { Scheme } from './envelope/scheme.ts'
import { Failure } from './failure.ts'
import { chooseProfile } from './profile/choose.ts'
import { Profiles } from './profile/profiles.ts'
import { contents, othersMayRead } from './profile/readable-file.ts'
import { settings } from './profile/setting.ts'
import type { StoredProfile } from './profile/stored.ts'

export const privateKeyVariable = 'PAYDESK_PRIVATE_KEY_FILE'

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
  const file = contents(path)
  if ('bytes' in file) return file.bytes
  throw new Failure('credentials', `${name} cannot be read: ${file.why}`)
}

function remarkUpon(path: string, warn: KeyPlaces['warn']): void {
  if (othersMayRead(path)) warn(`others may read ${path}: chmod 600 keeps it to yourself`)
}

/** A key of either half. Throws Failure('credentials'). */
export function keyIn(path: string, warn: KeyPlaces['warn']): KeyObject {
  const key = requireKey(bytesOf(path, path), path)
  if (key.type === 'private') remarkUpon(path, warn)
  return key
}

function privateKeyIn({ path, by }: Named, warn: KeyPlaces['warn']): NamedKey {
  const name = `${by} ${path}`
  const key = readPrivateKey(bytesOf(path, name), name)
  remarkUpon(path, warn)
  return { name: path, key }
}

function publicKeyIn({ path, by }: Named): NamedKey {
  const name = `${by} ${path}`
  return { name: path, key: readPublicKey(bytesOf(path, name), name) }
}

async function profileMeant({ env, config, profile }: KeyPlaces): Promise<StoredProfile | null> {
  const choice = await chooseProfile({ flag: profile, env, atTerminal: false }, new Profiles(config))
  return choice.kind === 'stored' ? choice.profile : null
}

/**
 * The profile whose settings count: where the key is given otherwise (`keyGiven`), only one that was named, because a default
 * says nothing about an envelope that came by mail. Null is none, or the sandbox, which has no key files. Throws
 * Failure('credentials') where one is needed and none is meant.
 */
export async function profileFor(places: KeyPlaces, keyGiven: boolean): Promise<StoredProfile | null> {
  if (keyGiven) return places.profile === undefined ? null : profileMeant(places)
  try {
    return await profileMeant(places)
  } catch (error) {
    throw error instanceof Failure ? error.with({ hints: [otherwise] }) : error
  }
}

function fileOf(profile: StoredProfile | null, setting: 'privateKeyFile' | 'servicePublicKeyFile'): Named {
  const { flag } = settings[setting]
  if (!profile) throw new Failure('credentials', 'the sandbox has no key files', { hints: [otherwise] })
  const path = profile[setting]
  if (path !== undefined) return { path, by: `--${flag} of profile ${profile.name}` }
  throw new Failure('credentials', `profile ${profile.name} has no ${flag.replaceAll('-', ' ')}`, {
    hints: [`Give it: \`paydesk profile add ${profile.name} --${flag} <file>\`.`, otherwise],
  })
}

/** Whether keys to open with are named outside of profiles. */
export function privateKeyGiven(files: readonly string[], { env }: KeyPlaces): boolean {
  return files.length > 0 || Boolean(env[privateKeyVariable])
}

/** The private keys to open with, at least one. Throws Failure('credentials'). */
export function privateKeys(
  files: readonly string[],
  { env, warn }: KeyPlaces,
  profile: StoredProfile | null,
): readonly NamedKey[] {
  if (files.length > 0) return files.map((path) => privateKeyIn({ path, by: '--private-key' }, warn))
  const path = env[privateKeyVariable]
  if (path) return [privateKeyIn({ path, by: privateKeyVariable }, warn)]
  const own = privateKeyIn(fileOf(profile, 'privateKeyFile'), warn)
  const wallet = profile?.walletPrivateKeyFile
  return wallet ? [own, privateKeyIn({ path: wallet, by: '--wallet-private-key of the profile' }, warn)] : [own]
}

/** The public keys that flags name. Throws Failure('credentials'). */
export function publicKeys(files: readonly string[]): readonly NamedKey[] {
  return files.map((path) => publicKeyIn({ path, by: '--public-key' }))
}

/** The public key to seal to. Throws Failure('credentials'). */
export function publicKey(file: string | undefined, profile: StoredProfile | null): NamedKey {
  return publicKeyIn(file === undefined ? fileOf(profile, 'servicePublicKeyFile') : { path: file, by: '--public-key' })
}

/** The files that a profile names keys with. */
export function keyFilesOf(profile: StoredProfile | null): readonly string[] {
  const { privateKeyFile, servicePublicKeyFile, walletPrivateKeyFile, walletServicePublicKeyFile } = profile ?? {}
  const files = [privateKeyFile, servicePublicKeyFile, walletPrivateKeyFile, walletServicePublicKeyFile]
  return files.filter((file) => file !== undefined)
}

/** How the orders of a profile are sealed; OAEP where it says nothing. */
export function schemeOf(profile: StoredProfile | null): Scheme {
  return profile?.rsaPadding ?? 'oaep-sha256'
}
