/** A plan: what a file asks for, agreed to once. Its facts never change; its times, its conditions and its lease do. */

import type { ApprovablePlan } from '../approvals/subject.ts'
import { fromMinorUnits, JsonNumber } from '../contract/core/decimal.ts'
import { plannedOperation } from '../contract/operation.ts'
import { isSameService, originOf, type ServicePlace } from '../contract/service.ts'
import { scopeOf } from '../desk/new-intent.ts'
import { type PastedLine, paste } from '../hint.ts'
import { isRecord, readJson } from '../json.ts'
import type { Profile } from '../profile/profile.ts'
import { limitText } from '../spending.ts'
import type { PlanTableRow } from '../store/plans.ts'
import type { FileFormat, PainMessage } from './read/row.ts'

/** Milliseconds that a plan is valid: balance, duplicates and profile may change later. */
export const goodFor = 24 * 60 * 60 * 1000

export interface PlanFacts extends ServicePlace {
  readonly planId: string
  readonly name: string
  /** Why the same file is planned once more; null for the first time. */
  readonly again: string | null
  /** The name of the file, without its folders. */
  readonly file: string
  readonly format: FileFormat
  readonly profile: string
  readonly rows: number
  /** Minor units as text, by currency, in the order of the names. */
  readonly totals: Readonly<Record<string, string>>
  /** Of name, client and rows: equal plans have equal hashes. */
  readonly hash: string
  readonly headers: readonly string[]
  /** The header of a pain.001; null of other formats. */
  readonly message: PainMessage | null
  /** Of the bytes of the file. */
  readonly fileHash: string
  /** True if rows without a key keep the ids of the plan whose result file they came from. */
  readonly keepsIds?: boolean
  /** True if a person has looked at suspected duplicates, and means them. */
  readonly allowDuplicates: boolean
}

export interface Plan extends PlanFacts {
  readonly plannedAt: string
  readonly expiresAt: string
  readonly conditions: string
  readonly discardedAt: string | null
}

export function planOf(row: PlanTableRow): Plan {
  const facts = readJson(row.facts)
  if (!isRecord(facts)) throw new TypeError(`the facts of ${row.id} are no object`)
  return {
    ...(facts as Pick<Plan, keyof PlanFacts>),
    rows: Number(String(facts.rows)),
    plannedAt: row.planned_at,
    expiresAt: row.expires_at,
    conditions: row.conditions,
    discardedAt: row.discarded_at,
  }
}

/** "GEL 120.00 + USD 5.00": the words of consent. */
export function totalsInWords(totals: Readonly<Record<string, string>>): string {
  const sums = Object.entries(totals).map(([currency, units]) => `${currency} ${fromMinorUnits(BigInt(units))}`)
  return sums.length === 0 ? 'nothing' : sums.join(' + ')
}

export function planTotals(totals: Readonly<Record<string, string>>): Record<string, JsonNumber> {
  const sums = Object.entries(totals).map(
    ([currency, units]) => [currency, new JsonNumber(fromMinorUnits(BigInt(units)))] as const,
  )
  return Object.fromEntries(sums)
}

/** The profile, the address and the limits under which a plan is valid. */
export function conditionsOf(profile: Profile): string {
  const limits = profile.limits.map(limitText).toSorted()
  return JSON.stringify([...senderOf(profile), ...(limits.length === 0 ? [] : [limits])])
}

function senderOf({ name, service, serviceId, clientId, environment }: Profile): readonly string[] {
  return [name, environment, originOf(service), serviceId, clientId.toLowerCase()]
}

/** The part of the profile that has changed since the plan was made; null without a change. */
function changedIn({ conditions }: Plan, profile: Profile): 'profile' | 'limits' | null {
  if (conditions === conditionsOf(profile)) return null
  const before = readJson(conditions)
  const sender = senderOf(profile)
  const isSame = Array.isArray(before) && sender.every((part, at) => before[at] === part)
  return isSame ? 'limits' : 'profile'
}

/** True if a profile is still the client and the service of a plan: no other client can send its rows or read them. */
export function isSameSender(profile: ServicePlace, plan: Plan): boolean {
  return isSameService(scopeOf(profile), scopeOf(plan))
}

/** As `staleness`, whatever the profile is. */
export function ownStaleness({ discardedAt, expiresAt }: Plan, now: number): string | null {
  if (discardedAt !== null) return 'it was discarded'
  return now >= Date.parse(expiresAt) ? 'it was planned more than 24 hours ago' : null
}

/** Why a plan sends no new row any more, in words; null while it may. */
export function staleness(plan: Plan, profile: Profile, now: number): string | null {
  const changed = plan.discardedAt === null ? changedIn(plan, profile) : null
  if (changed === 'profile') return 'its profile has changed since it was planned'
  if (changed === 'limits') return 'the limits of its profile have changed since it was planned'
  return ownStaleness(plan, now)
}

const known = new WeakMap<Plan, ApprovablePlan>()
const alike = new Map<string, ApprovablePlan>()

/** The plan as other people approve it. Equal plans share one object: the journal opens rows of one object in one transaction. */
export function approvablePlan(plan: Plan): ApprovablePlan {
  const made = known.get(plan) ?? oneOf(plan)
  known.set(plan, made)
  return made
}

function oneOf({ planId, hash, profile, file, rows, totals, ...place }: Plan): ApprovablePlan {
  const { service, serviceId, environment, clientId } = place
  const client = { service, serviceId, environment, clientId }
  const made = { planId, hash, profile, file, rows, totals, ...client, operation: plannedOperation }
  const name = JSON.stringify(made)
  const one = alike.get(name) ?? made
  alike.set(name, one)
  return one
}

export type Resumable = Pick<Plan, 'planId' | 'environment' | 'totals'>

export function resumeLine({ planId, environment, totals }: Resumable): PastedLine {
  const consent = environment === 'sandbox' ? ['--yes'] : ['--confirm', totalsInWords(totals)]
  return paste('batch resume', planId, ...consent)
}
