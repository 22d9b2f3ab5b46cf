/**
 * Statuses of bank-wallet orders: on creation, as the result of finalizing, and in the details (specification, "States and
 * transitions"; service.md#wallet). Business outcomes of this area are statuses, never error objects.
 */
import { statusReceived } from '../answer.ts'
import { readOrderStatus } from '../order/status.ts'
import { type End, endIn, type Statuses, type StatusFacts } from '../status.ts'

export const walletCreationStatuses = {
  REGISTERED: { means: 'registered: finalize it within 5 minutes', end: null },
  REJECTED: { means: 'refused by the service, for the reason given', end: 'not-paid' },
} as const satisfies Statuses

/** How finalizing ended, and what to do next. What a result proves of an earlier attempt is the journal's business. */
export const walletResults = {
  SUCCESS: { means: 'executed, the funds go to the beneficiary', next: 'Nothing is left to do.' },
  ALREADY_FINALISED: {
    means: 'the order was finalized before, this call moved nothing',
    next: 'See `paydesk wallet details <uniqueId>`.',
  },
  ORDER_NOT_FOUND: {
    means: 'the service has no such order: never created, rejected, deleted, or older than 5 minutes',
    next: 'See `paydesk wallet details <uniqueId>`; where nothing moved, create a new one with `paydesk wallet create`.',
  },
  RECEIVER_REACHED_LIMIT: {
    means: 'the receiver has reached its limit, nothing moved',
    next: 'Tell the payer that this receiver cannot be paid now.',
  },
  AMOUNT_NOT_IN_RANGE: {
    means: 'the amount is below the minimum or above the maximum, nothing moved',
    next: 'Correct --amount to what `paydesk wallet create` said is allowed; the order may be finalized again.',
  },
  WRONG_AMOUNT: {
    means: 'the amount is not the one that was fixed at creation, nothing moved',
    next: 'Correct --amount to the one `paydesk wallet create` returned; the order may be finalized again.',
  },
} as const satisfies Readonly<Record<string, { readonly means: string; readonly next: string }>>

export const walletStatuses = {
  REGISTERED: { means: 'waits to be finalized', end: null },
  SUCCESS: { means: 'executed, the funds went to the beneficiary', end: 'paid' },
  FAILED: { means: 'rejected, deleted or not finalized in time, nothing moved', end: 'not-paid' },
  CANCELED: { means: 'deleted before it was finalized, nothing moved', end: 'not-paid' },
} as const satisfies Statuses

export type WalletCreationStatus = keyof typeof walletCreationStatuses
export type WalletResult = keyof typeof walletResults
export type WalletStatus = keyof typeof walletStatuses

/** A status of an answer; samples of this area come with blanks around it. */
export const walletStatusReceived = statusReceived.transform(readOrderStatus)

/** What is known of a status in the details; null for one nobody knows. */
export function walletStatusFacts(status: string): StatusFacts | null {
  const read = readOrderStatus(status)
  const statuses: Statuses = walletStatuses
  return Object.hasOwn(statuses, read) ? (statuses[read] ?? null) : null
}

/** How a wallet order of this status ended, as its details tell. */
export function walletEnd(status: string): End {
  return endIn(walletStatuses, readOrderStatus(status))
}
