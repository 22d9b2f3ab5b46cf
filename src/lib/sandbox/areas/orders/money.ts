/**
 * The arithmetic of an order, in integer minor units. Nothing is lost and nothing appears: what is divided adds up to what
 * there was. The payer's side rounds up, the receivers' side down, to 0.01.
 */
import { orderCommissionPerMille, ratesToGel, unpaidOrderLifetime } from '../../../contract/assumed.ts'
import { minorUnits } from '../../../contract/core/decimal.ts'
import { momentOfValidUntil } from '../../../contract/date.ts'
import type { OrderRequest } from '../../../contract/order/order.ts'
import { postOrder } from '../../../store/sandbox/orders.ts'
import { changeRows, listRows, updateOrder } from '../../../store/sandbox/rows.ts'
import type { OrderRow, Row, SandboxWriter } from '../../../store/sandbox/schema.ts'
import type { Integrator } from '../../accounts/fixtures.ts'
import type { TestCard } from '../cards.ts'

function rateToGel(currency: string): bigint {
  const rates: Readonly<Record<string, string>> = ratesToGel
  return minorUnits(rates[currency] ?? '') ?? 1n
}

function divideRoundingUp(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by
}

/** A sum in another currency, at the sandbox's fixed rates. */
export function convert(units: bigint, from: string, to: string, round: 'up' | 'down'): bigint {
  if (from === to) return units
  const value = units * rateToGel(from)
  return round === 'up' ? divideRoundingUp(value, rateToGel(to)) : value / rateToGel(to)
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
function commissionShares(commissionType: string): { readonly payer: bigint; readonly receivers: bigint } {
  if (commissionType === 'SENDER') return { payer: 2n * perMille, receivers: 0n }
  if (commissionType === 'BOTH') return { payer: perMille, receivers: perMille }
  return { payer: 0n, receivers: 2n * perMille }
}

interface Terms {
  readonly currency: string
  readonly acquiringCurrency: string
  readonly distributionCurrency: string
  readonly commissionType: string
}

interface ReceiverPart {
  readonly amount: bigint
  /** A tip bears no commission. */
  readonly tip: boolean
}

interface Sums {
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
  const { payer, receivers } = commissionShares(commissionType)
  const tips = sum(parts.filter(({ tip }) => tip).map(({ amount }) => amount))
  const bearing = parts.map(({ amount, tip }) => (tip ? 0n : amount))
  const goods = sum(bearing)
  const gross = divideRoundingUp(goods * 2000n, 2000n - payer)
  const commissions = apportion(divideRoundingUp(goods * receivers, 2000n), bearing)
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
export function refundedPart(posted: bigint, whole: bigint, before: bigint, more: bigint): bigint {
  if (whole === 0n) return 0n
  return (posted * (before + more)) / whole - (posted * before) / whole
}

// Terms of an order as it was accepted: those of the request, and those that follow from the integrator's
// configuration.

export function termsOf(order: OrderRow): Terms {
  return {
    currency: order.currency,
    acquiringCurrency: order.acquiring_currency,
    distributionCurrency: order.distribution_currency,
    commissionType: order.commission_type,
  }
}

interface Accepted extends Terms {
  readonly validUntil: number | null
  readonly expires: number
}

/** The terms of the request, else those of the integrator's configuration. */
export function acceptOrder(request: OrderRequest, { defaults }: Integrator, now: number): Accepted {
  const validUntil = request.validUntil === undefined ? null : momentOfValidUntil(request.validUntil)
  return {
    currency: request.currency ?? 'GEL',
    acquiringCurrency: request.acquiringCurrency ?? defaults.acquiringCurrency,
    distributionCurrency: request.distributionCurrency ?? defaults.distributionCurrency,
    commissionType: request.commissionType ?? defaults.commissionType,
    validUntil,
    expires: validUntil ?? now + unpaidOrderLifetime * 1000,
  }
}

// Money of an order: held on the payer's card, or taken from it and given to the receivers, as postings.

type Share = Row<'shares'>

export const partsOf = (shares: readonly Share[]): readonly ReceiverPart[] =>
  shares.map(({ amount, tip }) => ({ amount: BigInt(amount), tip: tip === 1 }))

/** The postings of a payment of these shares: one charge of the payer, a credit for each receiver. */
export function postingsFor(
  order: OrderRow,
  shares: readonly Share[],
  charge_id: number | null,
): { readonly acquired: number; readonly postings: readonly Row<'order_postings'>[] } {
  const { acquired, distributed } = sumsOf(partsOf(shares), termsOf(order))
  const base = { order_id: order.order_id, charge_id, refund_id: null }
  const charge = { currency: order.acquiring_currency, units: Number(acquired), kind: 'charge' } as const
  const credits = shares.map(({ position, receiver }, at) => ({
    ...{ ...base, position, receiver, kind: 'credit' as const },
    ...{ currency: order.distribution_currency, units: Number(distributed[at] ?? 0n) },
  }))
  return { acquired: Number(acquired), postings: [{ ...base, position: null, receiver: null, ...charge }, ...credits] }
}

/** Pre-authorisation: the sum is blocked on the card, no receiver gets anything yet. */
export async function hold(db: SandboxWriter, order: OrderRow, { name }: TestCard): Promise<OrderRow> {
  const shares = await listRows(db, 'shares', { order_id: order.order_id })
  const { acquired } = postingsFor(order, shares, null)
  const authorised = order.amount + order.tip
  const held = { authorised, acquired, trying: name, due: null }
  return await updateOrder(db, order, { ...held, status: 'WAITING_FOR_CONFIRM' })
}

/** Takes so much of the order's currency. Less than the whole is divided among the receivers as the whole would have been. */
export async function capture(db: SandboxWriter, order: OrderRow, units: number): Promise<OrderRow> {
  // A plan's order is paid with nothing: its shares are those of the charges to come.
  if (units === 0) return await updateOrder(db, order, { status: 'SUCCESS', trying: null, due: null })
  const shares = await listRows(db, 'shares', { order_id: order.order_id })
  const taken = apportion(
    BigInt(units),
    shares.map(({ amount }) => BigInt(amount)),
  )
  const parts = shares.map((share, at) => ({ ...share, amount: Number(taken[at] ?? 0n) }))
  for (const { order_id, position, amount } of parts) await changeRows(db, 'shares', { order_id, position }, { amount })
  const { acquired, postings } = postingsFor(order, parts, null)
  await postOrder(db, postings)
  // Of a sum that was held with its tip, the tip is what its receiver has of it now.
  const tip = parts.reduce((sum, part) => sum + (part.tip === 1 ? part.amount : 0), 0)
  return await updateOrder(db, order, { status: 'SUCCESS', paid: units, tip, acquired, trying: null, due: null })
}
