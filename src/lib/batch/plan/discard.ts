/** Ends a plan that is not to be paid. */
import type { Holding } from '../../journal/hold/holder.ts'
import { changePlan } from '../../store/batch/plan.ts'
import type { PlanStore } from '../plans/store.ts'
import { Lease } from '../run/lease.ts'

/** Throws locked (12) while a run has it. */
export async function discard(store: PlanStore, holding: Holding): Promise<void> {
  const lease = new Lease(store, holding)
  await lease.take()
  try {
    await store.write((db) => changePlan(db, { discarded_at: new Date(store.clock.now()).toISOString() }))
  } finally {
    await lease.release()
  }
}
