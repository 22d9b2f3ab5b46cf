/** The standing of a row in the papers: the state that the journal gives it, and of an accepted one how it has ended since. */
import { payoutEnd } from '../../contract/payout/status.ts'
import { isConflict, type PlannedRow } from '../rows/state.ts'

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

export const paperNames = ['ok', 'refused', 'unknown', 'unsent'] as const

/** The four papers of `batch results`. */
export type PaperName = (typeof paperNames)[number]

/**
 * The paper of each standing. What was accepted stays accepted: its id pays nothing more, however it ended. A conflict is never
 * to be paid anew: it stands in no paper that is given back.
 */
export const paperOf: Readonly<Record<Standing, PaperName>> = {
  paid: 'ok',
  accepted: 'ok',
  'not-paid': 'ok',
  exists: 'unknown',
  unknown: 'unknown',
  conflict: 'unknown',
  refused: 'refused',
  unsent: 'unsent',
}
