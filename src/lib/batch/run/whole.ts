/** A plan over what its limits leave, or that waits for an approval, is held whole: not one of its new rows is sent, so that no payroll is paid in part. */

import { hasRules } from '../../approvals/ask-rules.ts'
import type { Desk } from '../../desk/desk.ts'
import { scopeOf } from '../../desk/draft.ts'
import { Failure } from '../../failure.ts'
import { hint, ofProfile, paste } from '../../hint.ts'
import { approvalHint } from '../../journal/duplicates.ts'
import type { ThisProcess } from '../../journal/lease.ts'
import { shortagesInWords, shortagesOf } from '../../spending/shortage.ts'
import type { Spent } from '../../spending/spent.ts'
import type { DaySum } from '../../store/journal/approvals.ts'
import { approvable } from '../plan/approvable.ts'
import { type Plan, staleness } from '../plan/plan.ts'
import type { PlanStore } from '../plans/store.ts'
import { NewRows } from '../rows/fits.ts'
import { rowsOfPlan } from '../rows/state.ts'

interface OwnPlan {
  readonly desk: Desk
  readonly holding: ThisProcess
  readonly store: PlanStore
  readonly plan: Plan
  /** As of `SendingParts`: some of its new rows may be on their way. */
  readonly isShared?: boolean
}

/**
 * The failure (13) for new rows that do not fit together, or that others have to approve; null where nothing holds them, or where
 * the plan sends none of them anyway, or has none.
 */
export async function heldWhole(own: OwnPlan): Promise<Failure | null> {
  const { desk, holding, store, plan } = own
  const isRuled = await desk.journal.ask(hasRules)
  const { limits } = desk.profile
  if ((limits.length === 0 && !isRuled) || staleness(plan, desk.profile, store.clock.now()) !== null) return null
  // Read before the rows: one that another sends meanwhile must not count twice.
  const spent = await desk.journal.spent(scopeOf(desk.profile))
  const day = isRuled ? await (await desk.journal.fourEyes()).daySums(desk.profile) : []
  const rows = new NewRows()
  for await (const piece of rowsOfPlan(desk, holding, store)) for (const row of piece) rows.add(row)
  if (rows.payouts === 0n) return null
  return overLimit(own, rows, spent) ?? (isRuled ? waiting(own, rows, day) : null)
}

async function waiting(own: OwnPlan, { sums }: NewRows, day: readonly DaySum[]): Promise<Failure | null> {
  const { desk, plan } = own
  const fourEyes = await desk.journal.fourEyes()
  const { because, asked } = await fourEyes.planRuling(approvable(plan), desk.profile, sums, day)
  if (because === null) return null
  return new Failure('held', `${heldInWords(own)}: ${because}`, {
    moneyMoved: 'no',
    hints: [approvalHint(plan.planId, asked)],
  })
}

function overLimit(own: OwnPlan, rows: NewRows, spent: Spent): Failure | null {
  const { name, limits } = own.desk.profile
  const shortages = shortagesOf(limits, rows, spent, own.desk.journal.moment.now)
  if (shortages.length === 0) return null
  const never = shortages.some(({ fitsAt }) => fitsAt === null)
  return new Failure('held', `${heldInWords(own)}: over a limit: ${shortagesInWords(shortages)}`, {
    moneyMoved: 'no',
    ...(never ? { retry: 'after-fix' } : {}),
    hints: [
      ofProfile(hint`The limits, and what is left of them: \`${paste('profile show')}\`.`, name),
      ...(never ? [hint`It never fits: raise the limit and plan the file again, or plan it in parts.`] : []),
    ],
  })
}

function heldInWords({ plan: { planId }, isShared }: OwnPlan): string {
  return isShared
    ? `the plan ${planId} is held, and nothing more of it is sent`
    : `the plan ${planId} is held whole and none of its new rows was sent`
}
