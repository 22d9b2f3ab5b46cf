/** Holds a plan whose new rows exceed a limit or need an approval. It is held whole, so that no payroll is paid in part. */

import { hasRules } from '../approvals/ruling.ts'
import type { Desk } from '../desk/desk.ts'
import { scopeOf } from '../desk/new-intent.ts'
import { Failure } from '../failure.ts'
import { hint, ofProfile, paste } from '../hint.ts'
import { approvalHint } from '../journal/hold.ts'
import type { ThisProcess } from '../journal/lease.ts'
import type { ResultOf } from '../result.ts'
import { type Demand, type Shortage, type Spent, shortagesInWords, shortagesOf } from '../spending.ts'
import type { DaySum } from '../store/journal/approvals.ts'
import { approvablePlan, type Plan, staleness } from './plan.ts'
import type { PlanStore } from './plans.ts'
import type { approvalOfPlan } from './result.ts'
import { isNew, type PlannedRow } from './row-state.ts'
import { ownerOf, type RowOwner, readPlanRows } from './rows.ts'

export class NewRows implements Demand {
  payouts = 0n
  readonly sums = new Map<string, bigint>()
  readonly largest = new Map<string, bigint>()

  add(row: PlannedRow): void {
    if (!isNew(row)) return
    const { currency, amount_minor } = row.planned
    const units = BigInt(amount_minor)
    this.payouts += 1n
    this.sums.set(currency, (this.sums.get(currency) ?? 0n) + units)
    if (units > (this.largest.get(currency) ?? -1n)) this.largest.set(currency, units)
  }
}

export async function sumNewRows(owner: RowOwner, leaseHolder: ThisProcess, store: PlanStore): Promise<NewRows> {
  const rows = new NewRows()
  for await (const piece of readPlanRows(owner, leaseHolder, store)) for (const row of piece) rows.add(row)
  return rows
}

/** The limits that the new rows exceed together now. Each row is checked once more when it is sent. */
export async function findShortages(
  { journal, profile }: Pick<Desk, 'journal' | 'profile'>,
  rows: Demand,
): Promise<readonly Shortage[]> {
  if (profile.limits.length === 0) return []
  return shortagesOf(profile.limits, rows, await journal.spent(scopeOf(profile)), journal.moment.now)
}

interface OwnPlan {
  readonly desk: Desk
  readonly leaseHolder: ThisProcess
  readonly store: PlanStore
  readonly plan: Plan
  /** True if other processes send rows of the plan at the same time. */
  readonly isShared?: boolean
}

/**
 * The failure (13) if the new rows exceed a limit together, or need an approval. Null if nothing holds them, or if the plan is stale
 * or has no new rows.
 */
export async function findPlanHold(own: OwnPlan): Promise<Failure | null> {
  const { desk, leaseHolder, store, plan } = own
  const isRuled = await desk.journal.ask(hasRules)
  const { limits } = desk.profile
  if ((limits.length === 0 && !isRuled) || staleness(plan, desk.profile, store.clock.now()) !== null) return null
  // Read before the rows: a row that another process sends meanwhile must not count twice.
  const spent = await desk.journal.spent(scopeOf(desk.profile))
  const day = isRuled ? await (await desk.journal.fourEyes()).daySums(desk.profile) : []
  const rows = await sumNewRows(desk, leaseHolder, store)
  if (rows.payouts === 0n) return null
  return findLimitHold(own, rows, spent) ?? (isRuled ? findMissingApproval(own, rows, day) : null)
}

export type MissingApproval = ResultOf<typeof approvalOfPlan>

/** The approval that the new rows of a plan wait for, whatever its limits say; null where they wait for none. */
export async function findApprovalOf(
  { journal }: Pick<Desk, 'journal'>,
  leaseHolder: ThisProcess,
  store: PlanStore,
  plan: Plan,
): Promise<MissingApproval> {
  const isOver = plan.discardedAt !== null || store.clock.now() >= Date.parse(plan.expiresAt)
  if (isOver || !(await journal.ask(hasRules))) return null
  const rows = await sumNewRows(ownerOf(plan, journal), leaseHolder, store)
  if (rows.payouts === 0n) return null
  const { because, asked, needs } = await (await journal.fourEyes()).planRuling(approvablePlan(plan), plan, rows.sums)
  return because === null ? null : { needs, approvalId: asked, because }
}

async function findMissingApproval(own: OwnPlan, { sums }: NewRows, day: readonly DaySum[]): Promise<Failure | null> {
  const { desk, plan } = own
  const fourEyes = await desk.journal.fourEyes()
  const { because, asked } = await fourEyes.planRuling(approvablePlan(plan), desk.profile, sums, day)
  if (because === null) return null
  return new Failure('held', `${describeHeldPlan(own)}: ${because}`, {
    moneyMoved: 'no',
    hints: [approvalHint(plan.planId, asked)],
  })
}

function findLimitHold(own: OwnPlan, rows: NewRows, spent: Spent): Failure | null {
  const { name, limits } = own.desk.profile
  const shortages = shortagesOf(limits, rows, spent, own.desk.journal.moment.now)
  if (shortages.length === 0) return null
  const never = shortages.some(({ fitsAt }) => fitsAt === null)
  return new Failure('held', `${describeHeldPlan(own)}: over a limit: ${shortagesInWords(shortages)}`, {
    moneyMoved: 'no',
    ...(never ? { retry: 'after-fix' } : {}),
    hints: [
      ofProfile(hint`\`${paste('profile show')}\` shows the limits and what is left of them.`, name),
      ...(never ? [hint`Raise the limit and plan the file again, or split the file.`] : []),
    ],
  })
}

function describeHeldPlan({ plan: { planId }, isShared }: OwnPlan): string {
  return isShared
    ? `the plan ${planId} is held; no more rows are sent`
    : `the plan ${planId} is held: none of its new rows was sent`
}
