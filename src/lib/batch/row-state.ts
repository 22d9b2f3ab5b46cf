/** The states of a row, and what follows from them: its standing in reports, whether a run sends it, whether it needs a person. */

import { payoutEnd } from '../contract/payout/status.ts'
import { type Intent, moneyMovedBy } from '../journal/intent.ts'
import { unpaidEnd } from '../journal/payment-end.ts'
import type { PlanRowRow } from '../store/plans.ts'

/** The states of a row: those of an intent in the journal, `planned` before there is an intent, and `sending` while it is in flight. */
export const rowStates = [
  ...(['planned', 'held', 'sending', 'accepted', 'exists'] as const),
  ...(['refused', 'turned-away', 'unsent', 'unknown'] as const),
] as const

export type RowState = (typeof rowStates)[number]

/** A row of a plan, with what the journal knows of it. */
export interface PlannedRow {
  readonly planned: PlanRowRow
  readonly intent: Intent | null
  readonly state: RowState
  /**
   * True if the key or the id of the row stands for another payment that may have been executed: `intent` is that payment. The row
   * was not sent, and will not be. Its state is `unknown` while the other payment is open, else `refused`.
   */
  readonly isTakenKey: boolean
}

/**
 * True if another payment of this journal has the key or the id of the row, or the service said that the id is taken (5017). Money
 * may have moved, though perhaps not by this plan. No run sends the row again.
 */
export function isConflict({ isTakenKey, intent, state }: Omit<PlannedRow, 'planned'>): boolean {
  return isTakenKey || (state === 'refused' && intent?.isTaken === true)
}

/** True if the service told another sum than was asked for, or two different ends. */
export function isContradicted({ otherSum, answeredSum, disputed }: Intent): boolean {
  return otherSum !== null || answeredSum !== null || disputed !== null
}

/** True if only a person can resolve the row: what the service told of it is contradictory. */
export function isForPerson({ isTakenKey, intent, state }: Omit<PlannedRow, 'planned'>): boolean {
  return !isTakenKey && state === 'unknown' && intent !== null && isContradicted(intent)
}

/** True if a run sends the row, or resolves it. */
export function isRunnable(row: Omit<PlannedRow, 'planned'>): boolean {
  const { isTakenKey, state } = row
  if (state === 'unknown') return !isTakenKey && !isForPerson(row)
  return state === 'planned' || state === 'sending' || state === 'turned-away' || state === 'unsent'
}

/** The states of rows that a run sends for the first time, or anew: only these rows count against limits. */
export const newStates = ['unsent', 'planned'] as const satisfies readonly RowState[]

/** True if a run sends the row for the first time, or anew. */
export function isNew({ isTakenKey, state }: Omit<PlannedRow, 'planned'>): boolean {
  return !isTakenKey && newStates.some((each) => each === state)
}

/** True if the service took the row, and its payment has ended without moving money, as far as the journal knows. */
export function isUnpaid({ isTakenKey, intent, state }: Omit<PlannedRow, 'planned'>): boolean {
  if (isTakenKey || intent === null || (state !== 'accepted' && state !== 'exists')) return false
  return unpaidEnd(intent) !== null && moneyMovedBy(intent) === 'no'
}

/** True if the row was sent before it was planned, and not anew since. */
export function wasSentBefore({ isTakenKey, intent, planned }: Omit<PlannedRow, 'state'>): boolean {
  return intent !== null && !isTakenKey && intent.openedAt === planned.known_opened_at
}

/** The intent of the row itself; null if its key or id stands for another payment. */
export function ownIntent({ intent, isTakenKey }: PlannedRow) {
  return isTakenKey ? null : intent
}

export const standings = ['paid', 'accepted', 'not-paid', 'exists', 'unknown', 'conflict', 'refused', 'unsent'] as const

/**
 * The standing of a row in reports. `accepted`: not final yet. `not-paid`: accepted, and ended without a payment. `exists`: the
 * service has its id, and the sum is not confirmed. `conflict`: another payment has its key or id, and may have been executed.
 * `unsent`: may still be sent (planned, held, turned away).
 */
export type Standing = (typeof standings)[number]

const standingOfState: Readonly<Record<PlannedRow['state'], Standing>> = {
  planned: 'unsent',
  held: 'unsent',
  sending: 'unknown',
  accepted: 'accepted',
  exists: 'exists',
  refused: 'refused',
  'turned-away': 'unsent',
  unsent: 'unsent',
  unknown: 'unknown',
}

export function planStateOf(row: Omit<PlannedRow, 'planned'>): Standing {
  const { state, intent } = row
  if (isConflict(row) && state === 'refused') return 'conflict'
  const standing = standingOfState[state]
  const isTaken = standing === 'accepted' || (standing === 'exists' && intent?.sumConfirmed === true)
  if (!isTaken) return standing
  const end = intent?.status ? payoutEnd(intent.status) : null
  return end ?? 'accepted'
}

export const resultFileNames = ['ok', 'refused', 'unknown', 'unsent'] as const

/** The four result files of `batch results`. */
export type ResultFileName = (typeof resultFileNames)[number]

/**
 * The result file of each standing. A row that was accepted stays in ok.csv: its id pays nothing more, however it ended. A conflict
 * must not be paid anew, so it stands in no file that is corrected and planned again.
 */
export const resultFileOf: Readonly<Record<Standing, ResultFileName>> = {
  paid: 'ok',
  accepted: 'ok',
  'not-paid': 'ok',
  exists: 'unknown',
  unknown: 'unknown',
  conflict: 'unknown',
  refused: 'refused',
  unsent: 'unsent',
}

/** Counts the unknown rows that no run resolves. */
export class RowsForPerson {
  /** Rows for which the service told another sum, or two ends. */
  otherSums = 0
  /** Rows whose key or id stands for another payment that is unknown, too. */
  otherPayments = 0

  add(row: PlannedRow): void {
    if (row.state !== 'unknown') return
    if (row.isTakenKey) this.otherPayments += 1
    else if (isForPerson(row)) this.otherSums += 1
  }

  get rows(): number {
    return this.otherSums + this.otherPayments
  }
}
