/**
 * The payment of an order, as its creation decides it. An order with `validUntil` may be paid again after a failed try, any
 * number of times until then (specification, "Orders"): FAILED is its end only when that time has certainly passed.
 */
import { type Hint, hint } from '../../hint.ts'
import { validUntilMargin } from '../assumed.ts'
import type { Members } from '../core/members.ts'
import type { StatusFacts } from '../status.ts'
import { orderStatusFacts, payable, readOrderStatus } from './status.ts'
import { momentOfValidUntil } from './valid-until.ts'

const failedOnce = { ...payable, means: 'the last try to pay it failed, nothing was taken' } as const

/** A moment that cannot be read never passes. */
function hasPassed(validUntil: string, now: number | undefined): boolean {
  const end = momentOfValidUntil(validUntil)
  return end !== null && now !== undefined && now >= end + validUntilMargin * 1000
}

/** True for a failed try to pay an order that may be tried again. */
function mayBeTriedAgain(status: string, { validUntil }: Members, now?: number): boolean {
  if (readOrderStatus(status) !== 'FAILED' || validUntil === undefined) return false
  return !hasPassed(String(validUntil), now)
}

/** The facts of an order in this status, for the request that created it. */
export function orderPayment(status: string, request: Members = {}, now?: number): StatusFacts | null {
  return mayBeTriedAgain(status, request, now) ? failedOnce : orderStatusFacts(status)
}

export function failedTryRemark(status: string, request: Members): Hint | null {
  if (!mayBeTriedAgain(status, request)) return null
  return hint`the last try to pay it that was seen failed; it may still be paid until ${String(request.validUntil)}: never create it anew before that`
}
