/** The plans of a machine: a folder with a file for each. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../edge.ts'
import { hasRow } from '../../store/batch/plan.ts'
import { type PlanTables, planSchema } from '../../store/batch/schema.ts'
import { openStore } from '../../store/engine/open.ts'
import type { Plan } from '../plan/plan.ts'
import { isPlanId, newestFirst, type Plans } from './plans.ts'
import { type PlanStore, planIn, planStore } from './store.ts'

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

  list(): Promise<readonly Plan[]> {
    return this.#those(async () => true)
  }

  async has(planId: string): Promise<boolean> {
    return existsSync(this.#path(planId))
  }

  async open(planId: string): Promise<PlanStore> {
    const store = await openStore<PlanTables>(this.#path(planId), planSchema)
    return planStore(store, planId, { clock: this.clock, close: () => store.close() })
  }

  async withRow(uniqueId: string): Promise<Plan | null> {
    const [newest = null] = await this.#those((store) => store.ask((plan) => hasRow(plan, uniqueId)))
    return newest
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
    // Each plan has a store of its own, and was closed with it.
  }

  async #those(isMeant: (store: PlanStore) => Promise<boolean>): Promise<readonly Plan[]> {
    const found: Plan[] = []
    for (const planId of await this.ids()) {
      const plan = await this.#look(planId, isMeant).catch(() => null)
      if (plan) found.push(plan)
    }
    return newestFirst(found)
  }

  async #look(planId: string, isMeant: (store: PlanStore) => Promise<boolean>): Promise<Plan | null> {
    const store = await this.open(planId)
    try {
      const plan = await planIn(store)
      return plan && (await isMeant(store)) ? plan : null
    } finally {
      await store.close()
    }
  }

  #path(planId: string): string {
    return join(this.#folder, `${planId}.db`)
  }
}
