/**
 * Statuses of a payout (service.md#payout-statuses; the specification does not show the list). A status that is not in this
 * list is shown as it came and never counts as final.
 */
import { type End, endIn, type StatusFacts } from '../status.ts'

export const payoutStatuses: Readonly<Record<string, StatusFacts>> = {
  INITIAL: { means: 'accepted, not yet with the bank', end: null },
  PENDING: { means: 'with the bank, not yet executed', end: null },
  SUCCESS: { means: 'executed, the funds are with the beneficiary', end: 'paid' },
  REJECTED: { means: 'rejected by the bank, the funds come back', end: 'not-paid' },
  FAILED: { means: 'failed, the funds come back', end: 'not-paid' },
  DELETED: { means: 'deleted before execution, the funds come back', end: 'not-paid' },
  INITIAL_INSUFFICIENT_BALANCE: { means: 'accepted, but waiting for the balance to cover it', end: null },
}

/** How a payout of this status ended; null while it has not, and for a status nobody knows. */
export function payoutEnd(status: string): End {
  return endIn(payoutStatuses, status)
}
