/** A profile that a command is to speak of: one of the settings, a built-in one, or one that the journal still knows. */
import { isBuiltIn } from '../../profile/built-in.ts'
import { Profiles } from '../../profile/profiles.ts'
import { unknownProfile } from '../../profile/unknown-profile.ts'
import type { Invocation } from '../invocation.ts'
import { isNewJournal, journalPlace } from './journal-place.ts'

async function isInJournal(profile: string, invocation: Invocation): Promise<boolean> {
  const place = journalPlace(invocation)
  if (isNewJournal(place)) return false
  const { openJournal } = await import('../../journal/open.ts')
  const { journal, close } = await openJournal(place, invocation.edge.clock, invocation.edge.random)
  try {
    return (await journal.list({ profile, limit: 1 })).length > 0
  } finally {
    await close()
  }
}

/** Settings that cannot be read are told by the commands that need them. */
function namesIn(profiles: Profiles): readonly string[] | null {
  try {
    return profiles.readNow().names
  } catch {
    return null
  }
}

/**
 * Throws credentials (4) for a profile that neither the settings nor the journal know. Where the journal cannot be read, the
 * command that needs it says so; one that acts as the profile needs its settings.
 */
export async function profileMustBeKnown(profile: string, invocation: Invocation): Promise<void> {
  if (isBuiltIn(profile)) return
  const names = namesIn(new Profiles(invocation.places.config))
  if (names === null || names.includes(profile)) return
  if (await isInJournal(profile, invocation).catch(() => true)) return
  throw unknownProfile(profile, { names })
}
