/**
 * Asks the rules of the store about a write, in the transaction that opens it. A store without rules loads nothing else
 * of this folder.
 */
import { ruledOperations } from '../contract/operation.ts'
import { tbilisiDay } from '../spending.ts'
import { addToDay, rulesIn } from '../store/journal/approvals.ts'
import type { DaySumRow, IntentRow, JournalReader, JournalWriter, RuleRow } from '../store/journal/schema.ts'
import { isCounted } from '../store/journal/spent.ts'
import { type Approvable, type Asking, type Deciding, type Payment, type Ruling, unruled } from './subject.ts'

function mayBeRuled({ operation, amountMinor }: Payment, row: IntentRow | null): boolean {
  return ruledOperations.includes(operation) && amountMinor !== null && !(row && isCounted(row))
}

export async function hasRules(db: JournalReader): Promise<boolean> {
  return (await rulesIn(db)).some(({ removed_at }) => removed_at === null)
}

/** `isRunning`: tried again by the run that opened it. */
export async function rulingOn(
  db: JournalReader,
  newIntent: Payment,
  row: IntentRow | null,
  guard: Approvable & { readonly isRunning?: boolean },
  deciding: Deciding,
): Promise<Ruling> {
  if (!mayBeRuled(newIntent, row)) return unruled
  return ruled(db, [newIntent], { ...guard, row }, deciding)
}

/** Of new drafts of one client and one plan, or of none, all together. */
export async function rulingOnAll(
  db: JournalReader,
  newIntents: readonly Payment[],
  guard: Approvable,
  deciding: Deciding,
): Promise<Ruling> {
  const about = newIntents.filter((newIntent) => mayBeRuled(newIntent, null))
  return about.length === 0 ? unruled : ruled(db, about, { ...guard, row: null }, deciding)
}

async function ruled(
  db: JournalReader,
  newIntents: readonly Payment[],
  asking: Asking,
  deciding: Deciding,
): Promise<Ruling> {
  const rules: readonly RuleRow[] = await rulesIn(db)
  if (rules.length === 0) return unruled
  const { decideByRules } = await ruleDecision()
  return decideByRules(db, rules, newIntents, asking, deciding)
}

let loading: Promise<typeof import('./decide.ts')> | undefined

/** Once: later transactions wait for nothing. */
export function ruleDecision(): Promise<typeof import('./decide.ts')> {
  loading ??= import('./decide.ts')
  return loading
}

type Change = readonly [row: IntentRow, by: 1 | -1]

/** Adds intents to the sums of their days, or takes them away. */
export async function countInDay(db: JournalWriter, changes: readonly Change[]): Promise<void> {
  const sums = new Map<string, DaySumRow>()
  for (const [row, by] of changes) {
    const { environment, maker, currency, approvers, opened_at, amount_minor } = row
    if (maker === null || approvers === null || amount_minor === '') continue
    const of = { environment, day: tbilisiDay(Date.parse(opened_at)), maker, currency, approvers }
    const name = JSON.stringify(Object.values(of))
    const { payments = 0n, units = 0n } = sums.get(name) ?? {}
    sums.set(name, { ...of, payments: payments + BigInt(by), units: units + BigInt(by) * BigInt(amount_minor) })
  }
  for (const sum of sums.values()) if (sum.payments !== 0n || sum.units !== 0n) await addToDay(db, sum)
}
