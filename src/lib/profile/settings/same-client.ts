/**
 * Profiles that are one client of one service. What any of them sends counts against the limits of each, because it is the same
 * money; a profile is held by its own limits.
 */
import { isSameService, type ServicePlace } from '../../contract/service.ts'
import { Failure } from '../../failure.ts'
import type { Kept } from '../profiles.ts'
import { serviceAddress, serviceIdOf } from './part.ts'
import type { StoredProfile } from './stored.ts'

/** The client of payouts that a profile is; null where it has none. Two spellings of a client id are one client. */
export function payoutsPlace(profile: StoredProfile): ServicePlace | null {
  const { clientId, environment } = profile
  if (clientId === undefined) return null
  const service = serviceAddress(profile, 'payouts')
  return { service, serviceId: serviceIdOf(profile, 'payouts'), environment, clientId: clientId.toLowerCase() }
}

function limitsInWords({ name, limits = [] }: StoredProfile): string {
  return `${name} has ${limits.length === 0 ? 'none' : limits.join(', ')}`
}

/** A remark for each other profile of the same client that has other limits. */
export function limitedOtherwise(profile: StoredProfile, kept: Kept): string[] {
  const place = payoutsPlace(profile)
  if (!place) return []
  return kept.names.flatMap((name) => {
    const other = name === profile.name ? null : usable(kept, name)
    const there = other && payoutsPlace(other)
    if (!there || !isSameService(place, there) || isSameSet(profile.limits, other.limits)) return []
    const words = `${limitsInWords(profile)}; ${limitsInWords(other)}`
    return [`${name} is the same client: its payouts count here, too, but each is held by its own limits (${words})`]
  })
}

function isSameSet(one: readonly string[] = [], other: readonly string[] = []): boolean {
  return one.toSorted().join() === other.toSorted().join()
}

/** The profile of a name; null where it breaks the rules. */
export function usable(kept: Kept, name: string): StoredProfile | null {
  try {
    return kept.profile(name)
  } catch (error) {
    // A profile that breaks the rules sends nothing.
    if (error instanceof Failure) return null
    throw error
  }
}
