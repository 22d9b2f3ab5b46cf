/**
 * A limit of a profile, as it is typed and kept: "GEL 5000/payout", "GEL 20000/day", "100/hour". Limits are on payouts only;
 * a sum has its currency, a number of payouts has none.
 */

import { fromMinorUnits, minorUnits } from '../contract/core/decimal.ts'
import { howMany } from '../contract/core/text.ts'
import { currencies } from '../contract/payout/request.ts'

export const limitSpans = ['payout', 'hour', 'day'] as const

/** The payouts that a limit counts together: one alone, those of the last 60 minutes, those of today in Tbilisi. */
export type LimitSpan = (typeof limitSpans)[number]

export interface Limit {
  /** Null where payouts are counted and not their sums. */
  readonly currency: string | null
  /** Minor units; of a limit without a currency a number of payouts. */
  readonly most: bigint
  readonly per: LimitSpan
}

export type ReadLimit =
  | { readonly ok: true; readonly limit: Limit }
  /** In words that follow the name of a flag or a setting. */
  | { readonly ok: false; readonly complaint: string }

const form = /^(?:([^\s/]+) )?([^\s/]+)\/([^\s/]+)$/

/** More digits than any sum has: what is longer was mistyped. */
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
    return wrong(`takes a plain number like 5000 or 5000.50, not "${amount}" (in "${text}")`)
  }
  return currency === null ? numberOf(text, amount, units, per) : { ok: true, limit: { currency, most: units, per } }
}

function numberOf(text: string, amount: string, units: bigint, per: LimitSpan): ReadLimit {
  if (per === 'payout') return wrong(`needs a currency in "${text}": a payout is always one payout`)
  if (amount.includes('.')) return wrong(`needs a currency in "${text}", or a whole number of payouts`)
  return { ok: true, limit: { currency: null, most: units / 100n, per } }
}

/** A number of payouts, or a sum: "3 payouts", "GEL 12.50". */
export function countedInWords({ currency }: Pick<Limit, 'currency'>, amount: bigint): string {
  if (currency !== null) return `${currency} ${fromMinorUnits(amount)}`
  return howMany(amount, 'payout')
}

/** The one form in which a limit is kept and told: "GEL 5000.00/payout", "100/hour". */
export function limitText({ currency, most, per }: Limit): string {
  return `${currency === null ? most : `${currency} ${fromMinorUnits(most)}`}/${per}`
}

/** True if two limits are on the same: one takes the place of the other. */
export function isSameKind(one: Limit, other: Limit): boolean {
  return one.currency === other.currency && one.per === other.per
}
