/** A plan at work: a run has it, or the workers of a team have. */
import type { ThisProcess } from '../../journal/lease.ts'
import { planRow } from '../../store/plans.ts'
import type { Plans } from '../plans/plans.ts'
import type { PlanStore } from '../plans/store.ts'
import { Lease } from './lease.ts'

export interface WorkedParts {
  readonly plans: Pick<Plans, 'isHandedOver'>
  readonly holding: ThisProcess
  readonly store: PlanStore
}

/** True while another process may send rows of the plan: one that has signed in so far may be about to send the first. */
export async function mayBeWorked({ plans, holding, store }: WorkedParts, planId: string): Promise<boolean> {
  const row = await store.ask(planRow)
  return (row !== null && new Lease(store, holding).isHeld(row)) || (await plans.isHandedOver(planId))
}
