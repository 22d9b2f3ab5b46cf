/** Payouts that count against limits, and what they leave of one. */
import type { Limit } from './limit.ts'

/** Payouts of one currency that were opened at about the same time, added up. */
export interface Spending {
  readonly currency: string
  readonly payouts: bigint
  /** Minor units. */
  readonly units: bigint
  /** The moment at which the last of them may have been opened, milliseconds since 1970. */
  readonly until: number
}

/** Payouts that count now: each is in both where it is of today and of the last 60 minutes. */
export interface Spent {
  readonly day: readonly Spending[]
  readonly hour: readonly Spending[]
}

export const nothingSpent: Spent = { day: [], hour: [] }

/** The payouts that a limit counts; of a limit per payout there are none before it. */
export function countedBy({ per }: Limit, spent: Spent): readonly Spending[] {
  return per === 'payout' ? [] : spent[per]
}

/** The size of some payouts for a limit: minor units of its currency, or their number. */
export function amountOf({ currency }: Limit, spendings: readonly Spending[]): bigint {
  const own = currency === null ? spendings : spendings.filter((each) => each.currency === currency)
  return own.reduce((sum, { payouts, units }) => sum + (currency === null ? payouts : units), 0n)
}

/** The part of a limit that is left; 0 where more than that is spent. */
export function leftOf(limit: Limit, spent: Spent): bigint {
  const left = limit.most - amountOf(limit, countedBy(limit, spent))
  return left < 0n ? 0n : left
}
