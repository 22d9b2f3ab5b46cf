/**
 * Other plans that matter for a new plan: plans of the same file, which would pay its rows under other ids, and rows of the same
 * name that a corrected file leaves behind.
 */

import type { Desk } from '../desk/desk.ts'
import { Failure } from '../failure.ts'
import { hint, paste } from '../hint.ts'
import { likenessOf } from '../journal/intent.ts'
import type { ThisProcess } from '../journal/lease.ts'
import { type PlanRowRow, rowsLike } from '../store/plans.ts'
import { Count } from './count.ts'
import { type Plan, type PlanFacts, speaksFor, staleness, totalsInWords } from './plan.ts'
import { idsIn, type PlanStore, type Plans, storedRows } from './plans.ts'
import { isConflict, isNew, isUnpaid, type PlannedRow } from './row-state.ts'
import { loadRows, ownerOf, readPlanRows } from './rows.ts'

/** A plan that is being made. */
export interface PlanParts {
  readonly desk: Pick<Desk, 'journal' | 'profile'>
  readonly holding: ThisProcess
  readonly store: PlanStore
  readonly plans: Pick<Plans, 'list' | 'open'>
  readonly facts: Pick<PlanFacts, 'planId' | 'name' | 'file' | 'fileHash' | 'rows'>
}

interface PlannedFile extends PlanParts {
  /** True if some of its rows have no key. */
  readonly hasKeyless: boolean
  /** True if a name was given: the same rows under another name are another payment. */
  readonly isNamed: boolean
  /** True if the plan existed before: then its own bytes are known. */
  readonly isRenewed: boolean
}

/** The failure (7) if another plan has the same bytes or rows, which would be paid once more. */
export async function findPlannedElsewhere(file: PlannedFile): Promise<Failure | null> {
  const { desk, plans, facts } = file
  for (const other of await plans.list()) {
    if (other.planId === facts.planId || !speaksFor(desk.profile, other)) continue
    const store = await plans.open(other.planId)
    try {
      const hasBytes = hasSameBytes(file, other)
      const found = hasBytes ? await firstPayable(file, other, store) : await findSameRows(file, other, store)
      if (found.length > 0) return plannedElsewhereFailure(file, other, found, hasBytes)
    } finally {
      await store.close()
    }
  }
  return null
}

/** A row of the other plan, and the same row of this plan; null if the bytes are the same. */
type Same = readonly [own: PlanRowRow | null, other: PlannedRow]

function hasSameBytes({ facts, hasKeyless, isNamed, isRenewed }: PlannedFile, other: Plan): boolean {
  const isSame = facts.fileHash === other.fileHash
  return isSame && !isRenewed && !(hasKeyless && isNamed && other.name !== facts.name)
}

async function firstPayable({ desk, holding }: PlanParts, other: Plan, store: PlanStore): Promise<readonly Same[]> {
  for await (const rows of readPlanRows(ownerOf(other, desk.journal), holding, store)) {
    const first = rows.find((row) => mayPay(row, other))
    if (first) return [[null, first]]
  }
  return []
}

async function findSameRows(file: PlannedFile, other: Plan, store: PlanStore): Promise<readonly Same[]> {
  const { desk, holding } = file
  for await (const { own, others } of rowsAlikeInBoth({ ...file.facts, store: file.store }, { ...other, store })) {
    const same = new Map<PlanRowRow, PlanRowRow>()
    for (const each of others) {
      const row = own.find((one) => isSameRow(one, each, file, other))
      if (row) same.set(each, row)
    }
    const standing = await loadRows(ownerOf(other, desk.journal), holding, [...same.keys()])
    const found = standing.filter((row) => mayPay(row, other))
    if (found.length > 0) return found.map((row) => [same.get(row.planned) ?? null, row])
  }
  return []
}

/**
 * True if two rows are one row of a file under two ids. A key is one payment, so two rows with keys are one row only if the key of
 * one stands in a cell of the other: the file was planned by another key column. Without keys, the names of two plans tell rows apart.
 */
function isSameRow(one: PlanRowRow, other: PlanRowRow, { facts, isNamed }: PlannedFile, plan: Plan): boolean {
  if (one.content !== other.content) return false
  const [key, otherKey] = [one.business_key, other.business_key]
  if (key === null && otherKey === null) return !isNamed || plan.name === facts.name
  if (key === null || otherKey === null) return true
  return hasCell(other, key) || hasCell(one, otherKey)
}

function hasCell({ source }: PlanRowRow, text: string): boolean {
  const cells: unknown = JSON.parse(source)
  return Array.isArray(cells) && cells.some((cell) => String(cell).trim() === text.trim())
}

const unsentStates: ReadonlySet<string> = new Set(['planned', 'unsent', 'turned-away'])

/** True if a row was paid, may have been paid, or may still be paid. */
function mayPay(row: PlannedRow, { discardedAt }: Plan): boolean {
  if (row.isTakenKey || isUnpaid(row)) return false
  if (row.state === 'refused') return isConflict(row)
  return discardedAt === null || !unsentStates.has(row.state)
}

/** Rows that are told one by one. */
const mostTold = 5

function plannedElsewhereFailure(
  { desk, facts, hasKeyless }: PlannedFile,
  other: Plan,
  found: readonly Same[],
  hasBytes: boolean,
) {
  const { planId, file, plannedAt } = other
  const count = new Count(desk.journal)
  for (const [, row] of found) count.add(row)
  const told = found
    .slice(0, mostTold)
    .map(([own, { planned, state }]) => `row ${own?.number ?? planned.number} is its row ${planned.number} (${state})`)
  const rows = [...told, ...(found.length > told.length ? ['and more'] : [])].join('; ')
  const what = hasBytes ? 'the file is identical' : rows
  return new Failure('duplicate', `${facts.file} is already planned as ${planId} (${file}, at ${plannedAt}): ${what}`, {
    moneyMoved: count.moneyMoved,
    retry: 'after-fix',
    hints: [
      hint`\`${paste('batch status', planId)}\` shows its state. If it should not be paid, run \`${paste('batch discard', planId)}\` and plan the file again.`,
      hasKeyless
        ? hint`To pay the same rows once more on purpose, use another \`--name\` or \`--again "<reason>"\`.`
        : hint`To pay the same rows once more on purpose, use \`--again "<reason>"\`.`,
    ],
  })
}

interface WithRows extends Pick<Plan, 'rows'> {
  readonly store: PlanStore
}

export function sumOfRow({ payee, amount_minor, currency }: PlanRowRow): string {
  return likenessOf(payee, amount_minor, currency)
}

/** Rows of two plans with the same sum and payee, piece by piece, without rows that both plans have under one id. */
export async function* rowsAlikeInBoth(
  own: WithRows,
  other: WithRows,
): AsyncGenerator<{ readonly own: readonly PlanRowRow[]; readonly others: readonly PlanRowRow[] }> {
  const isOwnFew = own.rows <= other.rows
  const [few, many] = isOwnFew ? [own, other] : [other, own]
  for await (const some of storedRows(few.store)) {
    const sums = new Set(some.map(sumOfRow))
    const like = (await many.store.ask((db) => rowsLike(db, some))).filter((row) => sums.has(sumOfRow(row)))
    const [ownRows, others] = isOwnFew ? [some, like] : [like, some]
    const both = { own: await withoutRowsOf(ownRows, other.store), others: await withoutRowsOf(others, own.store) }
    if (both.own.length > 0 && both.others.length > 0) yield both
  }
}

/** Rows whose ids a plan does not have. */
async function withoutRowsOf(rows: readonly PlanRowRow[], store: PlanStore): Promise<readonly PlanRowRow[]> {
  const uniqueIds = rows.map(({ unique_id }) => unique_id)
  const known = await idsIn(store, uniqueIds)
  return rows.filter(({ unique_id }) => !known.has(unique_id))
}

/** Other plans of the same name with rows left to pay that this plan lacks, each in words. Only rows without a key depend on the name. */
export async function findLeftUnderName(made: PlanParts): Promise<readonly string[]> {
  const { desk, plans, store, facts } = made
  const others = (await plans.list()).filter((plan) => {
    if (plan.planId === facts.planId || plan.name !== facts.name || !speaksFor(desk.profile, plan)) return false
    return staleness(plan, desk.profile, store.clock.now()) === null
  })
  const found: string[] = []
  for (const plan of others) {
    const number = await findFirstLeft(made, plan)
    if (number !== null) found.push(`${plan.planId} (${plan.file}), its row ${number}`)
  }
  return found
}

async function findFirstLeft({ desk, holding, store, plans }: PlanParts, plan: Plan): Promise<number | null> {
  const other = await plans.open(plan.planId)
  try {
    for await (const rows of readPlanRows(ownerOf(plan, desk.journal), holding, other)) {
      const open = rows.filter((row) => row.planned.business_key === null && isNew(row))
      const uniqueIds = open.map(({ planned }) => planned.unique_id)
      const known = await idsIn(store, uniqueIds)
      const left = open.find(({ planned }) => !known.has(planned.unique_id))
      if (left) return left.planned.number
    }
    return null
  } finally {
    await other.close()
  }
}

// Plans that a person may confuse with a new plan: the same rows of another client, the same name in another case.

/** Warnings about a new plan. `hasKeyless`: the ids of some rows depend on its name. */
export async function relatedPlans(
  plans: Pick<Plans, 'list'>,
  plan: Plan,
  hasKeyless: boolean,
): Promise<readonly string[]> {
  const others = (await plans.list()).filter(({ planId }) => planId !== plan.planId)
  return others.flatMap((other) => aboutOther(other, plan, hasKeyless) ?? [])
}

function aboutOther(other: Plan, plan: Plan, hasKeyless: boolean): string | null {
  const { planId, name, profile, clientId } = other
  if (!speaksFor(plan, other)) {
    const isSame = name === plan.name && totalsInWords(other.totals) === totalsInWords(plan.totals)
    if (!isSame || profile !== plan.profile || other.rows !== plan.rows || plan.environment === 'sandbox') return null
    return `${planId} is the same file, planned when this profile belonged to the client ${clientId}. Here its rows get OTHER ids: what was paid there is paid again`
  }
  if (!hasKeyless || name === plan.name || name.toLowerCase() !== plan.name.toLowerCase()) return null
  return `${planId} has the name ${name}, this plan ${plan.name}: names that differ in case are different, so rows without a key are paid under both`
}
