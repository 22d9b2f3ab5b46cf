/**
 * The payment of an order, as its creation decides it. An order with `validUntil` may be paid again after a failed try, any
 * number of times until then (specification, "Orders"): FAILED is its end only when that time has certainly passed. Neither is
 * EXPIRED before that the end of a charge: a copy of the service that has not heard of the charge shows it, too.
 */
import { type Hint, hint } from '../../hint.ts'
import { validUntilMargin } from '../assumed.ts'
import type { Members } from '../core/members.ts'
import type { StatusFacts } from '../status.ts'
import { orderStatusFacts, payable, readOrderStatus } from './status.ts'
import { momentOfValidUntil } from './valid-until.ts'

const failedOnce = { ...payable, means: 'the last try to pay it failed, nothing was taken' } as const
const unheard = { ...payable, means: 'not paid in time, as far as it was seen' } as const

/** A moment that cannot be read never passes. */
function hasPassed(validUntil: string, now: number | undefined): boolean {
  const end = momentOfValidUntil(validUntil)
  return end !== null && now !== undefined && now >= end + validUntilMargin * 1000
}

/** The facts of a status that looks like the end of the order's payment, and may not be it yet; null for any other. */
function notYetEnded(status: string, { validUntil, cardToken }: Members, now?: number): StatusFacts | null {
  if (validUntil === undefined || hasPassed(String(validUntil), now)) return null
  const read = readOrderStatus(status)
  if (read === 'FAILED') return failedOnce
  return read === 'EXPIRED' && cardToken !== undefined ? unheard : null
}

/** The facts of an order in this status, for the request that created it. */
export function orderPayment(status: string, request: Members = {}, now?: number): StatusFacts | null {
  return notYetEnded(status, request, now) ?? orderStatusFacts(status)
}

export function notYetEndedRemark(status: string, request: Members): Hint | null {
  const facts = notYetEnded(status, request)
  if (facts === null) return null
  const until = String(request.validUntil)
  if (facts === unheard)
    return hint`EXPIRED is shown, too, by a copy of the service that has not heard of the charge: never create it anew before it reads so a day after ${until}`
  return hint`the last try to pay it that was seen failed; it may still be paid until ${until}: never create it anew before that`
}
