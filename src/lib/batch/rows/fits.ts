/** Rows of a plan that were not sent yet, against the limits of its profile. */
import type { Desk } from '../../desk/desk.ts'
import { scopeOf } from '../../desk/draft.ts'
import type { ThisProcess } from '../../journal/lease.ts'
import { type Demand, type Shortage, shortagesOf } from '../../spending/shortage.ts'
import type { PlanStore } from '../plans/store.ts'
import type { RowOwner } from './owner.ts'
import type { RowState } from './row-states.ts'
import { type PlannedRow, rowsOfPlan } from './state.ts'

/** The states of rows that a run sends for the first time, or anew: they count against limits only then. */
export const newStates = ['unsent', 'planned'] as const satisfies readonly RowState[]

/** New rows, added up as they pass by. */
export class NewRows implements Demand {
  payouts = 0n
  readonly sums = new Map<string, bigint>()
  readonly largest = new Map<string, bigint>()

  add({ state, isTakenKey, planned: { currency, amount_minor } }: PlannedRow): void {
    if (isTakenKey || !newStates.some((each) => each === state)) return
    const units = BigInt(amount_minor)
    this.payouts += 1n
    this.sums.set(currency, (this.sums.get(currency) ?? 0n) + units)
    if (units > (this.largest.get(currency) ?? -1n)) this.largest.set(currency, units)
  }
}

/** Minor units of the new rows of a plan, by currency. */
export async function newSumsOf(
  owner: RowOwner,
  holding: ThisProcess,
  store: PlanStore,
): Promise<ReadonlyMap<string, bigint>> {
  const rows = new NewRows()
  for await (const piece of rowsOfPlan(owner, holding, store)) for (const row of piece) rows.add(row)
  return rows.sums
}

/** The limits that new rows do not fit together, as it stands now; each row is counted once more when it is sent. */
export async function rowsOverLimit(
  { journal, profile }: Pick<Desk, 'journal' | 'profile'>,
  rows: Demand,
): Promise<readonly Shortage[]> {
  if (profile.limits.length === 0) return []
  return shortagesOf(profile.limits, rows, await journal.spent(scopeOf(profile)), journal.moment.now)
}
