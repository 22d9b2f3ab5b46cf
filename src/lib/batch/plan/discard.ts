/** Ends a plan that is not to be paid. */

import { howMany } from '../../contract/core/count.ts'
import { Failure } from '../../failure.ts'
import { hint, paste } from '../../hint.ts'
import type { ThisProcess } from '../../journal/lease.ts'
import { changePlan, planRow } from '../../store/plans.ts'
import type { Plans } from '../plans/plans.ts'
import type { PlanStore } from '../plans/store.ts'
import { Lease } from '../run/lease.ts'

/** Throws locked (12) while a run has it, or workers have rows of it in flight. */
export async function discard(
  plans: Pick<Plans, 'takeBack'>,
  planId: string,
  store: PlanStore,
  holding: ThisProcess,
): Promise<void> {
  const lease = new Lease(store, holding)
  await lease.take()
  try {
    const workers = await plans.takeBack(planId, 'it was discarded')
    if (workers > 0) throw inFlight(planId, workers)
    await store.write(async (db) => {
      lease.mustBeOurs(await planRow(db), 'it was not discarded')
      await changePlan(db, { discarded_at: new Date(store.clock.now()).toISOString() })
    })
  } finally {
    await lease.release()
  }
}

function inFlight(planId: string, workers: number): Failure {
  return new Failure(
    'locked',
    `${planId} was taken back, and ${howMany(workers, 'worker ends what it has', 'workers end what they have')} in flight of it`,
    {
      moneyMoved: 'unknown',
      hints: [hint`Discard it again in a moment: \`${paste('batch discard', planId)}\`.`],
    },
  )
}
