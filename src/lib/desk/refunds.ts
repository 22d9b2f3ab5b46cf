/** Refunds of an order as this journal knows them: what is left to give back. A refund above that is refused before anything is sent. */
import { fromMinorUnits, JsonNumber, minorUnits, plainDecimal } from '../contract/core/decimal.ts'
import type { Members } from '../contract/core/members.ts'
import type { WriteOperation } from '../contract/operation.ts'
import { completeOrder, createOrder } from '../contract/order/order.ts'
import { refundOrder } from '../contract/order/refund.ts'
import { paidSum } from '../contract/order/request.ts'
import type { OrderStatus } from '../contract/order/status.ts'
import { about, Failure, nothingWasSent } from '../failure.ts'
import { type Hint, hint, paste } from '../hint.ts'
import { type Intent, isInConflict, isOperation } from '../journal/intent.ts'
import type { Journal } from '../journal/journal.ts'
import { requestIn } from '../journal/payment-end.ts'
import { isExecuted } from '../journal/verdict.ts'

export type Refundable = Awaited<ReturnType<typeof refundableOf>>

const unitsOf = ({ amountMinor }: Pick<Intent, 'amountMinor'>) => BigInt(amountMinor ?? 0)

const sum = (intents: readonly Intent[]) => intents.reduce((total, each) => total + unitsOf(each), 0n)

/** Null with a tip or a plan, and where the sum of the creation is in doubt. */
function totalOf(writes: readonly Intent[]): bigint | null {
  const created = writes.find((write) => isOperation(write, createOrder) && isExecuted(write))
  if (!created || isInConflict(created)) return null
  const request = requestIn(created.body)
  const made = minorUnits(plainDecimal(String(paidSum(request))) ?? '')
  const completed = writes.find(
    (write) => isOperation(write, completeOrder) && isExecuted(write) && !isInConflict(write),
  )
  return completed && made !== null ? unitsOf(completed) : made
}

/** Those of this journal, the oldest first. */
function refundsIn(writes: readonly Intent[]): readonly Intent[] {
  const refunds = writes.filter((write) => isOperation(write, refundOrder))
  return refunds.toSorted((one, other) => Date.parse(one.openedAt) - Date.parse(other.openedAt))
}

/** Sums in minor units, in the currency of the order. `writes`: everything that the journal has about it. */
export async function refundableOf(journal: Pick<Journal, 'attempts'>, writes: readonly Intent[]) {
  const refunds = refundsIn(writes)
  const done = refunds.filter(isExecuted)
  // A refund has no status of its own: the next status of its order that was read tells how it ended.
  const read = await Promise.all(done.map(async (write) => (await journal.attempts(write)).at(-1)?.known ?? null))
  const status = writes.find((write) => isOperation(write, createOrder))?.status ?? null
  const hasFailed = (_: Intent, at: number) => (read[at + 1] ?? status) === ('REFUNDED_FAILED' satisfies OrderStatus)
  const refunded = sum(done.filter((write, at) => !hasFailed(write, at)))
  const total = totalOf(writes)
  return {
    /** What the order was paid with; null, as what is left, where this journal does not know it. */
    total,
    /** Went back, or is on its way. */
    refunded,
    unresolved: sum(refunds.filter(({ state }) => state === 'unknown')),
    left: total === null ? null : total > refunded ? total - refunded : 0n,
    /** One was taken, and how it ended was not read yet. */
    isOnItsWay: done.length > 0 && status === ('REFUND_REQUESTED' satisfies OrderStatus),
  }
}

/** As results show them. `currency`: that of the order. */
export function refundsAmong(writes: readonly Intent[], currency: string | null) {
  return refundsIn(writes).map(({ openedAt: at, state, journalId, ...refund }) => {
    const amount = new JsonNumber(fromMinorUnits(unitsOf(refund)))
    return { at, amount, currency, state, status: null, journalId, callbackId: null }
  })
}

/** True if a refund of that sum is more than is left; false where that is not known. */
export function isTooMuch({ left }: Refundable, amount: unknown): boolean {
  const units = minorUnits(String(amount))
  return left !== null && units !== null && units > left
}

/** Throws Failure('usage') where more is to be taken than the order has blocked. One that was sent before is answered with what came of it. */
export function mustBeBlocked(
  { writes }: { readonly writes: readonly Intent[] },
  request: Members,
  currency: string | null,
): void {
  const total = totalOf(writes)
  const units = minorUnits(String(request.amount))
  const wasSent = writes.some(
    (write) => isOperation(write, completeOrder) && (isExecuted(write) || write.state === 'unknown'),
  )
  if (wasSent || total === null || units === null || units <= total) return
  const asked = inWords(units, currency)
  throw notSent(completeOrder, request, `--amount ${asked} is more than the order's ${inWords(total, currency)}`)
}

/** "GEL 100.00"; null where the sum of the order is not known here. */
export function orderSum({ writes }: { readonly writes: readonly Intent[] }, currency: string | null): string | null {
  const total = totalOf(writes)
  return total === null ? null : inWords(total, currency)
}

export function describeLeft(
  { total, refunded, unresolved, left }: Refundable,
  currency: string | null,
): readonly string[] {
  const [back, open, rest] = [refunded, unresolved, left ?? 0n].map((units) => inWords(units, currency))
  return [
    `${refunded === 0n ? 'nothing' : back} was refunded before or is being refunded${left === null ? '' : `; ${rest} is left`}`,
    ...(unresolved === 0n ? [] : [`CAUTION: it is unknown whether another ${open} was refunded: resolve that first`]),
    ...(total === null ? ['it is not known here how much was paid, nor how much is left'] : []),
  ]
}

/** The failure of a refund of more than is left. */
export function tooMuch({ total, refunded, left }: Refundable, request: Members, currency: string | null): Failure {
  const [asked, rest, paid, gone] = [minorUnits(String(request.amount)), left, total, refunded].map((units) =>
    inWords(units ?? 0n, currency),
  )
  const before = refunded === 0n ? '' : `, and ${gone} was refunded or is being refunded`
  return notSent(
    refundOrder,
    request,
    `--amount ${asked} is more than the ${rest} that is left to refund: the order was paid with ${paid}${before}`,
    hint`\`${paste('order status', String(request.integratorOrderId))}\` shows whether an earlier refund failed.`,
  )
}

const inWords = (units: bigint, currency: string | null) => [currency, fromMinorUnits(units)].filter(Boolean).join(' ')

function notSent(
  operation: WriteOperation,
  { integratorOrderId }: Members,
  message: string,
  ...hints: Hint[]
): Failure {
  const leave = hint`${nothingWasSent} --no-local-check lets the service decide.`
  return new Failure('usage', message, {
    ...about(operation),
    uniqueId: String(integratorOrderId),
    hints: [...hints, leave],
  })
}
