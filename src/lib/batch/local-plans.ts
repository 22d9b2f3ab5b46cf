/** The plans of a machine: one file each, in a folder. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../edge.ts'
import type { JournalPlace } from '../journal/open.ts'
import { openStore } from '../store/engine/sqlite.ts'
import { type PlanTables, planSchema, rowsWithIds } from '../store/plans.ts'
import type { Plan } from './plan.ts'
import { isPlanId, newestFirst, type PlanStore, type Plans, type PlanWithRows, planIn, planStore } from './plans.ts'

export class PlansInFolder implements Plans {
  readonly where = 'on this machine'
  readonly #folder: string
  readonly clock: Clock

  constructor(folder: string, clock: Clock) {
    this.#folder = folder
    this.clock = clock
  }

  async ids(): Promise<readonly string[]> {
    if (!existsSync(this.#folder)) return []
    const names = readdirSync(this.#folder).filter((name) => name.endsWith('.db'))
    return names.map((name) => name.slice(0, -'.db'.length)).filter(isPlanId)
  }

  async list(): Promise<readonly Plan[]> {
    return newestFirst(await this.#those(async (_store, plan) => plan), (plan) => plan)
  }

  async has(planId: string): Promise<boolean> {
    return existsSync(this.#path(planId))
  }

  async open(planId: string): Promise<PlanStore> {
    const store = await openStore<PlanTables>(this.#path(planId), planSchema)
    return planStore(store, planId, { clock: this.clock, close: () => store.close() })
  }

  async withRows(uniqueIds: readonly string[]): Promise<readonly PlanWithRows[]> {
    const found = await this.#those(async (store, plan) => {
      const rows = await store.ask((db) => rowsWithIds(db, uniqueIds))
      return rows.length === 0 ? null : { plan, rows }
    })
    return newestFirst(found, ({ plan }) => plan)
  }

  /** A machine has no workers. */
  async isHandedOver(): Promise<boolean> {
    return false
  }

  async withWorkers(): Promise<null> {
    return null
  }

  async takeBack(): Promise<number> {
    return 0
  }

  async close(): Promise<void> {
    // Each plan has a store of its own, which was closed with it.
  }

  async #those<Found>(look: (store: PlanStore, plan: Plan) => Promise<Found | null>): Promise<readonly Found[]> {
    const found: Found[] = []
    for (const planId of await this.ids()) {
      const each = await this.#look(planId, look).catch(() => null)
      if (each !== null) found.push(each)
    }
    return found
  }

  async #look<Found>(
    planId: string,
    look: (store: PlanStore, plan: Plan) => Promise<Found | null>,
  ): Promise<Found | null> {
    const store = await this.open(planId)
    try {
      const plan = await planIn(store)
      return plan && (await look(store, plan))
    } finally {
      await store.close()
    }
  }

  #path(planId: string): string {
    return join(this.#folder, `${planId}.db`)
  }
}

/** The plans of a machine (in `folder`), or of its team. Throws a Failure if the team's store cannot be opened. */
export async function openPlans(folder: string, place: JournalPlace, clock: Clock): Promise<Plans> {
  if (place.team === null) return new PlansInFolder(folder, clock)
  const { openTeamPlans } = await import('./team-plans.ts')
  const { teamSettings } = await import('../journal/team.ts')
  return openTeamPlans(place.team, teamSettings(place, clock))
}
