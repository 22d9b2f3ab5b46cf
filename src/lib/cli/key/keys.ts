/** The keys of a command: the files that its flags name, else the environment, else the profile. */
import type { NamedKey } from '../../envelope/patient.ts'
import { Failure } from '../../failure.ts'
import { chooseProfile, type ProfileChoice } from '../../profile/choose.ts'
import type { Part } from '../../profile/parts.ts'
import { Profiles } from '../../profile/profiles.ts'
import { privateKeyVariable } from '../../profile/settings/seal.ts'
import { ProfileAccess } from '../desk/profile.ts'
import type { SharedFlags } from '../flags/shared.ts'
import type { Invocation } from '../invocation.ts'
import { type KeyWarning, privateKeyIn, publicKeyIn } from './key-file.ts'
import { type BuiltInProfile, builtInOwner, type Owner, otherwise, storedOwner } from './owner.ts'

type Named = Pick<SharedFlags, 'profile'>

export class KeyAccess {
  /** Hears about a private key that others may read, and keys that are unusual. */
  readonly warn: KeyWarning
  readonly #invocation: Invocation
  readonly #builtIn: BuiltInProfile

  constructor(invocation: Invocation, warn: KeyWarning = (line) => invocation.output.warn(line)) {
    this.#invocation = invocation
    this.warn = warn
    this.#builtIn = new ProfileAccess(invocation).builtIn
  }

  #choice({ profile: flag }: Named): Promise<ProfileChoice> {
    const { edge, places } = this.#invocation
    return chooseProfile({ flag, env: edge.env, atTerminal: false }, new Profiles(places.config))
  }

  /** The profile that was named or is the default; null where there is none: what came by mail needs none. */
  async chosen(flags: Named): Promise<ProfileChoice | null> {
    try {
      return await this.#choice(flags)
    } catch (error) {
      const named = flags.profile !== undefined || Boolean(this.#invocation.edge.env.PAYDESK_PROFILE)
      if (named || !(error instanceof Failure)) throw error
      return null
    }
  }

  /**
   * The profile whose settings count: where the key is given otherwise, only one that was named, because a default says
   * nothing about an envelope that came by mail. Throws Failure('credentials') where one is needed and none is meant.
   */
  async #meant(flags: Named, keyGiven: boolean): Promise<ProfileChoice | null> {
    if (keyGiven) return flags.profile === undefined ? null : this.#choice(flags)
    try {
      return await this.#choice(flags)
    } catch (error) {
      throw error instanceof Failure ? error.with({ hints: [otherwise] }) : error
    }
  }

  /** The files that the profile names keys with. Throws Failure('credentials'). */
  async files(flags: Named): Promise<readonly string[]> {
    const choice = await this.#meant(flags, false)
    if (choice?.kind !== 'stored') return []
    const { privateKeyFile, servicePublicKeyFile, walletPrivateKeyFile, walletServicePublicKeyFile } = choice.profile
    const files = [privateKeyFile, servicePublicKeyFile, walletPrivateKeyFile, walletServicePublicKeyFile]
    return files.filter((file) => file !== undefined)
  }

  /**
   * The owner of the keys: the wallet where `part` says so, else the orders; null where the key is given otherwise and no
   * profile was named. Throws Failure('credentials').
   */
  async owner(flags: Named, part: Part | null, keyGiven: boolean): Promise<Owner | null> {
    const choice = await this.#meant(flags, keyGiven)
    if (!choice) return null
    if (choice.kind === 'sandbox') return builtInOwner(choice.name, part, this.#builtIn)
    return storedOwner(choice.profile, part, this.warn)
  }

  /** True if keys to open with are named outside of profiles. */
  privateGiven(files: readonly string[]): boolean {
    return files.length > 0 || Boolean(this.#invocation.edge.env[privateKeyVariable])
  }

  /** The private keys to open with, at least one. Throws Failure('credentials'). */
  async private(files: readonly string[], owner: Owner | null): Promise<readonly NamedKey[]> {
    if (files.length > 0) return files.map((path) => privateKeyIn({ path, by: '--private-key' }, this.warn))
    const path = this.#invocation.edge.env[privateKeyVariable]
    if (path) return [privateKeyIn({ path, by: privateKeyVariable }, this.warn)]
    return (await owner?.privateKeys()) ?? []
  }

  /** The public key to seal to. Throws Failure('credentials'). */
  public(file: string | undefined, owner: Owner | null): NamedKey {
    const [given] = this.publics(file === undefined ? [] : [file])
    if (given) return given
    if (owner) return owner.publicKey()
    throw new Failure('credentials', 'there is no key to seal to', { hints: [otherwise] })
  }

  /** The public keys that flags name. Throws Failure('credentials'). */
  publics(files: readonly string[]): readonly NamedKey[] {
    return files.map((path) => publicKeyIn({ path, by: '--public-key' }, this.warn))
  }
}
