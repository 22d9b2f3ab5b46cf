/** Rows that a plan of the same name has still to pay, and that are not in this one: a mended file leaves them behind. */
import type { Desk } from '../../desk/desk.ts'
import type { Holding } from '../../journal/hold/holder.ts'
import { rowsWithIds } from '../../store/batch/plan.ts'
import type { Plans } from '../plans/plans.ts'
import type { PlanStore } from '../plans/store.ts'
import { newStates } from '../rows/fits.ts'
import { ownerOf } from '../rows/owner.ts'
import { rowsOfPlan } from '../rows/state.ts'
import { type Plan, type PlanFacts, speaksFor, staleness } from './plan.ts'

/** The parts of a plan that is being made. */
export interface Made {
  readonly desk: Pick<Desk, 'journal' | 'profile'>
  readonly holding: Holding
  readonly store: PlanStore
  readonly plans: Pick<Plans, 'list' | 'open'>
  readonly facts: Pick<PlanFacts, 'planId' | 'name'>
}

/** Each plan in words, with the first of its rows. Only rows without a key are named by the name of their plan. */
export async function leftUnderName(made: Made): Promise<readonly string[]> {
  const { desk, plans, store, facts } = made
  const others = (await plans.list()).filter((plan) => {
    if (plan.planId === facts.planId || plan.name !== facts.name || !speaksFor(desk.profile, plan)) return false
    return staleness(plan, desk.profile, store.clock.now()) === null
  })
  const found: string[] = []
  for (const plan of others) {
    const number = await firstLeft(made, plan)
    if (number !== null) found.push(`${plan.planId} (${plan.file}), its row ${number}`)
  }
  return found
}

async function firstLeft({ desk, holding, store, plans }: Made, plan: Plan): Promise<number | null> {
  const other = await plans.open(plan.planId)
  try {
    for await (const rows of rowsOfPlan(ownerOf(plan, desk.journal), holding, other)) {
      const open = rows.filter(({ planned, state, isTakenKey }) => {
        return planned.business_key === null && !isTakenKey && newStates.some((each) => each === state)
      })
      const ids = open.map(({ planned }) => planned.unique_id)
      const here = ids.length === 0 ? [] : await store.ask((db) => rowsWithIds(db, ids))
      const known = new Set(here.map(({ unique_id }) => unique_id))
      const left = open.find(({ planned }) => !known.has(planned.unique_id))
      if (left) return left.planned.number
    }
    return null
  } finally {
    await other.close()
  }
}
