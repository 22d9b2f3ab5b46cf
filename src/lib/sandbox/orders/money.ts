/**
 * The arithmetic of an order, in integer minor units. Nothing is lost and nothing appears: what is divided adds up to what
 * there was. The payer's side rounds up, the receivers' side down, to 0.01.
 */
import { orderCommissionPerMille, ratesToGel } from '../../contract/assumed.ts'
import { minorUnits } from '../../contract/core/decimal.ts'

function inGel(currency: string): bigint {
  const rates: Readonly<Record<string, string>> = ratesToGel
  return minorUnits(rates[currency] ?? '') ?? 1n
}

function dividedUp(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by
}

/** A sum in another currency, at the sandbox's fixed rates. */
export function convert(units: bigint, from: string, to: string, round: 'up' | 'down'): bigint {
  if (from === to) return units
  const value = units * inGel(from)
  return round === 'up' ? dividedUp(value, inGel(to)) : value / inGel(to)
}

/** A sum divided by weights: each gets the whole units, the largest remainders one more each, the first first. */
export function apportion(total: bigint, weights: readonly bigint[]): readonly bigint[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0n)
  if (all === 0n) return weights.map(() => 0n)
  const whole = weights.map((weight) => (total * weight) / all)
  const left = Number(total - whole.reduce((sum, part) => sum + part, 0n))
  const remainders = weights.map((weight, at) => ({ at, remainder: (total * weight) % all }))
  remainders.sort((one, other) => Number(other.remainder - one.remainder) || one.at - other.at)
  const favoured = new Set(remainders.slice(0, left).map(({ at }) => at))
  return whole.map((part, at) => (favoured.has(at) ? part + 1n : part))
}

const perMille = BigInt(orderCommissionPerMille)

/** The thousandths that the payer bears, and those of the receivers, both doubled: BOTH is half and half. */
function borne(commissionType: string): { readonly payer: bigint; readonly receivers: bigint } {
  if (commissionType === 'SENDER') return { payer: 2n * perMille, receivers: 0n }
  if (commissionType === 'BOTH') return { payer: perMille, receivers: perMille }
  return { payer: 0n, receivers: 2n * perMille }
}

export interface Terms {
  readonly currency: string
  readonly acquiringCurrency: string
  readonly distributionCurrency: string
  readonly commissionType: string
}

export interface ReceiverPart {
  readonly amount: bigint
  /** A tip bears no commission. */
  readonly tip: boolean
}

export interface Sums {
  /** The debit of the payer's card, in the acquiring currency. */
  readonly acquired: bigint
  /** The credit of each part's receiver, in the distribution currency. */
  readonly distributed: readonly bigint[]
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, each) => total + each, 0n)

/**
 * The sums that the payer pays and the receivers get for these parts. SENDER: amount / (1 - pct), rounded up
 * (service.md#orders).
 */
export function sumsOf(parts: readonly ReceiverPart[], terms: Terms): Sums {
  const { currency, acquiringCurrency, distributionCurrency, commissionType } = terms
  const { payer, receivers } = borne(commissionType)
  const tips = sum(parts.filter(({ tip }) => tip).map(({ amount }) => amount))
  const bearing = parts.map(({ amount, tip }) => (tip ? 0n : amount))
  const goods = sum(bearing)
  const gross = dividedUp(goods * 2000n, 2000n - payer)
  const commissions = apportion(dividedUp(goods * receivers, 2000n), bearing)
  const net = parts.map(({ amount }, at) => amount - (commissions[at] ?? 0n))
  const distributed = convert(sum(net), currency, distributionCurrency, 'down')
  return {
    acquired: convert(gross + tips, currency, acquiringCurrency, 'up'),
    distributed: apportion(distributed, net),
  }
}

/**
 * The part of a posted sum that goes back when `before` of `whole` was refunded already and now `more` is: counted from the
 * beginning, so that several parts add up to the whole sum exactly.
 */
export function backOf(posted: bigint, whole: bigint, before: bigint, more: bigint): bigint {
  if (whole === 0n) return 0n
  return (posted * (before + more)) / whole - (posted * before) / whole
}
