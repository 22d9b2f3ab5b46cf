/** Evidence in the status of an order about a write whose answer was lost (money-safety.md#evidence). */
import { alreadyPaid, notAnyMore, type Shown, type StateRefusals, shownBy, usualRefusals } from '../evidence.ts'
import { paidSum } from './asked-sum.ts'
import { type OrderStatus, orderEnd, orderStatusFacts } from './status.ts'

/** REFUNDED_BY_ with any name behind it is one status (service.md#order-statuses). */
function byStatus(table: Readonly<Record<OrderStatus, Shown>>): (status: string) => Shown {
  return (status) => {
    const isRefunded = orderStatusFacts(status) !== null && !Object.hasOwn(table, status)
    return shownBy(table, isRefunded ? 'REFUNDED_BY_SERVICE' : status)
  }
}

const refundShows = (shown: Shown) =>
  ({
    REFUND_REQUESTED: shown,
    PARTIALLY_REFUNDED: shown,
    REFUNDED_BY_INTEGRATOR: shown,
    REFUNDED_BY_SERVICE: shown,
    REFUNDED_BY_OPERATOR: shown,
    REFUNDED_FAILED: shown,
  }) as const

/** An order that the service knows was created, however it ended. */
const creationShown = (status: string): Shown => (orderStatusFacts(status) ? 'executed' : 'unclear')

const cancellationShown = byStatus({
  INITIAL: 'no-trace',
  PROCESSING: 'no-trace',
  WAITING_FOR_CONFIRM: 'over',
  TO_BE_SIGNED: 'unclear',
  SUCCESS: 'over',
  FAILED: 'over',
  CANCELED: 'executed',
  EXPIRED: 'lapsed',
  ...refundShows('over'),
})

const completionShown = byStatus({
  INITIAL: 'unclear',
  PROCESSING: 'unclear',
  // The order reads so for a while after a completion, too (service.md#seen-since): it proves nothing, however long.
  WAITING_FOR_CONFIRM: 'unclear',
  TO_BE_SIGNED: 'unclear',
  SUCCESS: 'executed',
  // With a validUntil the payer may try again, and the amount is blocked anew.
  FAILED: 'no-trace',
  CANCELED: 'over',
  EXPIRED: 'lapsed',
  ...refundShows('executed'),
})

/** A refund has no id of its own: another one of the same order looks the same. */
export const refundShown = byStatus({
  INITIAL: 'unclear',
  PROCESSING: 'unclear',
  WAITING_FOR_CONFIRM: 'unclear',
  TO_BE_SIGNED: 'unclear',
  SUCCESS: 'no-trace',
  FAILED: 'unclear',
  CANCELED: 'unclear',
  EXPIRED: 'unclear',
  ...refundShows('unclear'),
})

const unrefunded: readonly string[] = ['SUCCESS', 'REFUNDED_FAILED'] satisfies readonly OrderStatus[]

/** True if money of the order goes back, or has gone back, by whichever refund. */
export const refundRan = (status: string): boolean => orderEnd(status) === 'paid' && !unrefunded.includes(status)

/** True if an order that was last known with a refund on its way has come to its end since. */
export const endsRefund = (known: string | null, status: string): boolean =>
  known === ('REFUND_REQUESTED' satisfies OrderStatus) && status !== known

/** "Already paid" is no refusal of an order that was new: this request made it, or another one. */
const creationRefusals: StateRefusals = {
  ...usualRefusals,
  codes: [alreadyPaid],
  possibleIn: [],
  shows: () => true,
  means: 'conflict',
  done: 'created',
}

export const creationEvidence = { shows: creationShown, refusals: creationRefusals } as const

const cancellationRefusals: StateRefusals = {
  ...usualRefusals,
  codes: notAnyMore,
  // While somebody pays it (PROCESSING), its status may change between the refusal and the read.
  possibleIn: ['INITIAL'],
  shows: (status) => cancellationShown(status) === 'executed',
  means: 'done',
  done: 'cancelled',
}

export const cancellationEvidence = { shows: cancellationShown, refusals: cancellationRefusals } as const

const completionRefusals: StateRefusals = {
  ...usualRefusals,
  codes: [...notAnyMore, 6007],
  ofSum: { code: 6007, whole: ['WAITING_FOR_CONFIRM'], all: paidSum },
  possibleIn: ['WAITING_FOR_CONFIRM'],
  shows: (status) => completionShown(status) === 'executed',
  means: 'conflict',
  done: 'completed',
}

/** After a completion the order reads as before for a while (service.md#seen-since). */
export const completionEvidence = {
  late: ['WAITING_FOR_CONFIRM'],
  shows: completionShown,
  refusals: completionRefusals,
} as const
