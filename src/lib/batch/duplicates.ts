/**
 * Rows that may be paid twice: another plan has the same file or rows like these, or payouts like them were sent since the plan was
 * made. Rows are alike if payee, amount and currency are the same. `journal/duplicates.ts` looks once more when a row is opened. A key
 * does not let a row pass: the same file planned by another key column gets other ids.
 */

import { createPayout } from '../contract/payout/payout.ts'
import type { ServicePlace } from '../contract/service.ts'
import type { Desk } from '../desk/desk.ts'
import { scopeOf } from '../desk/new-intent.ts'
import { Failure } from '../failure.ts'
import { hint, paste } from '../hint.ts'
import type { AfterPlanning } from '../journal/duplicates.ts'
import { readPages } from '../journal/find.ts'
import { type Intent, likenessOf, mayHaveRun } from '../journal/intent.ts'
import type { ThisProcess } from '../journal/lease.ts'
import { type PlanRowRow, rowsLike } from '../store/plans.ts'
import { Count } from './count.ts'
import type { AgreedRows } from './make-plan.ts'
import { isSameSender, ownStaleness, type Plan, type PlanFacts, staleness, totalsInWords } from './plan.ts'
import { idsIn, type PlanStore, type Plans, storedRows } from './plans.ts'
import { isConflict, isNew, isUnpaid, type PlannedRow } from './row-state.ts'
import { loadRows, ownerOf, readPlanRows } from './rows.ts'

type Owner = Pick<Desk, 'journal' | 'profile'>
type AllPlans = Pick<Plans, 'list' | 'open'>

export interface PlanParts {
  readonly desk: Owner
  readonly leaseHolder: ThisProcess
  readonly store: PlanStore
  readonly plans: AllPlans
  readonly facts: Pick<PlanFacts, 'planId' | 'name' | 'file' | 'fileHash' | 'rows'>
}

const mostTold = 5

export function sumOfRow({ payee, amount_minor, currency }: PlanRowRow): string {
  return likenessOf(payee, amount_minor, currency)
}

function bySum(intents: readonly Intent[]): ReadonlyMap<string, Intent> {
  return new Map(intents.map((intent) => [likenessOf(intent.payee, intent.amountMinor, intent.currency), intent]))
}

interface OtherPlan {
  readonly other: Plan
  readonly stored: PlanStore
}

/** The other plans of a client that `isMeant` selects, the newest first. The store of each is closed before the next. */
async function* otherPlans(
  plans: AllPlans,
  { planId, client }: { readonly planId: string; readonly client: ServicePlace },
  isMeant: (other: Plan) => boolean = () => true,
): AsyncGenerator<OtherPlan> {
  for (const other of await plans.list()) {
    if (other.planId === planId || !isSameSender(client, other) || !isMeant(other)) continue
    const stored = await plans.open(other.planId)
    try {
      yield { other, stored }
    } finally {
      await stored.close()
    }
  }
}

interface WithRows extends Pick<Plan, 'rows'> {
  readonly store: PlanStore
}

/** Rows of two plans with the same sum and payee, piece by piece, without rows that both plans have under one id. */
async function* rowsAlikeInBoth(
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

async function withoutRowsOf(rows: readonly PlanRowRow[], store: PlanStore): Promise<readonly PlanRowRow[]> {
  const uniqueIds = rows.map(({ unique_id }) => unique_id)
  const known = await idsIn(store, uniqueIds)
  return rows.filter(({ unique_id }) => !known.has(unique_id))
}

// A file that is planned already, under other ids.

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
  for await (const { other, stored } of otherPlans(plans, { planId: facts.planId, client: desk.profile })) {
    const hasBytes = hasSameBytes(file, other)
    const found = hasBytes ? await firstPayable(file, other, stored) : await findSameRows(file, other, stored)
    if (found.length > 0) return plannedElsewhereFailure(file, other, found, hasBytes)
  }
  return null
}

/** A row of the other plan, and the same row of this plan; null if the bytes are the same. */
type Same = readonly [own: PlanRowRow | null, other: PlannedRow]

function hasSameBytes({ facts, hasKeyless, isNamed, isRenewed }: PlannedFile, other: Plan): boolean {
  const isSame = facts.fileHash === other.fileHash
  return isSame && !isRenewed && !(hasKeyless && isNamed && other.name !== facts.name)
}

async function firstPayable({ desk, leaseHolder }: PlanParts, other: Plan, store: PlanStore): Promise<readonly Same[]> {
  for await (const rows of readPlanRows(ownerOf(other, desk.journal), leaseHolder, store)) {
    const first = rows.find((row) => mayPay(row, other))
    if (first) return [[null, first]]
  }
  return []
}

async function findSameRows(file: PlannedFile, other: Plan, store: PlanStore): Promise<readonly Same[]> {
  const { desk, leaseHolder } = file
  for await (const { own, others } of rowsAlikeInBoth({ ...file.facts, store: file.store }, { ...other, store })) {
    const same = new Map<PlanRowRow, PlanRowRow>()
    for (const each of others) {
      const row = own.find((one) => isSameRow(one, each, file, other))
      if (row) same.set(each, row)
    }
    const standing = await loadRows(ownerOf(other, desk.journal), leaseHolder, [...same.keys()])
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
  return key === null || otherKey === null || hasCell(other, key) || hasCell(one, otherKey)
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

function plannedElsewhereFailure(
  { desk, facts, hasKeyless }: PlannedFile,
  { planId, file, plannedAt }: Plan,
  found: readonly Same[],
  hasBytes: boolean,
): Failure {
  const count = new Count(desk.journal)
  for (const [, row] of found) count.add(row)
  const told = found
    .slice(0, mostTold)
    .map(([own, { planned, state }]) => `row ${own?.number ?? planned.number} is its row ${planned.number} (${state})`)
  const rows = [...told, ...(found.length > told.length ? ['and more'] : [])].join('; ')
  const what = hasBytes ? 'the file is identical' : rows
  const again = hasKeyless ? hint`another \`--name\` or \`--again "<reason>"\`` : hint`\`--again "<reason>"\``
  return new Failure('duplicate', `${facts.file} is already planned as ${planId} (${file}, at ${plannedAt}): ${what}`, {
    moneyMoved: count.moneyMoved,
    retry: 'after-fix',
    hints: [
      hint`\`${paste('batch status', planId)}\` shows its state. If it should not be paid, run \`${paste('batch discard', planId)}\` and plan the file again.`,
      hint`To pay the same rows once more on purpose, use ${again}.`,
    ],
  })
}

/** Other plans of the same name with rows left to pay that this plan lacks, each in words. Only rows without a key depend on the name. */
export async function findLeftUnderName(parts: PlanParts): Promise<readonly string[]> {
  const { desk, store, plans, facts } = parts
  const isMeant = (other: Plan) =>
    other.name === facts.name && staleness(other, desk.profile, store.clock.now()) === null
  const found: string[] = []
  for await (const each of otherPlans(plans, { planId: facts.planId, client: desk.profile }, isMeant)) {
    const left = await findFirstLeft(parts, each)
    if (left) found.push(`${each.other.planId} (${each.other.file}), its row ${left.number}`)
  }
  return found
}

async function findFirstLeft({ desk, leaseHolder, store }: PlanParts, { other, stored }: OtherPlan) {
  for await (const rows of readPlanRows(ownerOf(other, desk.journal), leaseHolder, stored)) {
    const open = rows.filter((row) => row.planned.business_key === null && isNew(row))
    const planned = open.map((row) => row.planned)
    const [left] = await withoutRowsOf(planned, store)
    if (left) return left
  }
  return null
}

/**
 * Warnings about plans that a person may confuse with a new plan: the same rows of another client, the same name in another case.
 * `hasKeyless`: the ids of some rows depend on its name.
 */
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
  if (!isSameSender(plan, other)) {
    const isSame = name === plan.name && totalsInWords(other.totals) === totalsInWords(plan.totals)
    if (!isSame || profile !== plan.profile || other.rows !== plan.rows || plan.environment === 'sandbox') return null
    return `${planId} is the same file, planned when this profile belonged to the client ${clientId}. Here its rows get OTHER ids: what was paid there is paid again`
  }
  if (!hasKeyless || name === plan.name || name.toLowerCase() !== plan.name.toLowerCase()) return null
  return `${planId} has the name ${name}, this plan ${plan.name}: names that differ in case are different, so rows without a key are paid under both`
}

// Payouts like the rows of a plan that something else has sent since it was made: the person who agreed to it did not see them.

interface OwnPlan {
  readonly desk: Owner
  readonly leaseHolder: ThisProcess
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

const checks = new WeakMap<AgreedRows, AfterPlanning>()

/** The check of each row when it is opened; null if duplicates are allowed. All rows of a plan share one object: then they are opened in one transaction. */
export function duplicateCheckOf(own: OwnPlan & { readonly seen: AgreedRows }): AfterPlanning | null {
  if (!isStrict(own)) return null
  const { seen, plan } = own
  const known = checks.get(seen)
  if (known?.since === plan.plannedAt) return known
  const made = { since: plan.plannedAt, isOwn: (uniqueId: string) => seen.hasId(uniqueId) }
  checks.set(seen, made)
  return made
}

/** Warnings before a person agrees to a run: suspected duplicates, and rows that another plan has, too. */
export async function duplicateWarnings(own: OwnPlan, plans: AllPlans): Promise<readonly string[]> {
  const found = await findAlike(own)
  const paid = found.length === 0 ? [] : [paidInWords(own.plan, found)]
  return [...paid, ...(await findInOtherPlans(own, plans))]
}

const piece = 500

type Alike = readonly [row: PlannedRow, other: Intent]

/** The first rows that are still to be paid, each with a payout like it that is no row of the plan. */
async function findAlike(own: OwnPlan): Promise<readonly Alike[]> {
  const { desk, leaseHolder, store, plan } = own
  for await (const sent of own.isShared ? payoutsToItsPayees(own) : payoutsSincePlan(own)) {
    const alike = sent.filter(mayHaveRun)
    const uniqueIds = alike.map(({ uniqueId }) => uniqueId)
    const ownIds = await idsIn(store, uniqueIds)
    const others = alike.filter(({ uniqueId }) => !ownIds.has(uniqueId))
    if (others.length === 0) continue
    const paid = bySum(others)
    const wanted = others.map(({ payee, amountMinor }) => ({ payee, amount_minor: amountMinor ?? '' }))
    const like = (await store.ask((db) => rowsLike(db, wanted))).filter((row) => paid.has(sumOfRow(row)))
    const rows = await loadRows(ownerOf(plan, desk.journal), leaseHolder, like)
    const found = rows.flatMap((row) => {
      const other = paid.get(sumOfRow(row.planned))
      return other && isNew(row) ? [[row, other] as const] : []
    })
    if (found.length > 0) return found
  }
  return []
}

/** All payouts since the plan was made, the newest first. */
function payoutsSincePlan({ desk, plan }: OwnPlan): AsyncGenerator<readonly Intent[]> {
  const filter = { ...ofClient(desk.profile), since: plan.plannedAt, operations: [createPayout] }
  return readPages(desk.journal, filter, piece)
}

async function* payoutsToItsPayees({ desk, leaseHolder, store, plan }: OwnPlan): AsyncGenerator<readonly Intent[]> {
  const { journal, profile } = desk
  for await (const rows of readPlanRows(ownerOf(plan, journal), leaseHolder, store)) {
    const payees = [...new Set(rows.map(({ planned }) => planned.payee))]
    yield await journal.list({ ...ofClient(profile), payees, since: plan.plannedAt, operations: [createPayout] })
  }
}

/** A profile may have sent to another address; each world of the sandbox begins with an empty journal. */
function ofClient(profile: Desk['profile']) {
  const across = profile.environment === 'sandbox' ? {} : { orOfProfile: profile.name }
  return { scope: scopeOf(profile), ...across }
}

/** Warnings about other plans that may still pay rows like those of this plan. */
async function findInOtherPlans(own: OwnPlan, plans: AllPlans): Promise<readonly string[]> {
  const { store, plan } = own
  const isMeant = (other: Plan) => ownStaleness(other, store.clock.now()) === null
  const found: string[] = []
  for await (const each of otherPlans(plans, { planId: plan.planId, client: plan }, isMeant)) {
    const words = await findRowInBoth(own, each)
    if (words !== null) found.push(words)
  }
  return found
}

async function findRowInBoth({ desk, leaseHolder, store, plan }: OwnPlan, { other, stored }: OtherPlan) {
  const toPay = async (of: Plan, rows: readonly PlanRowRow[]) =>
    (await loadRows(ownerOf(of, desk.journal), leaseHolder, rows)).filter(isNew).map(({ planned }) => planned)
  for await (const both of rowsAlikeInBoth({ ...plan, store }, { ...other, store: stored })) {
    const there = new Map((await toPay(other, both.others)).map((row) => [sumOfRow(row), row]))
    const here = there.size === 0 ? null : (await toPay(plan, both.own)).find((row) => there.has(sumOfRow(row)))
    if (!here) continue
    const number = there.get(sumOfRow(here))?.number
    return `${other.planId} (${other.file}) is not paid yet and has the same rows as this plan: row ${here.number} here looks like its row ${number}`
  }
  return null
}

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
