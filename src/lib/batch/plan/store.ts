/** The store of one plan, opened for a command. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../failure.ts'
import { hint, paste } from '../../hint.ts'
import { hasRow, planRow } from '../../store/batch/plan.ts'
import { type PlanTables, planSchema } from '../../store/batch/schema.ts'
import { openStore } from '../../store/engine/open.ts'
import type { Store } from '../../store/engine/store.ts'
import { type Plan, planOf } from './plan.ts'

export type PlanStore = Store<PlanTables>

export interface OpenedPlan {
  readonly store: PlanStore
  readonly plan: Plan
}

const idForm = /^b-[0-9a-f]{12}$/

export function isPlanId(text: string): boolean {
  return idForm.test(text)
}

/** The file of a plan in the folder of all. */
export function planPath(folder: string, planId: string): string {
  return join(folder, `${planId}.db`)
}

export function openPlanStore(folder: string, planId: string): Promise<PlanStore> {
  return openStore<PlanTables>(planPath(folder, planId), planSchema)
}

/** The plan, if it is whole: one whose last row was never written is none. */
export async function planIn(store: PlanStore): Promise<Plan | null> {
  const row = await store.ask(planRow)
  return row?.complete ? planOf(row) : null
}

/** Opens a plan by its id. Throws usage (2) where that is none, not-found (6) where there is no such plan. */
export async function openPlan(folder: string, typed: string): Promise<OpenedPlan> {
  const planId = typed.trim().toLowerCase()
  if (!isPlanId(planId)) {
    throw new Failure('usage', `${typed} is no plan id: those read like b-3f9a1c2b7d10`, {
      hints: [hint`\`${paste('batch list')}\` shows the plans of this machine.`],
    })
  }
  const none = new Failure('not-found', `there is no plan ${planId} on this machine`, {
    moneyMoved: 'no',
    hints: [hint`\`${paste('batch list')}\` shows the plans of this machine.`],
  })
  if (!existsSync(planPath(folder, planId))) throw none
  const store = await openPlanStore(folder, planId)
  const plan = await planIn(store)
  if (plan) return { store, plan }
  await store.close()
  throw none
}

/** The newest plan of this machine that has a row with this id; null where there is none. */
export async function planWithRow(folder: string, uniqueId: string): Promise<Plan | null> {
  const found: Plan[] = []
  for (const planId of planIds(folder)) {
    // A plan whose last row was never written is none.
    const opened = await openPlan(folder, planId).catch(() => null)
    if (!opened) continue
    if (await opened.store.ask((db) => hasRow(db, uniqueId))) found.push(opened.plan)
    await opened.store.close()
  }
  return found.toSorted((a, b) => (a.plannedAt < b.plannedAt ? 1 : -1))[0] ?? null
}

/** The ids of all plans. */
export function planIds(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => name.endsWith('.db'))
  return names.map((name) => name.slice(0, -'.db'.length)).filter(isPlanId)
}
