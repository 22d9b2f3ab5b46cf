/** A plan over what its limits leave, or that waits for an approval, is held whole: not one of its new rows is sent, so that no payroll is paid in part. */
import type { Desk } from '../../desk/desk.ts'
import { Failure } from '../../failure.ts'
import { hint, ofProfile, paste } from '../../hint.ts'
import type { Holding } from '../../journal/hold/holder.ts'
import { nextOf } from '../../journal/objection.ts'
import { shortagesInWords } from '../../spending/shortage.ts'
import { approvable } from '../plan/approvable.ts'
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

/**
 * The failure (13) for new rows that do not fit together, or that others have to approve; null where nothing holds them, or where
 * the plan sends none of them anyway.
 */
export async function heldWhole(own: OwnPlan): Promise<Failure | null> {
  const { desk, holding, store, plan } = own
  const isRuled = await desk.journal.isRuled()
  const { limits } = desk.profile
  if ((limits.length === 0 && !isRuled) || staleness(plan, desk.profile, store.clock.now()) !== null) return null
  const rows = new NewRows()
  for await (const piece of rowsOfPlan(desk, holding, store)) for (const row of piece) rows.add(row)
  return (await overLimit(own, rows)) ?? (isRuled ? waiting(own, rows) : null)
}

async function waiting({ desk, plan }: OwnPlan, { sums }: NewRows): Promise<Failure | null> {
  const fourEyes = await desk.journal.fourEyes()
  const { because, asked } = await fourEyes.planRuling(approvable(plan), desk.profile, sums)
  if (because === null) return null
  return new Failure('held', `the plan ${plan.planId} is held whole and none of its new rows was sent: ${because}`, {
    moneyMoved: 'no',
    hints: [nextOf(plan.planId, asked)],
  })
}

async function overLimit({ desk, plan }: OwnPlan, rows: NewRows): Promise<Failure | null> {
  const { name } = desk.profile
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
