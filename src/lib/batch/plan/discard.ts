/** Ends a plan that is not to be paid. */
import type { Clock } from '../../edge.ts'
import type { Holding } from '../../journal/hold/holder.ts'
import { changePlan } from '../../store/batch/plan.ts'
import { Lease } from '../run/lease.ts'
import type { PlanStore } from './store.ts'

/** Throws locked (12) while a run has it. */
export async function discard(store: PlanStore, clock: Clock, holding: Holding): Promise<void> {
  const lease = new Lease(store, clock, holding)
  await lease.take()
  try {
    await store.write((db) => changePlan(db, { discarded_at: new Date(clock.now()).toISOString() }))
  } finally {
    await lease.release()
  }
}
