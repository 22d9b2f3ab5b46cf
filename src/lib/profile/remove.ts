/** `profile remove`: takes a profile away, and its secret out of the keyring. Files that it named are left alone. */

import type { ResultOf } from '../result.ts'
import type { Kept, Profiles } from './profiles.ts'
import type { profileRemovedResult } from './result.ts'
import type { Keyring } from './secrets/keyring.ts'
import { forgetUnused } from './secrets/keyring-care.ts'
import type { StoredProfile } from './settings/stored.ts'
import { unknownProfile } from './unknown-profile.ts'

function former(kept: Kept, name: string): StoredProfile | null {
  try {
    return kept.profile(name)
  } catch {
    // A profile that breaks the rules can still be removed.
    return null
  }
}

export type Removed = ResultOf<typeof profileRemovedResult>

export async function removeProfile(name: string, profiles: Profiles, keyring: Keyring): Promise<Removed> {
  const before = await profiles.read()
  if (!before.names.includes(name)) throw unknownProfile(name, before)
  const profile = former(before, name)
  const kept = await profiles.remove(name)
  const wasDefault = before.default === name
  const warnings = [
    ...(wasDefault ? ['it was the default; commands without --profile now need another one'] : []),
    ...(profile ? await forgetUnused(profile, kept, keyring) : []),
  ]
  return { name, wasDefault, warnings }
}
