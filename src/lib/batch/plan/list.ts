/** The plans of a machine. */
import type { ResultOf } from '../../result.ts'
import type { planListResult } from '../result.ts'
import { factsTold } from './planned.ts'
import { openPlan, planIds } from './store.ts'

export type PlanTold = ResultOf<typeof planListResult>[number]

/** The newest first. `now`: milliseconds since 1970. */
export async function plansIn(folder: string, now: number): Promise<PlanTold[]> {
  const found: PlanTold[] = []
  for (const planId of planIds(folder)) {
    // A plan whose last row was never written is none.
    const opened = await openPlan(folder, planId).catch(() => null)
    if (!opened) continue
    const { plan, store } = opened
    await store.close()
    const isStale = now >= Date.parse(plan.expiresAt)
    found.push({ ...factsTold(plan), isStale, isDiscarded: plan.discardedAt !== null })
  }
  return found.toSorted((a, b) => (a.plannedAt < b.plannedAt ? 1 : -1))
}
