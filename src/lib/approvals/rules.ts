/** The rules of a store: from which sum of a day on how many others have to approve, signed by an administrator. */
import { fromMinorUnits } from '../contract/core/decimal.ts'
import { howMany } from '../contract/core/text.ts'
import type { DaySum } from '../store/journal/approvals.ts'
import { damagedRow } from '../store/journal/intents.ts'
import type { RuleRow } from '../store/journal/schema.ts'
import type { ProvenPersons } from './persons.ts'
import { isSignedBy, type Statement } from './signatures.ts'

/** Adds a rule, and with the same members removes it. */
export function ruleStatement(
  { id, currency, from_units, approvers }: Pick<RuleRow, 'id' | 'currency' | 'from_units' | 'approvers'>,
  by: string,
  at: string,
): Statement<'rule'> {
  return { rule: id, currency, from: fromMinorUnits(BigInt(from_units)), approvers: String(approvers), by, at }
}

/** Throws bug (1) for a rule that no administrator signed, or removed. */
export function standingRules(rows: readonly RuleRow[], persons: ProvenPersons): RuleRow[] {
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
export function wholeReached(
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
