/** Rows of a plan that were not sent yet, against the limits of its profile. */

import { hasRules } from '../approvals/ruling.ts'
import type { Desk } from '../desk/desk.ts'
import { scopeOf } from '../desk/draft.ts'
import { Failure } from '../failure.ts'
import { hint, ofProfile, paste } from '../hint.ts'
import { approvalHint } from '../journal/duplicates.ts'
import type { ThisProcess } from '../journal/lease.ts'
import { type Demand, type Shortage, type Spent, shortagesInWords, shortagesOf } from '../spending.ts'
import type { DaySum } from '../store/journal/approvals.ts'
import { approvable, type Plan, staleness } from './plan.ts'
import type { PlanStore } from './plans.ts'
import type { PlannedRow, RowState } from './row-state.ts'
import { type RowOwner, readPlanRows } from './rows.ts'

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
export async function sumNewRows(
  owner: RowOwner,
  holding: ThisProcess,
  store: PlanStore,
): Promise<ReadonlyMap<string, bigint>> {
  const rows = new NewRows()
  for await (const piece of readPlanRows(owner, holding, store)) for (const row of piece) rows.add(row)
  return rows.sums
}

/** The limits that new rows do not fit together, as it stands now; each row is counted once more when it is sent. */
export async function findShortages(
  { journal, profile }: Pick<Desk, 'journal' | 'profile'>,
  rows: Demand,
): Promise<readonly Shortage[]> {
  if (profile.limits.length === 0) return []
  return shortagesOf(profile.limits, rows, await journal.spent(scopeOf(profile)), journal.moment.now)
}

// A plan over what its limits leave, or that waits for an approval, is held whole: not one of its new rows is sent, so that no payroll is paid in part.

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
export async function findPlanHold(own: OwnPlan): Promise<Failure | null> {
  const { desk, holding, store, plan } = own
  const isRuled = await desk.journal.ask(hasRules)
  const { limits } = desk.profile
  if ((limits.length === 0 && !isRuled) || staleness(plan, desk.profile, store.clock.now()) !== null) return null
  // Read before the rows: one that another sends meanwhile must not count twice.
  const spent = await desk.journal.spent(scopeOf(desk.profile))
  const day = isRuled ? await (await desk.journal.fourEyes()).daySums(desk.profile) : []
  const rows = new NewRows()
  for await (const piece of readPlanRows(desk, holding, store)) for (const row of piece) rows.add(row)
  if (rows.payouts === 0n) return null
  return findLimitHold(own, rows, spent) ?? (isRuled ? findMissingApproval(own, rows, day) : null)
}

async function findMissingApproval(own: OwnPlan, { sums }: NewRows, day: readonly DaySum[]): Promise<Failure | null> {
  const { desk, plan } = own
  const fourEyes = await desk.journal.fourEyes()
  const { because, asked } = await fourEyes.planRuling(approvable(plan), desk.profile, sums, day)
  if (because === null) return null
  return new Failure('held', `${heldInWords(own)}: ${because}`, {
    moneyMoved: 'no',
    hints: [approvalHint(plan.planId, asked)],
  })
}

function findLimitHold(own: OwnPlan, rows: NewRows, spent: Spent): Failure | null {
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
