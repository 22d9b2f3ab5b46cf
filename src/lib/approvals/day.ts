/**
 * The sums that count for a maker on a day while there are rules: a payment by its first attempt, and no more when it was refused, did not
 * leave or is held. Where no rule spoke of it nothing is counted, and no statement made.
 */
import { tbilisiDay } from '../spending.ts'
import { addToDay } from '../store/journal/approvals.ts'
import type { DaySumRow, IntentRow, JournalWriter } from '../store/journal/schema.ts'

type Change = readonly [row: IntentRow, by: 1 | -1]

/** Adds intents to the sums of their days, or takes them away again: a statement for each sum that changes. */
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
