/** The plans of a team: rows beside its journal, so that every machine of the team can run them. */
import type { Clock } from '../../edge.ts'
import { hasPlan, planIds, plansWithRow, wholePlans } from '../../store/batch/plan.ts'
import type { PlanTables } from '../../store/batch/schema.ts'
import { teamJournalSchema } from '../../store/journal/postgres/schema.ts'
import { openTeamStore } from '../../store/postgres/open.ts'
import type { TeamSettings, TeamStore } from '../../store/postgres/store.ts'
import { type Plan, planOf } from '../plan/plan.ts'
import { newestFirst, type Plans } from './plans.ts'
import { type PlanStore, planStore } from './store.ts'

class PlansInTeam implements Plans {
  readonly where = 'in the team’s store'
  readonly #store: TeamStore<PlanTables>

  constructor(store: TeamStore<PlanTables>) {
    this.#store = store
  }

  get clock(): Clock {
    return this.#store.clock
  }

  ids(): Promise<readonly string[]> {
    return this.#store.ask(planIds)
  }

  async list(): Promise<readonly Plan[]> {
    return newestFirst((await this.#store.ask(wholePlans)).map(planOf))
  }

  has(planId: string): Promise<boolean> {
    return this.#store.ask((db) => hasPlan({ db, planId }))
  }

  async open(planId: string): Promise<PlanStore> {
    // The connections are shared by all of its plans, and end with the last of them.
    return planStore(this.#store, planId, { clock: this.#store.clock, close: async () => undefined })
  }

  async withRow(uniqueId: string): Promise<Plan | null> {
    const [newest = null] = newestFirst((await this.#store.ask((db) => plansWithRow(db, uniqueId))).map(planOf))
    return newest
  }

  close(): Promise<void> {
    return this.#store.close()
  }
}

/** Throws a Failure as `openTeamStore`. */
export async function openTeamPlans(address: string, settings: TeamSettings): Promise<Plans> {
  return new PlansInTeam(await openTeamStore<PlanTables>(address, teamJournalSchema, settings))
}
