/**
 * Statuses of bank-wallet orders: on creation, of finalizing, in the details (service.md#wallet). Business outcomes are
 * statuses, never error objects.
 */
import { fact, type Hint, hint, paste } from '../../hint.ts'
import { readOrderStatus, statusReceived } from '../answer.ts'
import { undeletableBreach } from '../assumed.ts'
import { evidenceBy, notAnyMore, type ShownTable, shownBy } from '../operation.ts'
import { type End, endedPaid, endedUnpaid, goesOn, type Statuses, type StatusReader, statusIn } from '../status.ts'

const finalizable = { ...goesOn, outlook: 'may still be finalized' } as const

/** `<anew>` stands for the id that a new one needs. */
export const walletCreationStatuses = {
  REGISTERED: { ...finalizable, means: 'registered: finalize it within 5 minutes', next: null },
  REJECTED: {
    ...endedUnpaid,
    means: 'the service rejected the order',
    next: hint`Correct it, and create it with ${fact('anew')}.`,
  },
} as const satisfies Statuses

/** Nothing moved, and it may be sent again. */
const notFinalized = { ...endedUnpaid, end: null, outlook: 'may still be finalized' } as const

export const walletResults = {
  SUCCESS: { ...endedPaid, means: 'executed, the funds go to the beneficiary' },
  ALREADY_FINALISED: {
    ...endedPaid,
    means: 'the order was finalized before, this call moved nothing',
    exit: 'duplicate',
    next: hint`See \`${paste('wallet details', fact('uniqueId'))}\`.`,
  },
  ORDER_NOT_FOUND: {
    ...endedUnpaid,
    means: 'the service has no such order: it was never created, was canceled, or its five minutes are over',
    exit: 'not-found',
    next: hint`Create it again: \`${paste('wallet create')}\` with ${fact('anew')}.`,
  },
  RECEIVER_REACHED_LIMIT: {
    ...notFinalized,
    means: 'the recipient has reached its limit',
    next: hint`Finalize it again inside the five minutes, if the limit is raised.`,
  },
  AMOUNT_NOT_IN_RANGE: {
    ...notFinalized,
    means: 'the amount is below the minimum or above the maximum that the service returned at creation',
    next: hint`Finalize it with an --amount in the range, inside the five minutes.`,
  },
  WRONG_AMOUNT: {
    ...notFinalized,
    means: 'the amount differs from the one that the service returned at creation',
    next: hint`Finalize it with the right --amount, inside the five minutes.`,
  },
} as const satisfies Statuses

const nothingMoved = { ...endedUnpaid, next: null } as const

export const walletStatuses = {
  REGISTERED: { ...finalizable, means: 'waits to be finalized', next: null },
  SUCCESS: { ...endedPaid, means: 'executed, the funds went to the beneficiary' },
  FAILED: { ...nothingMoved, means: 'rejected, deleted or not finalized in time, nothing moved', isByTime: true },
  CANCELED: { ...nothingMoved, means: 'deleted before it was finalized, nothing moved' },
} as const satisfies Statuses

export type WalletCreationStatus = keyof typeof walletCreationStatuses
export type WalletResult = keyof typeof walletResults
export type WalletStatus = keyof typeof walletStatuses

export const walletStatusReceived = statusReceived.transform(readOrderStatus)

export const walletCreationFacts: StatusReader = (status) => statusIn(walletCreationStatuses, status)

export const walletResultFacts: StatusReader = (status) => statusIn(walletResults, status)

export const walletStatusFacts: StatusReader = (status) => statusIn(walletStatuses, readOrderStatus(status))

export const walletEnd = (status: string): End => walletStatusFacts(status)?.end ?? null

/** Its answer was lost, and it can no longer be finalized. */
export const overRemark = (status: string): Hint | null =>
  status === 'FAILED' ? hint`the order is over: expired, deleted or rejected, it cannot be finalized` : null

/** What each status shows of a lost write (money-safety.md#evidence). */
const shown = {
  REGISTERED: { create: 'executed', finalize: 'no-trace', delete: 'no-trace' },
  SUCCESS: { create: 'executed', finalize: 'executed', delete: 'over' },
  // Also the end of its five minutes: a finalization may still be on its way, a deletion has nothing left to do.
  FAILED: { create: 'executed', finalize: 'lapsed', delete: 'executed' },
  CANCELED: { create: 'executed', finalize: 'over', delete: 'executed' },
} as const satisfies ShownTable<WalletStatus>

/** 6109 also says that the id exists: where there is an order of an id that was new, this request made it, or another one. */
export const creationEvidence = evidenceBy(shownBy(shown, 'create'), {
  ...{ codes: [6109], possibleIn: [], shows: () => true, means: 'conflict', done: 'created' },
})

/** 6110, of a field or of the end of the order. */
export const finalizeParameter = 6110

/** "Not any more": paid by this request, which something on the way sent twice, or by another one. */
export const finalizationEvidence = evidenceBy(shownBy(shown, 'finalize'), {
  codes: [...notAnyMore, 6045, finalizeParameter],
  ofStatus: 6006,
  possibleIn: ['REGISTERED'],
  means: 'conflict',
  done: 'finalized',
})

export const deletionEvidence = evidenceBy(shownBy(shown, 'delete'), {
  codes: [undeletableBreach, 6045],
  ofStatus: undeletableBreach,
  possibleIn: ['REGISTERED'],
  means: 'done',
  done: 'cancelled',
})
