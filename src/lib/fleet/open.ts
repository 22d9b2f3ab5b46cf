/** Opens the fleet of a team. Loaded only by those who hand work over, do it, or look at it. */
import { PlansInTeam } from '../batch/plans/in-team.ts'
import { thisProcess } from '../journal/lease.ts'
import type { ResultOf } from '../result.ts'
import type { TeamSettings, TeamStore } from '../store/postgres/store.ts'
import { chunksIn, unseenAtMost, workersSince } from '../store/team/fleet.ts'
import { JobQueue } from '../store/team/queue.ts'
import type { FleetTables } from '../store/team/schema.ts'
import { openTeam } from '../store/team/schema.ts'
import { Fleet } from './fleet.ts'
import type { workerListResult } from './result.ts'

export interface OpenedFleet {
  readonly fleet: Fleet
  readonly plans: PlansInTeam
  readonly store: TeamStore<FleetTables>
  readonly close: () => Promise<void>
}

export type WorkerTold = ResultOf<typeof workerListResult>[number]

function openStoreOfFleet(address: string, settings: TeamSettings): Promise<TeamStore<FleetTables>> {
  return openTeam<FleetTables>(address, settings)
}

/** `queue`: that of a client; `supervises`: this process looks after the queue. Throws a Failure as `openTeamStore`. */
export async function openFleet(
  address: string,
  settings: TeamSettings,
  { queue, supervises }: { readonly queue: string; readonly supervises: boolean },
): Promise<OpenedFleet> {
  const store = await openStoreOfFleet(address, settings)
  try {
    const jobs = await JobQueue.open(store, queue, supervises)
    const close = async () => {
      await jobs.close()
      await store.close()
    }
    return { fleet: new Fleet(store, jobs, thisProcess('any-machine')), plans: new PlansInTeam(store), store, close }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** The workers that were seen within the last minute, of every client. */
export async function workersOf(address: string, settings: TeamSettings): Promise<WorkerTold[]> {
  const store = await openStoreOfFleet(address, settings)
  try {
    const since = new Date(store.clock.now() - unseenAtMost).toISOString()
    const workers = await store.ask((db) => workersSince(db, since))
    return workers.map(({ id, profile, started_at, seen_at, chunks, accepted, failed }) => ({
      ...{ worker: id, profile, startedAt: started_at, seenAt: seen_at, accepted, failed },
      chunks: [...chunksIn(chunks)],
    }))
  } finally {
    await store.close()
  }
}
