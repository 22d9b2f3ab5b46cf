/** The largest rows of a plan: a digit too many in a cell shows there first. */
import { fromMinorUnits, JsonNumber } from '../../contract/core/decimal.ts'
import type { ResultOf } from '../../result.ts'
import { largestRow } from '../../store/plans.ts'
import type { Plan } from '../plan/plan.ts'
import type { PlanStore } from '../plans/store.ts'
import type { planResult } from '../result.ts'

type LargestRows = ResultOf<typeof planResult>['largest']

/** By currency, in the order of the totals; read from the rows, so that every plan has them. */
export async function largestOf({ totals }: Plan, store: PlanStore): Promise<LargestRows> {
  const found: [string, LargestRows[string]][] = []
  for (const currency of Object.keys(totals)) {
    const row = await store.ask((db) => largestRow(db, currency))
    const amount = row && new JsonNumber(fromMinorUnits(BigInt(row.amount_minor)))
    if (row && amount) found.push([currency, { row: row.number, amount }])
  }
  return Object.fromEntries(found)
}
