/** A plan over what its limits leave is held whole: not one of its new rows is sent, so that no payroll is paid in part. */
import type { Desk } from '../../desk/desk.ts'
import { Failure } from '../../failure.ts'
import { hint, ofProfile, paste } from '../../hint.ts'
import type { Holding } from '../../journal/hold/holder.ts'
import { shortagesInWords } from '../../spending/shortage.ts'
import { type Plan, staleness } from '../plan/plan.ts'
import type { PlanStore } from '../plans/store.ts'
import { NewRows, rowsOverLimit } from '../rows/fits.ts'
import { rowsOfPlan } from '../rows/state.ts'

interface OwnPlan {
  readonly desk: Desk
  readonly holding: Holding
  readonly store: PlanStore
  readonly plan: Plan
}

/** The failure (13) for new rows that do not fit together; null where they do, or where the plan sends none of them anyway. */
export async function heldWhole({ desk, holding, store, plan }: OwnPlan): Promise<Failure | null> {
  const { limits, name } = desk.profile
  if (limits.length === 0 || staleness(plan, desk.profile, store.clock.now()) !== null) return null
  const rows = new NewRows()
  for await (const piece of rowsOfPlan(desk, holding, store)) for (const row of piece) rows.add(row)
  const shortages = await rowsOverLimit(desk, rows)
  if (shortages.length === 0) return null
  const never = shortages.some(({ fitsAt }) => fitsAt === null)
  return new Failure(
    'held',
    `the plan ${plan.planId} is held whole and none of its new rows was sent: over a limit: ${shortagesInWords(shortages)}`,
    {
      moneyMoved: 'no',
      hints: [
        ofProfile(hint`The limits, and what is left of them: \`${paste('profile show')}\`.`, name),
        ...(never ? [hint`Only another limit lets it pass, or a file in parts.`] : []),
      ],
    },
  )
}
