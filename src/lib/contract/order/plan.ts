/** The subscription plan of an order (specification B1, "Subscription plan"; service.md#orders). */
import { z } from 'zod'
import { orderBreach } from '../assumed.ts'
import { fromMinorUnits, minorUnits } from '../core/decimal.ts'
import { dashedDateForm, field, wholeForm } from '../core/field.ts'
import { isMembers, type Members } from '../core/members.ts'
import { notPositive, oneOf, orderSumCodes, sum, text, trimmed, unitsOf, webAddress } from '../core/rules.ts'
import { dayAtService, isRealDashedDate } from '../date.ts'
import { type Rule, violation } from '../operation.ts'

export const planMembers = z.strictObject({
  interval: field(oneOf(['MONTHLY', 'WEEKLY']), { help: 'unit of the schedule', example: 'MONTHLY' }),
  intervalCount: field(text.regex(/^[1-9]\d*$/, { error: 'must be a whole number, 1 or more' }), {
    help: 'number of intervals between payments: MONTHLY with 2 is one payment every 2 months',
    json: 'number',
    schema: wholeForm,
    example: '1',
  }),
  amount: field(sum(orderSumCodes), {
    help: 'price per interval, greater than 0, up to 2 decimals',
    example: '9.90',
  }),
  startDate: field(text.refine(isRealDashedDate, { error: 'must be a date of the calendar, yyyy-MM-dd' }).optional(), {
    help: 'day of the first payment, yyyy-MM-dd, today or later in Tbilisi; without it the first payment is made at once',
    tidy: trimmed,
    schema: dashedDateForm,
    example: '2099-01-31',
  }),
  callbackUrl: field(webAddress.optional(), {
    help: "address called for every payment of the plan; without it the order's callback address",
    example: 'https://example.com/subscription',
  }),
})

/** With a plan it is 0, because the plan names the price. */
export const amountFitsPlan: Rule = ({ amount, subscriptionPlan, saveCard }, { savesCardForNothing }) => {
  const units = unitsOf(amount)
  if (units === null) return []
  if (subscriptionPlan === undefined) {
    const mayBeNothing = savesCardForNothing && saveCard === 'true'
    return units === 0n && !mayBeNothing ? [violation('amount', notPositive, 6068)] : []
  }
  return units === 0n ? [] : [violation('amount', 'must be 0 with a subscription plan: the plan names the price', 6113)]
}

/** No code says this; the general one does. */
export const planSavesCard: Rule = ({ subscriptionPlan, saveCard }) =>
  subscriptionPlan === undefined || saveCard === 'true'
    ? []
    : [violation('saveCard', 'must be true with a subscription plan: the plan charges the saved card', orderBreach)]

/** "GEL 15.00 every 2 months"; null without a plan. */
export function planPrice({ currency = 'GEL', subscriptionPlan }: Members): string | null {
  if (!isMembers(subscriptionPlan)) return null
  const { interval, intervalCount, amount } = subscriptionPlan
  const unit = interval === 'WEEKLY' ? 'week' : 'month'
  const every = String(intervalCount) === '1' ? `every ${unit}` : `every ${intervalCount} ${unit}s`
  return `${currency} ${fromMinorUnits(minorUnits(String(amount)) ?? 0n)} ${every}`
}

export const planStartsInTime: Rule = ({ subscriptionPlan }, { now }) => {
  const start = isMembers(subscriptionPlan) ? subscriptionPlan.startDate : undefined
  if (typeof start !== 'string' || !isRealDashedDate(start)) return []
  const today = dayAtService(now)
  return start < today
    ? [violation(['subscriptionPlan', 'startDate'], `must be today (${today} in Tbilisi) or later`, orderBreach)]
    : []
}
