/** A plan as its commands show it: its facts, its rows with their states, its largest rows, and the list of all plans. */
import { fromMinorUnits, JsonNumber } from '../contract/core/decimal.ts'
import type { ResultOf } from '../result.ts'
import { largestRow } from '../store/plans.ts'
import { findApprovalOf } from './limits.ts'
import { type Plan, planTotals } from './plan.ts'
import type { PlanStore, Plans } from './plans.ts'
import { RowWarnings } from './read/check.ts'
import { type Reason, rowReason } from './reason.ts'
import type { planListResult, planResult, shownResult } from './result.ts'
import type { PlannedRow, RowState } from './row-state.ts'
import { paymentOf, type RowOwner, readPlanRows, requestOfRow } from './rows.ts'
import type { RunParts } from './run.ts'

export type ShowResult = ResultOf<typeof shownResult>
export type ShownRow = ShowResult['shown'][number]

/** The beneficiary's name by the number of a row: people read it, and the result has none. */
export type RowNames = ReadonlyMap<number, string>

/** The first rows of a state, or of all states, and the number of the others. */
export async function showPlan(
  {
    desk,
    leaseHolder,
    store,
    plan,
  }: Pick<RunParts, 'leaseHolder' | 'store' | 'plan'> & {
    readonly desk: RowOwner
  },
  { state, limit }: { readonly state: RowState | null; readonly limit: number },
): Promise<{ readonly shown: ShowResult; readonly names: RowNames }> {
  const shown: ShownRow[] = []
  const names = new Map<number, string>()
  const doubts = new RowWarnings(desk.journal.moment.now)
  let found = 0
  for await (const rows of readPlanRows(desk, leaseHolder, store)) {
    const wanted = rows.filter((row) => state === null || row.state === state)
    found += wanted.length
    for (const { planned } of wanted) {
      doubts.add(planned.number, requestOfRow(planned), paymentOf(planned)?.block.executionDate ?? null)
    }
    for (const row of wanted.slice(0, limit - shown.length)) {
      shown.push(rowTold(row, await rowReason(desk.journal, row)))
      const { beneficiaryName } = requestOfRow(row.planned)
      if (typeof beneficiaryName === 'string') names.set(row.planned.number, beneficiaryName)
    }
    // The plan knows the number of all its rows.
    if (state === null && shown.length >= limit) break
  }
  const moreRows = (state === null ? plan.rows : found) - shown.length
  const result = {
    ...planFactsOf(plan),
    largest: await findLargestRows(plan, store),
    approval: await findApprovalOf(desk, leaseHolder, store, plan),
    shown,
    moreRows,
    warnings: [...doubts.inWords],
  }
  return { shown: result, names }
}

function rowTold({ planned, intent, state, isTakenKey }: PlannedRow, { words }: Reason): ShownRow {
  return {
    row: planned.number,
    state,
    key: planned.business_key,
    uniqueId: planned.unique_id,
    amount: new JsonNumber(fromMinorUnits(BigInt(planned.amount_minor))),
    currency: planned.currency,
    payee: planned.payee,
    transactionId: isTakenKey ? null : (intent?.transactionId ?? null),
    status: isTakenKey ? null : (intent?.status ?? null),
    journalId: intent?.journalId ?? null,
    because: words,
  }
}

export function planFactsOf(plan: Plan) {
  const { planId, rows, hash, name, file, format, profile, environment } = plan
  const { plannedAt, expiresAt, discardedAt } = plan
  const totals = planTotals(plan.totals)
  const facts = { planId, rows, totals, hash, name, file, format, profile, environment }
  return { ...facts, plannedAt, expiresAt, discardedAt }
}

export type ListedPlan = ResultOf<typeof planListResult>[number]

/** The newest first. */
export async function listPlans(plans: Plans): Promise<ListedPlan[]> {
  const now = plans.clock.now()
  return (await plans.list()).map((plan) => ({
    ...planFactsOf(plan),
    isStale: now >= Date.parse(plan.expiresAt),
    isDiscarded: plan.discardedAt !== null,
  }))
}

/** The largest rows of a plan: a digit too many in a cell shows there first. */
type LargestRows = ResultOf<typeof planResult>['largest']

export async function findLargestRows({ totals }: Plan, store: PlanStore): Promise<LargestRows> {
  const found: [string, LargestRows[string]][] = []
  for (const currency of Object.keys(totals)) {
    const row = await store.ask((db) => largestRow(db, currency))
    const amount = row && new JsonNumber(fromMinorUnits(BigInt(row.amount_minor)))
    if (row && amount) found.push([currency, { row: row.number, amount }])
  }
  return Object.fromEntries(found)
}
