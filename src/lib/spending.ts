/** Limits on payouts: how a limit is written, what counts against it, and when a payout fits again. */
import { fromMinorUnits, minorUnits } from './contract/core/decimal.ts'
import { howMany } from './contract/core/text.ts'
import { currencies } from './contract/payout/request.ts'

// A limit as it is typed and stored: "GEL 5000/payout", "GEL 20000/day", "100/hour". A limit with a currency is on sums, a limit
// without one on the number of payouts.

export const limitSpans = ['payout', 'hour', 'day'] as const

/** What a limit counts: one payout, the payouts of the last 60 minutes, or those of today in Tbilisi. */
export type LimitSpan = (typeof limitSpans)[number]

export interface Limit {
  /** Null for a limit on the number of payouts. */
  readonly currency: string | null
  /** Minor units, or a number of payouts. */
  readonly most: bigint
  readonly per: LimitSpan
}

type ReadLimit =
  | { readonly ok: true; readonly limit: Limit }
  /** Words that follow the name of a flag or a setting. */
  | { readonly ok: false; readonly complaint: string }

const form = /^(?:([^\s/]+) )?([^\s/]+)\/([^\s/]+)$/

/** A longer number was mistyped. */
const mostDigits = 15

function wrong(complaint: string): ReadLimit {
  return { ok: false, complaint }
}

export function readLimit(typed: string): ReadLimit {
  const text = typed.trim()
  const [, currency = null, amount = '', span = ''] = form.exec(text) ?? []
  const per = limitSpans.find((each) => each === span)
  if (amount === '' || per === undefined) {
    return wrong(`is written like "GEL 5000/payout", "GEL 20000/day" or "100/hour", not "${text}"`)
  }
  if (currency !== null && !currencies.some((each) => each === currency)) {
    return wrong(`knows the currencies ${currencies.join(', ')}, not "${currency}" (in "${text}")`)
  }
  const units = amount.length > mostDigits ? null : minorUnits(amount)
  if (units === null) {
    return wrong(`needs a plain number like 5000 or 5000.50, not "${amount}" (in "${text}")`)
  }
  return currency === null ? numberOf(text, amount, units, per) : { ok: true, limit: { currency, most: units, per } }
}

function numberOf(text: string, amount: string, units: bigint, per: LimitSpan): ReadLimit {
  if (per === 'payout') return wrong(`needs a currency in "${text}": a payout is always one payout`)
  if (amount.includes('.')) return wrong(`needs a currency in "${text}", or a whole number of payouts`)
  return { ok: true, limit: { currency: null, most: units / 100n, per } }
}

/** "3 payouts", "GEL 12.50". */
export function countedInWords({ currency }: Pick<Limit, 'currency'>, amount: bigint): string {
  if (currency !== null) return `${currency} ${fromMinorUnits(amount)}`
  return howMany(amount, 'payout')
}

/** The form in which limits are stored and shown: "GEL 5000.00/payout", "100/hour". */
export function limitText({ currency, most, per }: Limit): string {
  return `${currency === null ? most : `${currency} ${fromMinorUnits(most)}`}/${per}`
}

/** True if one limit replaces the other. */
export function isSameKind(one: Limit, other: Limit): boolean {
  return one.currency === other.currency && one.per === other.per
}

// Payouts that count against limits.

/** Payouts of one currency that were opened at about the same time, added up. */
export interface Spending {
  readonly currency: string
  readonly payouts: bigint
  /** Minor units. */
  readonly units: bigint
  /** The latest time at which one of them may have been opened, milliseconds since 1970. */
  readonly until: number
}

/** Payouts that count now. A payout of the last 60 minutes is in both, if it is of today. */
export interface Spent {
  readonly day: readonly Spending[]
  readonly hour: readonly Spending[]
}

export const nothingSpent: Spent = { day: [], hour: [] }

/** The payouts that count against a limit; none for a limit per payout. */
export function countedBy({ per }: Limit, spent: Spent): readonly Spending[] {
  return per === 'payout' ? [] : spent[per]
}

/** Minor units of the limit's currency, or the number of payouts. */
export function amountOf({ currency }: Limit, spendings: readonly Spending[]): bigint {
  const own = currency === null ? spendings : spendings.filter((each) => each.currency === currency)
  return own.reduce((sum, { payouts, units }) => sum + (currency === null ? payouts : units), 0n)
}

/** What is left of a limit; 0 if more is spent. */
export function leftOf(limit: Limit, spent: Spent): bigint {
  const left = limit.most - amountOf(limit, countedBy(limit, spent))
  return left < 0n ? 0n : left
}

// Payouts that exceed a limit: what is left of it, and when they fit.

/** Payouts to send: one, or the rows of a plan. Sums are minor units by currency. */
export interface Demand {
  readonly payouts: bigint
  readonly sums: ReadonlyMap<string, bigint>
  /** The largest payout. */
  readonly largest: ReadonlyMap<string, bigint>
}

export interface Shortage {
  readonly limit: Limit
  /** Minor units, or a number of payouts. */
  readonly left: bigint
  readonly needed: bigint
  /** When they fit, if nothing else is sent; null if they never fit. */
  readonly fitsAt: number | null
}

export function onePayout(currency: string, units: bigint): Demand {
  const sums = new Map([[currency, units]])
  return { payouts: 1n, sums, largest: sums }
}

/** Minor units of the limit's currency, or payouts. */
export function neededOf({ currency, per }: Limit, { payouts, sums, largest }: Demand): bigint {
  if (currency === null) return payouts
  return (per === 'payout' ? largest : sums).get(currency) ?? 0n
}

/** The limits that the payouts exceed. `now`: milliseconds since 1970. */
export function shortagesOf(limits: readonly Limit[], demand: Demand, spent: Spent, now: number): Shortage[] {
  return limits.flatMap((limit) => {
    const needed = neededOf(limit, demand)
    const used = amountOf(limit, countedBy(limit, spent))
    // A limit that was lowered does not hold payouts of another currency.
    if (needed === 0n || used + needed <= limit.most) return []
    return [{ limit, left: leftOf(limit, spent), needed, fitsAt: fitsAt(limit, needed, spent, now) }]
  })
}

function fitsAt(limit: Limit, needed: bigint, spent: Spent, now: number): number | null {
  if (needed > limit.most) return null
  return limit.per === 'day' ? dayEnd(now) : roomAt(limit, needed, spent.hour, now)
}

/** When enough payouts are older than an hour. */
function roomAt(limit: Limit, needed: bigint, hour: readonly Spending[], now: number): number {
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
  if (fitsAt === null)
    return `${asked} is above the limit of ${limitText(limit)} (the limit is set by who manages this profile: \`paydesk profile show\`)`
  return `${limitText(limit)} leaves ${countedInWords(limit, left)}; ${asked} is possible from ${tbilisiTime(fitsAt)}`
}

// The days and hours of limits: a day of Asia/Tbilisi (UTC+4 the whole year), and the last 60 minutes, in milliseconds since 1970.

const zone = 4 * 60 * 60 * 1000
const day = 24 * 60 * 60 * 1000

export const hourLength = 60 * 60 * 1000
export const minuteLength = 60 * 1000

/** The last midnight in Tbilisi. */
export function dayStart(now: number): number {
  return Math.floor((now + zone) / day) * day - zone
}

/** The day in Tbilisi: "2026-11-21". */
export function tbilisiDay(moment: number): string {
  return new Date(moment + zone).toISOString().slice(0, 10)
}

export function dayEnd(now: number): number {
  return dayStart(now) + day
}

/** "2026-11-21 00:00 Tbilisi time", rounded up to the minute. */
export function tbilisiTime(moment: number): string {
  const minute = Math.ceil(moment / minuteLength) * minuteLength
  return `${new Date(minute + zone).toISOString().slice(0, 16).replace('T', ' ')} Tbilisi time`
}
