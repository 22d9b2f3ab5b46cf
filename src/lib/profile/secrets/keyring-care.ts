/** Secrets that no profile uses any more leave the keyring with the profile. */
import { Failure } from '../../failure.ts'
import type { Kept } from '../profiles.ts'
import type { StoredProfile } from '../settings/stored.ts'
import type { Keyring } from './keyring.ts'
import { keyringAccount } from './secret.ts'

/** The profile of a name where it can be read; a damaged one uses nothing that could be told. */
function readable(kept: Kept, name: string): StoredProfile | null {
  try {
    return kept.profile(name)
  } catch {
    return null
  }
}

/** Takes the secret of a former profile out of the keyring, unless another profile has it there. Gives back warnings. */
export async function forgetUnused(former: StoredProfile, kept: Kept, keyring: Keyring): Promise<readonly string[]> {
  if (former.clientSecret?.from !== 'keyring') return []
  const account = keyringAccount(former)
  const used = kept.names.some((name) => {
    const profile = readable(kept, name)
    return profile?.clientSecret?.from === 'keyring' && keyringAccount(profile) === account
  })
  if (used) return []
  try {
    await keyring.forget(account)
    return []
  } catch (error) {
    const why = error instanceof Failure ? error.message : 'unknown reason'
    return [`the old secret may still be in the keyring (paydesk, ${account}): ${why}`]
  }
}
