/** The codes of an area, and what an answer proves of its attempt (money-safety.md#the-one-rule-for-answers). */

import type { Area } from '../operation.ts'
import type { Code } from '../status.ts'
import { orderCodes, refusingGroups } from './order.ts'
import { payoutCodes } from './payout.ts'

export function codesOf(area: Area): ReadonlyMap<number, Code> {
  return area === 'A' ? payoutCodes : orderCodes
}

/** The codes of group 6 that say that nothing was executed. */
export const harmlessCodes: ReadonlySet<number> = new Set([6010, 6011, 6013])

/**
 * A known code speaks for itself, unless areas B to D send it in a group that proves nothing; an unknown one of these areas
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
