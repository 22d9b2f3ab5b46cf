/** The profile that a line to paste has to name, after a run of this command line. */
import type { Config } from '@oclif/core'
import type { Naming } from '../../hint.ts'
import { places } from '../../home.ts'
import { namingIn } from '../../profile/choose.ts'
import { Profiles } from '../../profile/profiles.ts'
import type { Environment } from '../../profile/secrets/secret.ts'
import type { TypedLine } from '../flags/typed.ts'

/** Looks into the configuration even if others may write it: that they may can be the very failure that is told. */
export function namingOf(line: TypedLine, env: Environment, atTerminal: boolean, where: Config): Naming {
  const { configDir, dataDir, cacheDir } = where
  const flag = line.value('--profile')
  try {
    return namingIn({ flag, env, atTerminal }, new Profiles(places(env, { configDir, dataDir, cacheDir }).config))
  } catch {
    // Without a place for profiles, that very failure is told.
    return (profile) => profile ?? flag ?? null
  }
}
