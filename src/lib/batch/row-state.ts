/**
 * The states of a row, and what follows from one: how it stands in the reports, whether a run takes it up, whether money
 * moved.
 */

import { payoutEnd } from '../contract/payout/status.ts'
import { type Intent, moneyMovedBy } from '../journal/intent.ts'
import { unpaidEnd } from '../journal/payment-end.ts'
import type { PlanRowRow } from '../store/batch/schema.ts'

/** The states of a row, as its commands name them: those of the journal, and those before and beside it. */
export const rowStates = [
  ...(['planned', 'held', 'sending', 'accepted', 'exists'] as const),
  ...(['refused', 'turned-away', 'unsent', 'unknown'] as const),
] as const

export type RowState = (typeof rowStates)[number]

// The states of a row, and what follows from one: whether a run takes the row up, and whether money moved.

/** A row of a plan and what the journal knows of it. */
export interface PlannedRow {
  readonly planned: PlanRowRow
  readonly intent: Intent | null
  readonly state: RowState
  /**
   * True if the key or the id of the row stands for another payment that may have been executed: that intent is not this
   * row's. Nothing of the row was sent, nor will be under this id; `refused`, or `unknown` while that other payment is.
   */
  readonly isTakenKey: boolean
}

/**
 * True if somebody else has the key or the id of the row, in this journal or, by its own word (5017), at the service: the money
 * may have moved, though perhaps not by this plan. No run sends it again, and no paper says that one will.
 */
export function isConflict({ isTakenKey, intent, state }: Omit<PlannedRow, 'planned'>): boolean {
  return isTakenKey || (state === 'refused' && intent?.isTaken === true)
}

/** True if an answer or a read told of another sum, or of two ends: no run resolves that, only a person does. */
export function isForPerson({ isTakenKey, intent, state }: Omit<PlannedRow, 'planned'>): boolean {
  if (isTakenKey || state !== 'unknown' || intent === null) return false
  return intent.otherSum !== null || intent.answeredSum !== null || intent.disputed !== null
}

/** True if a run takes the row up. */
export function isRunnable(row: Omit<PlannedRow, 'planned'>): boolean {
  const { isTakenKey, state } = row
  if (state === 'unknown') return !isTakenKey && !isForPerson(row)
  return state === 'planned' || state === 'sending' || state === 'turned-away' || state === 'unsent'
}

/** The states of rows that a run sends for the first time, or anew: only these rows count against limits. */
export const newStates = ['unsent', 'planned'] as const satisfies readonly RowState[]

/** True if the row is still to be sent for the first time, or anew. */
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

/** The intent of the row itself: that of a key which stands for another payment is not. */
export function ownIntent({ intent, isTakenKey }: PlannedRow) {
  return isTakenKey ? null : intent
}

// The standing of a row in the papers: the state that the journal gives it, and of an accepted one how it has ended since.

export const standings = ['paid', 'accepted', 'not-paid', 'exists', 'unknown', 'conflict', 'refused', 'unsent'] as const

/**
 * `accepted` is not final yet; `not-paid` was accepted and has ended without a payment; `exists` is at the service, but its sum
 * is not confirmed; `conflict` has a key or an id that somebody else has, too, in this journal or at the service, and that one may have been executed;
 * `unsent` may still be sent: planned, held, turned away.
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

export function standingOf(row: Omit<PlannedRow, 'planned'>): Standing {
  const { state, intent } = row
  if (isConflict(row) && state === 'refused') return 'conflict'
  const standing = standingOfState[state]
  const isTaken = standing === 'accepted' || (standing === 'exists' && intent?.sumConfirmed === true)
  if (!isTaken) return standing
  const end = intent?.status ? payoutEnd(intent.status) : null
  return end ?? 'accepted'
}

export const resultFileNames = ['ok', 'refused', 'unknown', 'unsent'] as const

/** The four papers of `batch results`. */
export type ResultFileName = (typeof resultFileNames)[number]

/**
 * The paper of each standing. What was accepted stays accepted: its id pays nothing more, however it ended. A conflict is never
 * to be paid anew: it stands in no paper that is given back.
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

// Rows of unknown outcome that no run resolves, counted as they pass by.

export class RowsForPerson {
  /** Rows of which another sum, or two ends, were told. */
  otherSums = 0
  /** Rows whose key or id stands for another payment that is open itself. */
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
