/** The sum of an order as its answers and its status may repeat it. */
import type { AskedSum } from '../answer.ts'
import { isMembers, type Members } from '../core/members.ts'

/** An order with a plan has the amount 0, and the plan names the price: an answer may repeat either. */
function amountsOf({ amount, subscriptionPlan }: Members): readonly unknown[] {
  return isMembers(subscriptionPlan) ? [amount, subscriptionPlan.amount] : [amount]
}

/** A request names its currency in one member, a status in another; an answer that has the other one speaks of the same. */
const inCurrency = (currency: unknown) => ({ currency: [currency], initialCurrency: [currency] })

export function sumOfOrder(request: Members): AskedSum {
  const { receiverId = null, cardToken = null } = request
  return {
    ...{ amount: amountsOf(request), ...inCurrency(request.currency ?? 'GEL') },
    ...(receiverId === null ? {} : { receiverId: [receiverId] }),
    ...(cardToken === null ? {} : { cardToken: [cardToken] }),
  }
}

/**
 * The service decides the amount that the card is charged (`acquiringAmount`), so it is not compared. Nor is the amount of a
 * pre-authorised order: it may be completed with less, and no sample says which of the two sums its status shows.
 */
export function sumOfOrderShown(request: Members): AskedSum {
  const { payWithPreAuth, currency } = request
  const amount = payWithPreAuth === 'true' ? {} : { amount: amountsOf(request) }
  return { ...amount, ...inCurrency(currency ?? 'GEL') }
}

/** The request of a completion or a refund names no currency: that of the order counts, where it is known. */
export function sumOfPart({ amount, currency }: Members): AskedSum {
  return { amount: [amount], ...(currency ? inCurrency(currency) : {}) }
}

/** The sum that an order is paid with: any with a tip, which its payer names, and with a plan (null). */
export function paidSum({ amount, subscriptionPlan, tipReceiverId }: Members): unknown {
  return isMembers(subscriptionPlan) || tipReceiverId != null ? null : amount
}
