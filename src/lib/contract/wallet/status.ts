/**
 * Statuses of bank-wallet orders: on creation, as the result of finalizing, and in the details (specification, "States and
 * transitions"; service.md#wallet). Business outcomes of this area are statuses, never error objects.
 */
import { fact, type Hint, hint, paste } from '../../hint.ts'
import { readOrderStatus, statusReceived } from '../answer.ts'
import { undeletableBreach } from '../assumed.ts'
import { type EvidenceRead, notAnyMore, type Shown, shownBy, usualRefusals } from '../operation.ts'
import { type End, endedPaid, endedUnpaid, goesOn, type Statuses, type StatusFacts, statusIn } from '../status.ts'

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

/** A finalize that moved nothing, and that may be sent again: the order itself is as it was. */
const notFinalized = { ...endedUnpaid, end: null, outlook: 'may still be finalized' } as const

/** Results of finalizing. The journal decides what a result proves of an earlier attempt. */
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

/** A status of an answer; samples of this area come with blanks around it. */
export const walletStatusReceived = statusReceived.transform(readOrderStatus)

/** The facts of a status on creation; null for an unknown one. */
export function walletCreationFacts(status: string): StatusFacts | null {
  return statusIn(walletCreationStatuses, status)
}

/** The facts of a result of finalizing; null for an unknown one. */
export function walletResultFacts(status: string): StatusFacts | null {
  return statusIn(walletResults, status)
}

/** The facts of a status in the details; null for an unknown one. */
export function walletStatusFacts(status: string): StatusFacts | null {
  return statusIn(walletStatuses, readOrderStatus(status))
}

/** The end of a wallet order in this status of its details. */
export function walletEnd(status: string): End {
  return walletStatusFacts(status)?.end ?? null
}

/** A creation whose answer was lost, and whose order can no longer be finalized. */
export function overRemark(status: string): Hint | null {
  return status === 'FAILED' ? hint`the order is over: expired, deleted or rejected, it cannot be finalized` : null
}

type Evidence = Pick<EvidenceRead, 'shows' | 'refusals'>

/** What the details show of a write whose answer was lost (money-safety.md#evidence). */
function byStatus(table: Readonly<Record<WalletStatus, Shown>>): (status: string) => Shown {
  return (status) => shownBy(table, status)
}

const finalizationShown = byStatus({
  REGISTERED: 'no-trace',
  SUCCESS: 'executed',
  // Also the end of its five minutes.
  FAILED: 'lapsed',
  CANCELED: 'over',
})

const deletionShown = byStatus({ REGISTERED: 'no-trace', SUCCESS: 'over', FAILED: 'executed', CANCELED: 'executed' })

/** 6109 also says that the id exists: where there is an order of an id that was new, this request made it, or another one. */
export const creationEvidence = {
  shows: byStatus({ REGISTERED: 'executed', SUCCESS: 'executed', FAILED: 'executed', CANCELED: 'executed' }),
  refusals: {
    ...{ ...usualRefusals, codes: [6109], possibleIn: [], shows: () => true },
    ...{ means: 'conflict', done: 'created' },
  },
} as const satisfies Evidence

/** 6110, of a field or of the end of the order. */
export const finalizeParameter = 6110

/** "Not any more": paid by this request, which something on the way sent twice, or by another one. */
export const finalizationEvidence = {
  shows: finalizationShown,
  refusals: {
    ...{
      ...usualRefusals,
      codes: [...notAnyMore, 6045, finalizeParameter],
      ofStatus: 6006,
      possibleIn: ['REGISTERED'],
    },
    ...{ means: 'conflict', done: 'finalized' },
    shows: (status: string) => finalizationShown(status) === 'executed',
  },
} as const satisfies Evidence

export const deletionEvidence = {
  shows: deletionShown,
  refusals: {
    ...{
      ...usualRefusals,
      codes: [undeletableBreach, 6045],
      ofStatus: undeletableBreach,
      possibleIn: ['REGISTERED'],
      means: 'done',
      done: 'cancelled',
    },
    // FAILED may also be the end of its five minutes: it is over either way.
    shows: (status: string) => deletionShown(status) === 'executed',
  },
} as const satisfies Evidence
