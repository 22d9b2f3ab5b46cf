/**
 * Suspected duplicates of rows: payouts like them that something else has sent since the plan was made, so that the person who
 * agreed to the plan did not see them. They are looked for before the first row, and again when each row is opened
 * (src/lib/journal/duplicates.ts). A key does not let a row pass: the same file planned by another key column gets other ids.
 */

import { createPayout } from '../contract/payout/payout.ts'
import type { Desk } from '../desk/desk.ts'
import { scopeOf } from '../desk/draft.ts'
import { Failure } from '../failure.ts'
import { hint, paste } from '../hint.ts'
import type { AfterPlanning } from '../journal/duplicates.ts'
import { readPages } from '../journal/find.ts'
import { type Intent, likenessOf, mayHaveRun } from '../journal/intent.ts'
import type { ThisProcess } from '../journal/lease.ts'
import { type PlanRowRow, rowsLike } from '../store/plans.ts'
import type { AgreedRows } from './agreed-rows.ts'
import { rowsAlikeInBoth, sumOfRow } from './other-plans.ts'
import { ownStaleness, type Plan, speaksFor } from './plan.ts'
import { idsIn, type PlanStore, type Plans } from './plans.ts'
import { isNew, type PlannedRow } from './row-state.ts'
import { loadRows, ownerOf, readPlanRows } from './rows.ts'

interface OwnPlan {
  readonly desk: Pick<Desk, 'journal' | 'profile'>
  readonly holding: ThisProcess
  readonly store: PlanStore
  readonly plan: Plan
  /** True if `store` has a small part of a plan in a team's store, which finds payees by an index. */
  readonly isShared?: boolean
  /** True if a person has looked at suspected duplicates, and means the rows. */
  readonly allowDuplicates?: boolean
}

/** True if suspected duplicates stop a run: on live profiles, unless they are allowed. */
function isStrict({ desk, allowDuplicates = false }: OwnPlan): boolean {
  return desk.profile.environment === 'live' && !allowDuplicates
}

/** The failure (7) for the first rows with suspected duplicates; null without one, or if they are allowed. */
export async function findPaidSince(own: OwnPlan): Promise<Failure | null> {
  const found = isStrict(own) ? await findAlike(own) : []
  return found.length === 0 ? null : paidSinceFailure(own.plan, found)
}

const looks = new WeakMap<AgreedRows, AfterPlanning>()

/** The check of each row when it is opened; null if duplicates are allowed. All rows of a plan share one object: then they are opened in one transaction. */
export function duplicateCheckOf(own: OwnPlan & { readonly seen: AgreedRows }): AfterPlanning | null {
  if (!isStrict(own)) return null
  const { seen, plan } = own
  const known = looks.get(seen)
  if (known?.since === plan.plannedAt) return known
  const made = { since: plan.plannedAt, isOwn: (uniqueId: string) => seen.hasId(uniqueId) }
  looks.set(seen, made)
  return made
}

/** Warnings before a person agrees to a run: suspected duplicates, and rows that another plan has, too. */
export async function duplicateWarnings(own: OwnPlan, plans: Pick<Plans, 'list' | 'open'>): Promise<readonly string[]> {
  const found = await findAlike(own)
  const paid = found.length === 0 ? [] : [paidInWords(own.plan, found)]
  return [...paid, ...(await inOtherPlans(own, plans))]
}

/** Payouts that one query gives. */
const piece = 500

/** The first rows that are still to be paid, each with a payout like it. */
async function findAlike(own: OwnPlan): Promise<readonly Alike[]> {
  for await (const sent of own.isShared ? payoutsToItsPayees(own) : payoutsSincePlan(own)) {
    const alike = sent.filter(mayHaveRun)
    const others = alike.length === 0 ? [] : await withoutOwnRows(own.store, alike)
    const found = others.length === 0 ? [] : await rowsAlikeTo(own, others)
    if (found.length > 0) return found
  }
  return []
}

/** All payouts since the plan was made, the newest first. */
function payoutsSincePlan({ desk, plan }: OwnPlan): AsyncGenerator<readonly Intent[]> {
  const filter = { ...ofClient(desk.profile), since: plan.plannedAt, operations: [createPayout] }
  return readPages(desk.journal, filter, piece)
}

async function* payoutsToItsPayees({ desk, holding, store, plan }: OwnPlan): AsyncGenerator<readonly Intent[]> {
  const { journal, profile } = desk
  for await (const rows of readPlanRows(ownerOf(plan, journal), holding, store)) {
    const payees = [...new Set(rows.map(({ planned }) => planned.payee))]
    yield await journal.list({ ...ofClient(profile), payees, since: plan.plannedAt, operations: [createPayout] })
  }
}

/** A profile may have sent to another address; each world of the sandbox begins with an empty journal. */
function ofClient(profile: Desk['profile']) {
  const across = profile.environment === 'sandbox' ? {} : { orOfProfile: profile.name }
  return { scope: scopeOf(profile), ...across }
}

type Alike = readonly [row: PlannedRow, other: Intent]

async function rowsAlikeTo(
  { desk, holding, store, plan }: OwnPlan,
  others: readonly Intent[],
): Promise<readonly Alike[]> {
  const bySum = new Map(others.map((intent) => [likenessOf(intent.payee, intent.amountMinor, intent.currency), intent]))
  const wanted = others.map(({ payee, amountMinor }) => ({ payee, amount_minor: amountMinor ?? '' }))
  const alike = (await store.ask((db) => rowsLike(db, wanted))).filter((row) => bySum.has(sumOfRow(row)))
  const rows = await loadRows(ownerOf(plan, desk.journal), holding, alike)
  return rows.flatMap((row) => {
    const other = bySum.get(sumOfRow(row.planned))
    return other && isNew(row) ? [[row, other] as const] : []
  })
}

/** Payouts that are no rows of the plan: duplicates within the plan were looked at when it was made. */
async function withoutOwnRows(store: PlanStore, alike: readonly Intent[]): Promise<readonly Intent[]> {
  const uniqueIds = alike.map(({ uniqueId }) => uniqueId)
  const own = await idsIn(store, uniqueIds)
  return alike.filter(({ uniqueId }) => !own.has(uniqueId))
}

/** Warnings about other plans that may still pay rows like those of this plan. */
async function inOtherPlans(own: OwnPlan, plans: Pick<Plans, 'list' | 'open'>): Promise<readonly string[]> {
  const { plan, store } = own
  const open = (await plans.list()).filter((other) => {
    return other.planId !== plan.planId && speaksFor(plan, other) && ownStaleness(other, store.clock.now()) === null
  })
  const told: string[] = []
  for (const other of open) {
    const words = await inOtherPlan(own, other, plans)
    if (words !== null) told.push(words)
  }
  return told
}

async function inOtherPlan(own: OwnPlan, other: Plan, plans: Pick<Plans, 'open'>): Promise<string | null> {
  const { desk, holding, store, plan } = own
  const opened = await plans.open(other.planId)
  const toPay = async (of: Plan, rows: readonly PlanRowRow[]) =>
    (await loadRows(ownerOf(of, desk.journal), holding, rows)).filter(isNew).map(({ planned }) => planned)
  try {
    for await (const both of rowsAlikeInBoth({ ...plan, store }, { ...other, store: opened })) {
      const bySum = new Map((await toPay(other, both.others)).map((row) => [sumOfRow(row), row]))
      const here = bySum.size === 0 ? null : (await toPay(plan, both.own)).find((row) => bySum.has(sumOfRow(row)))
      if (!here) continue
      const number = bySum.get(sumOfRow(here))?.number
      return `${other.planId} (${other.file}) is not paid yet and has the same rows as this plan: row ${here.number} here looks like its row ${number}`
    }
    return null
  } finally {
    await opened.close()
  }
}

/** Rows that are told one by one. */
const mostTold = 5

function paidInWords({ planId }: Plan, found: readonly Alike[]): string {
  const told = found
    .slice(0, mostTold)
    .map(([{ planned }, { journalId, openedAt }]) => `row ${planned.number}: ${journalId} of ${openedAt}`)
  const more = found.length > told.length ? [`and ${found.length - told.length} more`] : []
  return `since ${planId} was planned, other payouts like its rows were sent: ${[...told, ...more].join('; ')}`
}

export function paidSinceFailure(plan: Plan, found: readonly Alike[]): Failure {
  return new Failure('duplicate', paidInWords(plan, found), {
    hints: [
      hint`Check them. To pay these rows as well: \`${paste('batch run', plan.planId, '--allow-duplicates')}\`. Otherwise discard the plan: \`${paste('batch discard', plan.planId)}\`.`,
    ],
  })
}
