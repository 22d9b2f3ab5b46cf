/** Rules and approvals held against what is about to be sent, signatures included. */

import { fromMinorUnits } from '../contract/core/decimal.ts'
import { howMany } from '../contract/core/text.ts'
import { madeBy } from '../contract/operation.ts'
import type { ServicePlace } from '../contract/service.ts'
import { currencyOfCreated } from '../contract/wallet/wallet.ts'
import { isRecord, readJson } from '../json.ts'
import { tbilisiDay } from '../spending.ts'
import { approvalsAbout, type DaySum, daySumsSince, rulesIn } from '../store/journal/approvals.ts'
import { damagedRow, findIntent } from '../store/journal/intents.ts'
import type { JournalReader, RuleRow } from '../store/journal/schema.ts'
import { type ProvenPersons, provenPersons } from './persons.ts'
import { type ProvenApproval, provenApproval } from './proof.ts'
import { isSignedBy, type Statement } from './signatures.ts'
import {
  type ApprovablePlan,
  type ApprovalSubject,
  type Asking,
  type Deciding,
  type Payment,
  paymentSubject,
  planSubject,
  type Ruling,
  unruled,
  wholeOf,
} from './subject.ts'

/** Drafts of one client: each currency by itself, and all held where one is. */
export async function decideByRules(
  db: JournalReader,
  rows: readonly RuleRow[],
  newIntents: readonly Payment[],
  asking: Asking,
  deciding: Deciding,
): Promise<Ruling> {
  const [first] = newIntents
  const persons = await provenPersons(db)
  const rules = provenRules(rows, persons)
  if (!first || rules.length === 0) return unruled
  const sums = new Map<string | null, bigint>()
  for (const newIntent of newIntents) {
    const currency = await currencyAsked(db, newIntent)
    sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(newIntent.amountMinor ?? 0))
  }
  const place = { ...first, ...asking.sender }
  const { service, serviceId, environment, clientId } = place
  const { row, plan } = asking
  // The payment by itself, where the journal knows it, and its plan.
  const subjects = [
    ...(row ? [paymentSubject({ ...first, service, serviceId, environment, clientId }, row.id)] : []),
    ...(plan ? [planSubject(plan, place)] : []),
  ]
  const found = await approvedBy(db, subjects, persons, asking, deciding.now)
  return decideOn(db, { rules, persons, environment: first.environment, found, sums, asking }, deciding)
}

interface NewSums {
  readonly sender: ServicePlace
  /** Of the new rows of a plan, by currency. */
  readonly sums: ReadonlyMap<string, bigint>
  readonly day?: readonly DaySum[]
}

export async function decideOnPlan(
  db: JournalReader,
  plan: ApprovablePlan,
  { sender, ...weighed }: NewSums,
  deciding: Deciding,
): Promise<Ruling> {
  const persons = await provenPersons(db)
  const rules = provenRules(await rulesIn(db), persons)
  const asking: Asking = { row: null, plan, sender }
  const subject = planSubject(plan, sender)
  const found = await approvedBy(db, [subject], persons, asking, deciding.now)
  return decideOn(db, { rules, persons, environment: sender.environment, found, ...weighed, asking }, deciding)
}

type Sums = ReadonlyMap<string, bigint>

/** Minor units by currency, of all rows, and of those that are new. */
interface AskedPlan {
  readonly planId: string
  readonly environment: string
  readonly maker: string
  readonly whole: Sums
  readonly left: Sums
}

/** How many have to approve a plan of one maker, as rules, day and rows stand. */
export async function neededFor(db: JournalReader, asked: AskedPlan, now: number): Promise<number> {
  const { planId, environment, maker, whole, left } = asked
  const persons = await provenPersons(db)
  const rules = provenRules(await rulesIn(db), persons)
  const day = await daySumsSince(db, environment, tbilisiDay(now))
  let used = 0
  for (const each of await approvalsAbout(db, planId)) {
    used = Math.max(used, usedBy(await provenApproval(db, each, null, persons, now)))
  }
  const reached = moreOf(reachedBy(rules, [...left], maker, day), planNeedsDayRule(rules, [...whole], maker, day, used))
  return reached?.rule.approvers ?? 0
}

interface Weighed {
  readonly rules: readonly RuleRow[]
  readonly persons: ProvenPersons
  readonly environment: string
  readonly found: Found
  /** Minor units by currency; null where that is not known. */
  readonly sums: ReadonlyMap<string | null, bigint>
  readonly asking: Asking
  readonly day?: readonly DaySum[]
}

async function decideOn(
  db: JournalReader,
  { rules, persons, environment, found, sums, asking, ...given }: Weighed,
  deciding: Deciding,
): Promise<Ruling> {
  const speaks = ([currency]: readonly [string | null, bigint]) => rules.some((rule) => speaksOf(rule, { currency }))
  const asked = [...sums].filter(speaks)
  if (asked.length === 0 && !wholeOf(asking.plan).some(speaks)) return unruled
  const { best } = found
  const maker = best?.row.maker ?? (await senderIn(persons, deciding))
  const before = asking.isRunning && asking.row?.state === 'unsent' ? (asking.row.approvers ?? 0) : 0
  const approvers = Math.max(best?.approvers.length ?? 0, before)
  const counted = { maker: before > 0 ? (asking.row?.maker ?? maker) : maker, approvers }
  const day = given.day ?? (await daySumsSince(db, environment, tbilisiDay(deciding.now)))
  const own = reachedBy(rules, asked, counted.maker, day)
  const most = moreOf(own, planNeedsDayRule(rules, wholeOf(asking.plan), counted.maker, day, found.used))
  const needs = most?.rule.approvers ?? 0
  if (most === null || needs <= approvers) return { ...unruled, counted, needs, uses: best?.row ?? null }
  const asks = found.newest?.state === 'open' ? found.newest.row.id : null
  return { because: waitsFor(most, approvers, found), asked: asks, counted, needs, uses: null }
}

async function senderIn(persons: ProvenPersons, { leaseHolder }: Deciding): Promise<string> {
  const publicKey = (await leaseHolder?.person?.()) ?? null
  return (publicKey === null ? null : persons.ofKey(publicKey)?.id) ?? ''
}

/** The request that most have approved, and the newest. */
interface Found {
  readonly best: ProvenApproval | null
  readonly newest: ProvenApproval | null
  /** How many had approved the plan when rows of it went out. */
  readonly used: number
}

async function approvedBy(
  db: JournalReader,
  subjects: readonly ApprovalSubject[],
  persons: ProvenPersons,
  { row }: Asking,
  now: number,
): Promise<Found> {
  let [best, newest]: (ProvenApproval | null)[] = [null, null]
  let used = 0
  for (const subject of subjects) {
    for (const each of await approvalsAbout(db, subject.id)) {
      const proven = await provenApproval(db, each, subject, persons, now)
      newest ??= proven
      if (subject.subject === 'plan') used = Math.max(used, usedBy(proven))
      const isBetter = proven.approvers.length > (best?.approvers.length ?? 0)
      if (isBetter && mayBeUsed(proven, subject, row?.state ?? null)) best = proven
    }
  }
  return { best: best ?? null, newest: newest ?? null, used }
}

/** Whether their word counts still or not. */
function usedBy({ row, votes }: ProvenApproval): number {
  return row.used_at === null ? 0 : Math.max(1, votes.filter(({ decision }) => decision === 'approve').length)
}

/**
 * An approval is used once. That of a plan goes on for its rows; that of a payment which did not leave was not used up.
 */
function mayBeUsed(
  { state, isExpired }: ProvenApproval,
  { subject }: ApprovalSubject,
  standing: string | null,
): boolean {
  if (state === 'open') return true
  if (state !== 'used' || isExpired) return false
  return subject === 'plan' || standing === 'unsent'
}

function waitsFor({ rule, sum, currency, units }: Reached, approvers: number, { newest }: Found): string {
  const words = (amount: bigint) => `${currency ?? rule.currency} ${fromMinorUnits(amount)}`
  const together = sum === units ? words(units) : `${words(units)}, with what was sent today ${words(sum)},`
  const so = approvers === 0 ? '' : `, ${approvers} so far`
  return `waiting for an approval: ${together} needs the approval of ${howMany(rule.approvers, 'other person', 'other people')} (rule: ${rule.currency} ${fromMinorUnits(BigInt(rule.from_units))} and more)${so}${lastOf(newest)}`
}

function lastOf(newest: ProvenApproval | null): string {
  if (!newest) return ''
  const { row, facts, state } = newest
  const words = {
    open: 'is open',
    rejected: 'was rejected',
    expired: 'has expired',
    used: 'was used',
    outdated: `does not cover this request: it is for ${facts.sum} to ${facts.payee}, by client ${facts.client} of ${facts.service}`,
    void: 'is void: its maker was revoked, or its signature is none',
  }
  return `; ${row.id} ${words[state]}`
}

/** Null where it is not known. */
async function currencyAsked(db: JournalReader, newIntent: Payment): Promise<string | null> {
  if (newIntent.currency !== null) return newIntent.currency
  const request = readJson(newIntent.body)
  const order = isRecord(request) ? request.integratorOrderId : undefined
  const operation = madeBy[newIntent.operation]
  if (typeof order !== 'string' || operation === undefined) return null
  const row = await findIntent(db, { ...newIntent, operation, uniqueId: order.toLowerCase() })
  return currencyOfCreated(row)
}

// The rules of a store: from which sum of a day on how many others have to approve, signed by an administrator.

/** Adds a rule, and with the same members removes it. */
export function ruleStatement(
  { id, currency, from_units, approvers }: Pick<RuleRow, 'id' | 'currency' | 'from_units' | 'approvers'>,
  by: string,
  at: string,
): Statement<'rule'> {
  return { rule: id, currency, from: fromMinorUnits(BigInt(from_units)), approvers: String(approvers), by, at }
}

/** Throws bug (1) for a rule that no administrator signed, or removed. */
export function provenRules(rows: readonly RuleRow[], persons: ProvenPersons): RuleRow[] {
  return rows.filter((row) => {
    const by = persons.administrator(row.added_by)
    const added = ruleStatement(row, row.added_by, row.added_at)
    if (!by || !isSignedBy(by.public_key, 'rule', added, row.signature)) throw damagedRow(`the rule ${row.id}`)
    if (row.removed_at === null) return true
    const end = persons.administrator(row.removed_by ?? '')
    const removed = ruleStatement(row, row.removed_by ?? '', row.removed_at)
    if (end && isSignedBy(end.public_key, 'removal', removed, row.removal ?? '')) return false
    throw damagedRow(`the rule ${row.id}`)
  })
}

/** "from GEL 1000.00 on 1 approver". */
export function ruleInWords({
  currency,
  from_units,
  approvers,
}: Pick<RuleRow, 'currency' | 'from_units' | 'approvers'>): string {
  return `from ${currency} ${fromMinorUnits(BigInt(from_units))} on ${howMany(approvers, 'approver')}`
}

export interface SumAsked {
  /** Null where it is not known: rules of every currency speak of it. */
  readonly currency: string | null
  readonly units: bigint
  /** Empty for no person. */
  readonly maker: string
}

export interface RuleReached {
  readonly rule: RuleRow
  readonly sum: bigint
}

/**
 * The rule that asks for most approvers. Of the day counts what fewer had approved. A sender who is no person counts
 * with everybody, and for everybody: leaving the key out splits nothing.
 */
export function ruleReached(rules: readonly RuleRow[], asked: SumAsked, day: readonly DaySum[]): RuleReached | null {
  let most: RuleReached | null = null
  for (const rule of rules) {
    if (!speaksOf(rule, asked)) continue
    const before = day.filter((sum) => countsFor(sum, asked) && isOf(sum, rule) && sum.approvers < rule.approvers)
    const sum = before.reduce((all, { units }) => all + units, asked.units)
    const isReached = sum >= BigInt(rule.from_units)
    if (isReached && rule.approvers > (most?.rule.approvers ?? 0)) most = { rule, sum }
  }
  return most
}

export type Reached = RuleReached & SumAsked

export function reachedBy(
  rules: readonly RuleRow[],
  sums: readonly (readonly [string | null, bigint])[],
  maker: string,
  day: readonly DaySum[],
): Reached | null {
  let most: Reached | null = null
  for (const [currency, units] of sums) {
    const sum = { currency, units, maker }
    const reached = ruleReached(rules, sum, day)
    if (reached && reached.rule.approvers > (most?.rule.approvers ?? 0)) most = { ...reached, ...sum }
  }
  return most
}

/** A plan asks by itself; what it once needed for the sake of the day it needs again when its approval is over. */
export function planNeedsDayRule(
  rules: readonly RuleRow[],
  whole: readonly (readonly [string, bigint])[],
  maker: string,
  day: readonly DaySum[],
  used: number,
): Reached | null {
  // Rows of it that so many had approved count in the day for no rule that asks for as many: they are not added to it twice.
  const before = rules.filter(({ approvers }) => approvers <= used)
  return moreOf(reachedBy(rules, whole, maker, []), reachedBy(before, whole, maker, day))
}

export function moreOf(one: Reached | null, other: Reached | null): Reached | null {
  return (other?.rule.approvers ?? 0) > (one?.rule.approvers ?? 0) ? other : one
}

/** Or the currency is not known. */
export function speaksOf({ currency }: Pick<RuleRow, 'currency'>, asked: Pick<SumAsked, 'currency'>): boolean {
  return asked.currency === null || asked.currency === currency
}

function isOf({ currency }: DaySum, rule: RuleRow): boolean {
  return currency === '' || currency === rule.currency
}

function countsFor({ maker }: DaySum, asked: SumAsked): boolean {
  return asked.maker === '' || maker === '' || maker === asked.maker
}
