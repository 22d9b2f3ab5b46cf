/** A payout as answers tell of it, in either shape. */
import { descriptionSeparator, recordedDistributionFlow } from '../../contract/assumed.ts'
import { JsonNumber } from '../../contract/core/decimal.ts'
import type { PayoutRow } from '../../store/sandbox/schema.ts'
import { localTime } from '../clock/clock.ts'
import { type KeptPayout, payoutRequest } from '../ledger/accepted.ts'
import type { Shape } from '../shape.ts'
import { money } from '../world/money.ts'
import { statusDescription } from './advance.ts'

/** The answer of A1: recorded it is wrapped, and has a member more (service.md#payouts). */
export function createdAnswer(payout: PayoutRow, shape: Shape): Readonly<Record<string, unknown>> {
  const value = {
    transactionId: new JsonNumber(payout.transaction_id),
    status: payout.status,
    statusDescription: statusDescription(payout.status, shape),
    uniqueId: payoutRequest(payout).uniqueId,
    createdAt: localTime(payout, 9),
  }
  return shape === 'documented' ? value : { value: { ...value, distributionFlow: recordedDistributionFlow } }
}

/** The answer of A2: a payout to a receiver has no toIban, one without commission no commissionAmount. */
export function detailsValue(payout: PayoutRow, shape: Shape): Readonly<Record<string, unknown>> {
  const request = payoutRequest(payout)
  return {
    transactionId: new JsonNumber(payout.transaction_id),
    status: payout.status,
    statusDescription: statusDescription(payout.status, shape, request.toIban),
    amount: money(payout.amount),
    ...(request.toIban === undefined ? {} : { toIban: request.toIban }),
    currency: payout.currency,
    paymentDescription: paymentDescription(request, shape),
    uniqueId: request.uniqueId,
    createdAt: localTime(payout, 6),
    ...(payout.commission === 0 ? {} : { commissionAmount: money(payout.commission) }),
  }
}

function paymentDescription(request: KeptPayout, shape: Shape): string {
  if (shape === 'documented') return request.description
  const { debtorName, debtorIban, debtorIdentityNumber, debtorBirthDate, description } = request
  const parts = [debtorName, debtorIban, debtorIdentityNumber, debtorBirthDate, description]
  return parts.filter((part) => part !== undefined).join(descriptionSeparator)
}
