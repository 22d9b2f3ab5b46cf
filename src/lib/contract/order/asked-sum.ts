/** The sum of an order as its answers and its status may repeat it. */
import type { AskedSum } from '../asked-sum.ts'
import { isMembers } from '../core/members.ts'

type Members = Readonly<Record<string, unknown>>

/** An order with a plan has the amount 0, and the plan names the price: either may be repeated. */
function amountsOf({ amount, subscriptionPlan }: Members): readonly unknown[] {
  return isMembers(subscriptionPlan) ? [amount, subscriptionPlan.amount] : [amount]
}

export function sumOfOrder(request: Members): AskedSum {
  return { amount: amountsOf(request), currency: [request.currency ?? 'GEL'] }
}

/**
 * What the card is charged (`acquiringAmount`) the service decides. A pre-authorised order may be completed with less, and no
 * sample says which of the two its status shows.
 */
export function sumOfOrderShown(request: Members): AskedSum {
  const { payWithPreAuth, currency } = request
  const amount = payWithPreAuth === 'true' ? {} : { amount: amountsOf(request) }
  return { ...amount, initialCurrency: [currency ?? 'GEL'] }
}

/** The request of a completion or a refund names no currency: that of its order counts, where it is known. */
export function sumOfPart({ amount, currency }: Members): AskedSum {
  return { amount: [amount], ...(currency ? { currency: [currency] } : {}) }
}

/** A status names the currency of its order in a member of its own. */
export function sumCompletedShown({ amount, currency }: Members): AskedSum {
  return { amount: [amount], ...(currency ? { initialCurrency: [currency] } : {}) }
}
