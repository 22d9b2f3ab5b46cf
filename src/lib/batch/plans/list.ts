/** The plans that there are, as a command tells them. */
import type { ResultOf } from '../../result.ts'
import { factsTold } from '../plan/planned.ts'
import type { planListResult } from '../result.ts'
import type { Plans } from './plans.ts'

export type PlanTold = ResultOf<typeof planListResult>[number]

/** The newest first. */
export async function plansTold(plans: Plans): Promise<PlanTold[]> {
  const now = plans.clock.now()
  return (await plans.list()).map((plan) => ({
    ...factsTold(plan),
    isStale: now >= Date.parse(plan.expiresAt),
    isDiscarded: plan.discardedAt !== null,
  }))
}
