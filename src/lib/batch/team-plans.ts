/** The plans of a team: they are in the store of its journal, so that every machine of the team can run them. */
import type { Clock } from '../edge.ts'
import type { ThisProcess } from '../journal/lease.ts'
import { hasPlan, planIds, plansWithIds, rowsWithIds, wholePlans } from '../store/plans.ts'
import type { TeamSettings, TeamStore } from '../store/postgres/store.ts'
import { changeHanded, chunksIn, handedPlan, unseenAtMost, workersSince } from '../store/team/fleet.ts'
import { type FleetTables, openTeam, type WorkerRow } from '../store/team/schema.ts'
import { type Plan, planOf } from './plan.ts'
import {
  newestFirst,
  type PlanStore,
  type Plans,
  type PlanWithRows,
  planIn,
  planStore,
  type WithWorkers,
} from './plans.ts'

type TeamPlans = Pick<TeamStore<FleetTables>, 'ask' | 'write' | 'clock' | 'close'>

export class PlansInTeam implements Plans {
  readonly where = 'in the team’s store'
  readonly #store: TeamPlans

  constructor(store: TeamPlans) {
    this.#store = store
  }

  get clock(): Clock {
    return this.#store.clock
  }

  ids(): Promise<readonly string[]> {
    return this.#store.ask(planIds)
  }

  async list(): Promise<readonly Plan[]> {
    return newestFirst((await this.#store.ask(wholePlans)).map(planOf), (plan) => plan)
  }

  has(planId: string): Promise<boolean> {
    return this.#store.ask((db) => hasPlan({ db, planId }))
  }

  /** All plans share the connections. With `numbers`, the plan seems to have these rows only. */
  async open(planId: string, numbers?: { readonly from: number; readonly to: number }): Promise<PlanStore> {
    return planStore(this.#store, planId, { clock: this.#store.clock, close: async () => undefined }, numbers)
  }

  async withRows(uniqueIds: readonly string[]): Promise<readonly PlanWithRows[]> {
    const found: PlanWithRows[] = []
    for (const planId of await this.#store.ask((db) => plansWithIds(db, uniqueIds))) {
      const store = await this.open(planId)
      const plan = await planIn(store)
      if (plan) found.push({ plan, rows: await store.ask((db) => rowsWithIds(db, uniqueIds)) })
    }
    return newestFirst(found, ({ plan }) => plan)
  }

  async isHandedOver(planId: string): Promise<boolean> {
    const row = await this.#store.ask((db) => handedPlan(db, planId))
    if (!row || row.ended_at !== null) return false
    return row.stopped === null || (await this.#workersOf(planId)) > 0
  }

  async withWorkers(planId: string, leaseHolder: Pick<ThisProcess, 'standing'>): Promise<WithWorkers | null> {
    const row = await this.#store.ask((db) => handedPlan(db, planId))
    if (!row) return null
    const present = (await this.#seen()).filter(
      ({ id, queue }) => queue === row.queue && leaseHolder.standing(id) !== 'gone',
    )
    const working = present.filter(({ chunks }) => isAmong(chunks, planId)).length
    const { handed_at: handedAt, ended_at: endedAt, stopped, stopped_kind: stoppedKind, rate } = row
    return { handedAt, endedAt, stopped, stoppedKind, rate, present: present.length, working }
  }

  async takeBack(planId: string, why: string): Promise<number> {
    await this.#store.write(async (db) => {
      const row = await handedPlan(db, planId)
      if (row && row.stopped === null && row.ended_at === null) await changeHanded(db, planId, { stopped: why })
    })
    return this.#workersOf(planId)
  }

  async #workersOf(planId: string): Promise<number> {
    return (await this.#seen()).filter(({ chunks }) => isAmong(chunks, planId)).length
  }

  #seen(): Promise<readonly WorkerRow[]> {
    const since = new Date(this.clock.now() - unseenAtMost).toISOString()
    return this.#store.ask((db) => workersSince(db, since))
  }

  close(): Promise<void> {
    return this.#store.close()
  }
}

function isAmong(chunks: string, planId: string): boolean {
  return chunksIn(chunks).some((name) => name.startsWith(`${planId}:`))
}

/** Throws a Failure as `openTeam`. */
export async function openTeamPlans(address: string, settings: TeamSettings): Promise<Plans> {
  return new PlansInTeam(await openTeam<FleetTables>(address, settings))
}
