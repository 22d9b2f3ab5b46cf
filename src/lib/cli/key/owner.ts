/** A profile as the owner of envelopes and keys; its wallet may have other keys than its orders. */
import type { NamedKey } from '../../envelope/patient.ts'
import type { Scheme } from '../../envelope/scheme.ts'
import { Failure } from '../../failure.ts'
import { blank, hint, paste } from '../../hint.ts'
import type { BuiltIn } from '../../profile/built-in.ts'
import type { Part } from '../../profile/parts.ts'
import type { Profile } from '../../profile/profile.ts'
import { identityOf } from '../../profile/settings/part.ts'
import { schemeFor } from '../../profile/settings/seal.ts'
import { settings } from '../../profile/settings/setting.ts'
import type { StoredProfile } from '../../profile/settings/stored.ts'
import { type KeyFile, type KeyWarning, privateKeyIn, publicKeyIn } from './key-file.ts'

export const otherwise = hint`Or name the key itself, with --private-key <file> or --public-key <file>.`

/** The owner's keys are read when they are asked for. */
export interface Owner {
  /** Its identity at the service; null where the profile does not say. */
  readonly identifier: string | null
  /** The scheme that it seals by; OAEP where the profile says nothing. */
  readonly scheme: Scheme
  readonly orderType: Profile['orderType']
  /** Throw Failure('credentials'). */
  readonly publicKey: () => NamedKey
  readonly privateKeys: () => Promise<readonly NamedKey[]>
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
    hints: [hint`Give it: \`${paste('profile add', profile.name, `--${flag}`, blank('<file>'))}\`.`, otherwise],
  })
}

export function storedOwner(profile: StoredProfile, part: Part | null, warn: KeyWarning): Owner {
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
  }
}

/** A profile of the sandbox, which has keys and no files. */
export type BuiltInProfile = (name: BuiltIn, part: Part) => Promise<Profile>

function keysOf({ name, part, seal }: Profile): readonly NamedKey[] {
  return (seal?.own ?? []).map((key) => ({ name: `${name} (${part})`, key }))
}

export async function builtInOwner(name: BuiltIn, part: Part | null, builtIn: BuiltInProfile): Promise<Owner> {
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
