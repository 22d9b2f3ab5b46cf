/** The count of a plan as its commands tell it. */
import type { ResultOf } from '../../result.ts'
import { type Plan, planTotals } from '../plan/plan.ts'
import type { countResult } from '../result.ts'
import type { Count } from './count.ts'

export type CountTold = ResultOf<typeof countResult>

export function countTold(
  { planId, rows, totals }: Plan,
  count: Count,
  { stopped = null, warnings = [] }: { readonly stopped?: string | null; readonly warnings?: readonly string[] } = {},
): CountTold {
  return {
    planId,
    rows,
    totals: planTotals(totals),
    accepted: count.of('accepted'),
    exists: count.of('exists'),
    notPaid: count.notPaid,
    refused: count.of('refused'),
    turnedAway: count.of('turned-away'),
    unsent: count.of('unsent'),
    unknown: count.of('unknown'),
    held: count.of('held'),
    sending: count.of('sending'),
    planned: count.of('planned'),
    replayed: count.replayed,
    conflicts: count.taken,
    stopped,
    journalHead: count.journalHead,
    warnings,
  }
}
