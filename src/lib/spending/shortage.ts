/** Payouts that do not fit a limit: what is left of it, and when they fit. */
import { countedInWords, type Limit, limitText } from './limit.ts'
import { amountOf, countedBy, leftOf, type Spending, type Spent } from './spent.ts'
import { dayEnd, hourLength, tbilisiTime } from './window.ts'

/** Payouts that are to be sent: one, or the rows of a plan. Sums are minor units by currency. */
export interface Demand {
  readonly payouts: bigint
  readonly sums: ReadonlyMap<string, bigint>
  /** The largest single one. */
  readonly largest: ReadonlyMap<string, bigint>
}

export interface Shortage {
  readonly limit: Limit
  /** Minor units, or a number of payouts, as the limit counts. */
  readonly left: bigint
  readonly needed: bigint
  /** The moment from which they fit, if nothing else is sent; null where they never do under this limit. */
  readonly fitsAt: number | null
}

export function onePayout(currency: string, units: bigint): Demand {
  const sums = new Map([[currency, units]])
  return { payouts: 1n, sums, largest: sums }
}

function neededOf({ currency, per }: Limit, { payouts, sums, largest }: Demand): bigint {
  if (currency === null) return payouts
  return (per === 'payout' ? largest : sums).get(currency) ?? 0n
}

/** The limits that some payouts do not fit. `now`: milliseconds since 1970. */
export function shortagesOf(limits: readonly Limit[], demand: Demand, spent: Spent, now: number): Shortage[] {
  return limits.flatMap((limit) => {
    const needed = neededOf(limit, demand)
    const used = amountOf(limit, countedBy(limit, spent))
    // Nothing of its currency is wanted: a limit that was lowered since holds no other payout.
    if (needed === 0n || used + needed <= limit.most) return []
    return [{ limit, left: leftOf(limit, spent), needed, fitsAt: fitsAt(limit, needed, spent, now) }]
  })
}

function fitsAt(limit: Limit, needed: bigint, spent: Spent, now: number): number | null {
  if (needed > limit.most) return null
  return limit.per === 'day' ? dayEnd(now) : enoughGoneAt(limit, needed, spent.hour, now)
}

/** The moment at which so much of the last hour is older than that. */
function enoughGoneAt(limit: Limit, needed: bigint, hour: readonly Spending[], now: number): number {
  const oldest = hour.toSorted((one, other) => one.until - other.until)
  let used = amountOf(limit, oldest)
  let at = now
  for (const spending of oldest) {
    if (used + needed <= limit.most) break
    used -= amountOf(limit, [spending])
    at = spending.until + hourLength
  }
  return at
}

/** "GEL 20000.00/day leaves GEL 500.00 for GEL 1200.00, which fits from 2026-11-21 00:00 Tbilisi time on". */
export function shortagesInWords(shortages: readonly Shortage[]): string {
  return shortages.map(inWords).join('; ')
}

function inWords({ limit, left, needed, fitsAt }: Shortage): string {
  const asked = countedInWords(limit, needed)
  if (fitsAt === null) return `${asked} cannot fit ${limitText(limit)} (raise the limit, or pay in parts)`
  return `${limitText(limit)} leaves ${countedInWords(limit, left)} for ${asked}, which fits from ${tbilisiTime(fitsAt)} on`
}
