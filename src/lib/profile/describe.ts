/** A profile as people may see it: everything but a secret. Of a secret it says where it is and whether it can be had there. */
import { fromMinorUnits, JsonNumber } from '../contract/core/decimal.ts'
import { originOf } from '../contract/service.ts'
import type { Environment } from '../edge.ts'
import { othersMayRead, unreadable } from '../paths.ts'
import type { ResultOf } from '../result.ts'
import { amountOf, countedBy, type Limit, leftOf, limitText, type Spent } from '../spending.ts'
import { type BuiltIn, builtIn, isBuiltIn } from './built-in.ts'
import { limitsIn } from './limits.ts'
import { type Part, serviceAddress, serviceIdOf } from './parts.ts'
import { usualGuard } from './profile.ts'
import type { Kept } from './profiles.ts'
import type { profileResult, profilesListedResult } from './result.ts'
import { secretOf, secretVariable, sourceInWords } from './secret.ts'
import { type SettingName, settingNames, settings } from './settings.ts'
import type { StoredProfile } from './stored.ts'

export type DescribedSecret = NonNullable<DescribedProfile['clientSecret']>

export type DescribedProfile = ResultOf<typeof profileResult>

export type DescribedLimit = DescribedProfile['limits'][number]

export type DescribedService = NonNullable<DescribedProfile['services']>[Part]

function describeService(profile: StoredProfile, part: Part): DescribedService {
  const serviceId = serviceIdOf(profile, part)
  return { serviceId, moved: serviceId !== originOf(serviceAddress(profile, part)) }
}

function fileRemark(path: string): { there: boolean; remark: string | null } {
  const why = unreadable(path)
  if (why !== null) return { there: false, remark: `cannot be read: ${why}` }
  return { there: true, remark: othersMayRead(path) ? 'others can read it' : null }
}

function variableRemark(value: string | undefined): { there: boolean; remark: string | null } {
  if (value === undefined) return { there: false, remark: 'is not set' }
  const text = secretOf(value)
  return text.ok ? { there: true, remark: null } : { there: false, remark: text.complaint }
}

function describeSecret(profile: StoredProfile, env: Environment): DescribedSecret | null {
  const source = profile.clientSecret
  const where = sourceInWords(source, env)
  if (where === null) return null
  if (env[secretVariable] !== undefined) return { from: 'env', where, ...variableRemark(env[secretVariable]) }
  if (source?.from === 'file') return { from: 'file', where, ...fileRemark(source.path) }
  if (source?.from === 'env') return { from: 'env', where, ...variableRemark(env[source.name]) }
  if (source?.from === 'keyring') return { from: 'keyring', where, there: null, remark: null }
  return { from: 'config', where, there: true, remark: null }
}

function problemsOf(profile: StoredProfile): string[] {
  return settingNames.flatMap((name) => {
    const path = settings[name].takes === 'file' ? profile[name] : undefined
    const why = typeof path === 'string' ? unreadable(path) : null
    return why === null ? [] : [`--${settings[name].flag}: ${path} cannot be read: ${why}`]
  })
}

/** `spent` is null where the journal was not asked. */
function describeLimit(limit: Limit, spent: Spent | null): DescribedLimit {
  const { currency, per, most } = limit
  const told = (amount: bigint) => new JsonNumber(currency === null ? String(amount) : fromMinorUnits(amount))
  const isCounted = spent !== null && per !== 'payout'
  return {
    ...{ limit: limitText(limit), currency, per, most: told(most) },
    spent: isCounted ? told(amountOf(limit, countedBy(limit, spent))) : null,
    left: isCounted ? told(leftOf(limit, spent)) : null,
  }
}

export function describeProfile(
  profile: StoredProfile,
  kept: Kept,
  env: Environment,
  spent: Spent | null = null,
): DescribedProfile {
  const values = Object.fromEntries(settingNames.map((name) => [name, profile[name] ?? null]))
  return {
    name: profile.name,
    builtIn: false,
    default: kept.default === profile.name,
    ...(values as { [Name in SettingName]: string | boolean | null }),
    environment: profile.environment,
    duplicateGuard: profile.duplicateGuard ?? usualGuard(profile.environment),
    clientSecret: describeSecret(profile, env),
    limits: limitsIn(profile.limits).map((limit) => describeLimit(limit, spent)),
    services: {
      payouts: describeService(profile, 'payouts'),
      orders: describeService(profile, 'orders'),
      wallet: describeService(profile, 'wallet'),
    },
    problems: problemsOf(profile),
  }
}

const nothingSet = Object.fromEntries(settingNames.map((name) => [name, null])) as { [Name in SettingName]: null }

/** A built-in profile: the sandbox makes its settings, so there are none to show. */
export function describeBuiltIn(name: BuiltIn, kept: Kept): DescribedProfile {
  const about = { name, builtIn: true, default: kept.default === name }
  return {
    ...about,
    ...nothingSet,
    environment: 'sandbox',
    clientSecret: null,
    limits: [],
    services: null,
    problems: [],
  }
}

export type ListedProfile = ResultOf<typeof profilesListedResult>[number]

function listed(name: string, kept: Kept): ListedProfile {
  const about = { name, builtIn: isBuiltIn(name), default: kept.default === name }
  if (isBuiltIn(name)) return { ...about, environment: 'sandbox', baseUrl: null, clientId: null, problem: null }
  try {
    const { environment = null, baseUrl = null, clientId = null } = kept.profile(name) ?? {}
    return { ...about, environment, baseUrl, clientId, problem: null }
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    return { ...about, environment: null, baseUrl: null, clientId: null, problem }
  }
}

/** Every profile there is, the built-in ones last. */
export function listProfiles(kept: Kept): readonly ListedProfile[] {
  const own = kept.names.filter((name) => !isBuiltIn(name))
  return [...own, ...builtIn].map((name) => listed(name, kept))
}
