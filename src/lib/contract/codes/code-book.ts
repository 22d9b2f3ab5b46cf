/**
 * The codes of the service by area, and what an answer proves of its attempt
 * (money-safety.md#the-one-rule-for-answers): code and group decide, never the HTTP status.
 */
import type { FailureName } from '../../failure.ts'
import { hint } from '../../hint.ts'
import type { Area } from '../operation.ts'
import type { Code } from '../status.ts'
import {
  bankCodes,
  businessCodes,
  missingCodes,
  permissionCodes,
  undecidedCodes,
  unexplainedCodes,
  unopenedCodes,
  validationCodes,
} from './order.ts'
import { payoutRefusals, undecidedPayouts } from './payout.ts'
import type { CodeRows } from './table.ts'

/** The exception groups of area A that were recorded. */
const payoutGroups: Readonly<Record<number, number>> = { 5003: 5, 5021: 3, 5023: 1, 5038: 1, 5045: 1, 5046: 1 }

/**
 * Codes that depend on the body alone. Not among them: vague ones (5039, 6049, 6095), 5043 (a body may be damaged on
 * its way), limits (5045, 5046).
 */
const dependsOnBodyAlone: ReadonlySet<number> = new Set([
  5023, 5042, 6021, 6024, 6034, 6058, 6059, 6060, 6061, 6062, 6066, 6068, 6097, 6098, 6113,
])

const exits: Readonly<Record<number, FailureName>> = {
  5003: 'credentials',
  5013: 'credentials',
  5017: 'duplicate',
  5021: 'credentials',
  6004: 'credentials',
  6008: 'credentials',
  6044: 'credentials',
  6005: 'not-found',
  6045: 'not-found',
  6046: 'not-found',
  6075: 'not-found',
  6100: 'not-found',
  6112: 'not-found',
  6023: 'duplicate',
}

function toCodes(rows: CodeRows, group: number | null, ran: Code['ran']): Code[] {
  return Object.entries(rows).map(([key, [name, means, next]]) => {
    const code = Number(key)
    const exit = ran === 'unknown' ? 'unknown' : (exits[code] ?? 'refused')
    const [inGroup, bodyOnly] = [group ?? payoutGroups[code] ?? null, dependsOnBodyAlone.has(code)]
    return { code, group: inGroup, name, means, ran, bodyOnly, exit, next: hint`${next}` }
  })
}

const byNumber = (codes: readonly Code[]): ReadonlyMap<number, Code> =>
  new Map(codes.toSorted((a, b) => a.code - b.code).map((code) => [code.code, code]))

export const payoutCodes = byNumber([
  ...toCodes(payoutRefusals, null, 'no'),
  ...toCodes(undecidedPayouts, null, 'unknown'),
])

export const orderCodes = byNumber([
  ...toCodes(validationCodes, 1, 'no'),
  ...toCodes(businessCodes, 2, 'no'),
  ...toCodes(permissionCodes, 3, 'no'),
  ...toCodes(missingCodes, 5, 'no'),
  ...toCodes(bankCodes, 4, 'unknown'),
  ...toCodes(unopenedCodes, 6, 'no'),
  ...toCodes(undecidedCodes, 6, 'unknown'),
  ...toCodes(unexplainedCodes, null, 'unknown'),
])

/** Validation, business rule, no permission, not found. */
export const refusingGroups: ReadonlySet<number> = new Set([1, 2, 3, 5])

export function codesOf(area: Area): ReadonlyMap<number, Code> {
  return area === 'A' ? payoutCodes : orderCodes
}

/** Of group 6: nothing was executed. */
export const harmlessCodes: ReadonlySet<number> = new Set([6010, 6011, 6013])

/**
 * A known code speaks for itself, unless areas B to D send it in a group that proves nothing; an unknown one there
 * speaks through its group. Area A is decided by code alone.
 */
export function ranNothing(
  area: Area,
  statusCode: number | null,
  exceptionGroup: number | null,
): Pick<Code, 'ran' | 'bodyOnly'> {
  const known = statusCode === null ? undefined : codesOf(area).get(statusCode)
  const grouped = area === 'A' || exceptionGroup === null ? null : refusingGroups.has(exceptionGroup)
  // Codes that depend on the body alone are about payouts and orders: of the wallet none is.
  if (known?.ran === 'no' && (grouped !== false || harmlessCodes.has(known.code)))
    return { ran: 'no', bodyOnly: known.bodyOnly && area !== 'C' }
  const refused = !known && statusCode !== null && grouped === true
  return { ran: refused ? 'no' : 'unknown', bodyOnly: false }
}
