/**
 * The service's own name of each part of a profile. It is made with the first address and stays while the spelling changes;
 * whether another host is the same service only the operator knows, and must say: keys would pay anew at another service.
 */
import { isSameService, originOf, type ServicePlace } from '../contract/service.ts'
import { addressSetting, identityOf, type Part, parts, serviceAddress, serviceIdOf } from './parts.ts'
import type { Kept } from './profiles.ts'
import { type FlagComplaint, flagOf } from './settings.ts'
import type { StoredProfile, StoredSettings } from './stored.ts'

interface Change {
  readonly before: StoredProfile | null
  readonly after: StoredProfile
  /** The settings given now. */
  readonly draft: object
  /** The operator's word about another host. */
  readonly word: 'same' | 'another' | null
  readonly kept: Kept
}

interface Named {
  readonly services: NonNullable<StoredSettings['services']>
  readonly complaints: readonly FlagComplaint[]
}

interface Moved {
  readonly flag: string
  readonly part: Part
  readonly from: string
  readonly to: string
}

/** Two spellings of a client id are one client. */
function clientOf(profile: StoredProfile, part: Part): string | undefined {
  return identityOf(profile, part)?.toLowerCase()
}

function originAt(profile: StoredProfile, part: Part): string {
  return originOf(serviceAddress(profile, part))
}

function isSameClient(one: StoredProfile, other: StoredProfile, part: Part): boolean {
  const client = clientOf(one, part)
  return client !== undefined && client === clientOf(other, part) && one.environment === other.environment
}

/** A name for a service that this profile had nothing to do with: the one that another profile knows it by, else its address. */
function newName({ after, kept }: Change, part: Part): string {
  const origin = originAt(after, part)
  const others = kept.names.filter((name) => name !== after.name).map((name) => kept.usable(name))
  const known = others.find((other) => other && isSameClient(other, after, part) && originAt(other, part) === origin)
  return known ? serviceIdOf(known, part) : origin
}

function nameOf(change: Change, part: Part): string | Moved {
  const { before, after, draft, word } = change
  if (!before || !isSameClient(before, after, part)) return newName(change, part)
  const had = serviceIdOf(before, part)
  const origin = originAt(after, part)
  const setting = addressSetting(after, part)
  if (origin === originAt(before, part)) return word === 'another' && setting in draft ? origin : had
  if (origin === had || word === 'same') return had
  if (word === 'another') return newName(change, part)
  return { flag: flagOf(setting), part, from: serviceAddress(before, part), to: serviceAddress(after, part) }
}

/** `--same-service` said of a part that is another service by its client or its environment. */
function impossible({ before, after, word }: Change, part: Part): boolean {
  if (word !== 'same' || !before || clientOf(before, part) === undefined) return false
  return originAt(before, part) !== originAt(after, part) && !isSameClient(before, after, part)
}

/** `--another-service` said of another spelling of the address that the part has: it is the same service. */
function isSameAddress({ before, after, word }: Change, part: Part): boolean {
  if (word !== 'another' || !before || !isSameClient(before, after, part)) return false
  const origin = originAt(after, part)
  const isRespelled = serviceAddress(before, part) !== serviceAddress(after, part)
  return isRespelled && origin === originAt(before, part) && origin === serviceIdOf(before, part)
}

function complaintsAbout(moved: readonly Moved[]): FlagComplaint[] {
  return [...new Set(moved.map(({ flag }) => flag))].map((flag) => {
    const own = moved.filter((each) => each.flag === flag)
    const names = own.map(({ part }) => part).join(' and ')
    const from = [...new Set(own.map((each) => each.from))].join(' and ')
    return {
      flag: `--${flag}`,
      message: `would move ${names} from ${from} to another host, ${own[0]?.to}: add --same-service if the same service is there (every --key stands for what it stood for), or --another-service if it is another one`,
    }
  })
}

/** The names after a change, and what is wrong with it. */
export function servicesAfter(change: Change): Named {
  const named = parts.map((part) => [part, nameOf(change, part)] as const)
  const moved = named.flatMap(([, name]) => (typeof name === 'string' ? [] : [name]))
  const isRespelled = parts.some((part) => isSameAddress(change, part))
  const isImpossible = parts.some((part) => impossible(change, part))
  return {
    services: Object.fromEntries(named.flatMap(([part, name]) => (typeof name === 'string' ? [[part, name]] : []))),
    complaints: [
      ...complaintsAbout(moved),
      ...(isImpossible
        ? [{ flag: '--same-service', message: 'cannot hold: another environment or another client is another service' }]
        : []),
      ...(isRespelled
        ? [{ flag: '--another-service', message: 'cannot hold: this is another spelling of the address that it has' }]
        : []),
    ],
  }
}

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
    const other = name === profile.name ? null : kept.usable(name)
    const there = other && payoutsPlace(other)
    if (!there || !isSameService(place, there) || isSameSet(profile.limits, other.limits)) return []
    const words = `${limitsInWords(profile)}; ${limitsInWords(other)}`
    return [`${name} is the same client: its payouts count here, too, but each is held by its own limits (${words})`]
  })
}

function isSameSet(one: readonly string[] = [], other: readonly string[] = []): boolean {
  return one.toSorted().join() === other.toSorted().join()
}
