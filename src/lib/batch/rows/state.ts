/** The state of a row: that of its intent in the journal, which alone knows what became of it. The plan adds no word of its own. */

import { createPayout } from '../../contract/payout/payout.ts'
import { draftOf, scopeOf } from '../../desk/draft.ts'
import { type Intent, moneyMovedBy } from '../../journal/intent.ts'
import type { ThisProcess } from '../../journal/lease.ts'
import { unpaidEnd } from '../../journal/payment-end.ts'
import { mayBeMended } from '../../journal/verdict.ts'
import { isRecord } from '../../json.ts'
import { type PlanRowRow, rowsAfter } from '../../store/plans.ts'
import type { PlanStore } from '../plans/store.ts'
import type { PainPayment } from '../read/pain001/facts.ts'
import { sentElsewhereOf } from './elsewhere.ts'
import type { RowOwner } from './owner.ts'
import type { RowState } from './row-states.ts'

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
export function isToGo(row: Omit<PlannedRow, 'planned'>): boolean {
  const { isTakenKey, state } = row
  if (state === 'unknown') return !isTakenKey && !isForPerson(row)
  return state === 'planned' || state === 'sending' || state === 'turned-away' || state === 'unsent'
}

/** True if the service took the row, and its payment has ended without moving money, as far as the journal knows. */
export function isUnpaid({ isTakenKey, intent, state }: Omit<PlannedRow, 'planned'>): boolean {
  if (isTakenKey || intent === null || (state !== 'accepted' && state !== 'exists')) return false
  return unpaidEnd(intent) !== null && moneyMovedBy(intent) === 'no'
}

/** True if the row was sent before it was planned, and not anew since. */
export function isOfBefore({ isTakenKey, intent, planned }: Omit<PlannedRow, 'state'>): boolean {
  return intent !== null && !isTakenKey && intent.openedAt === planned.known_opened_at
}

/** The request of a row, whole. */
export function requestOfRow(row: Pick<PlanRowRow, 'request' | 'unique_id'>): Readonly<Record<string, unknown>> {
  // The plan wrote it, and inside every value is text: there is nothing that one parser reads otherwise than another.
  const request: unknown = JSON.parse(row.request)
  return { ...(isRecord(request) ? request : {}), uniqueId: row.unique_id }
}

/** The ReqdExctnDt of the pain.001 that a row came from; null of other formats. */
export function executionDateOf({ payment }: Pick<PlanRowRow, 'payment'>): string | null {
  // The plan wrote it.
  const known = payment === null ? null : (JSON.parse(payment) as PainPayment)
  return known?.block.executionDate ?? null
}

function isOfAnother({ profile }: Pick<RowOwner, 'profile'>, row: PlanRowRow, intent: Intent): boolean {
  const names = { businessKey: row.business_key, ownId: row.unique_id }
  return draftOf(profile, createPayout, requestOfRow(row), names).bodyDigest !== intent.bodyDigest
}

/** The journal's intents that bear on a row. */
interface Found {
  /** The one with the row's id, if there is any. */
  readonly own: Intent | null
  /** True if no other body may go out under that id: an attempt may have been executed, whatever a word said of it since. */
  readonly isFixed: boolean
  /** The same key or id, sent elsewhere by this profile: it stands in the way of whatever may still be sent. */
  readonly elsewhere: Intent | null
}

function plannedRow(
  desk: Pick<RowOwner, 'profile'>,
  holding: ThisProcess,
  planned: PlanRowRow,
  { own: intent, isFixed, elsewhere }: Found,
): PlannedRow {
  if (elsewhere !== null) return taken(planned, elsewhere, holding)
  if (intent === null) return { planned, intent, state: 'planned', isTakenKey: false }
  const neverRan = (intent.state === 'refused' || intent.state === 'unsent') && !intent.isTaken
  const isOther = isOfAnother(desk, planned, intent)
  if (isOther && isFixed) return taken(planned, intent, holding)
  // A payment that never ran may be mended, and one that was refused before the plan was made was agreed to anew.
  if (neverRan && (isOther || intent.changedAt === planned.known_changed_at))
    return { planned, intent: null, state: 'planned', isTakenKey: false }
  if (isOther) return taken(planned, intent, holding)
  return { planned, intent, state: stateOf(intent, holding), isTakenKey: false }
}

/** A row whose key or id stands for this other payment: no run sends it, and no paper may say that one will. */
function taken(planned: PlanRowRow, intent: Intent, holding: ThisProcess): PlannedRow {
  const other = stateOf(intent, holding)
  const isOpen = other === 'unknown' || other === 'sending'
  return { planned, intent, state: isOpen ? 'unknown' : 'refused', isTakenKey: true }
}

function stateOf(intent: Intent, holding: ThisProcess): RowState {
  // The service has another sum, or tells two ends: only a person can say what that is.
  if (intent.otherSum !== null || intent.answeredSum !== null || intent.disputed !== null) return 'unknown'
  const isOpen = intent.state === 'unknown'
  if (isOpen && intent.holder !== null && holding.standing(intent.holder) === 'alive') return 'sending'
  // The answer was definite, whatever was turned away or lost beside it: another one has the id.
  if (intent.isTaken) return 'refused'
  return intent.state
}

/** Rows that one query asks about. */
const piece = 500

/** All rows of a plan in the order of the file, each with its state now, piece by piece. */
export async function* rowsOfPlan(
  desk: RowOwner,
  holding: ThisProcess,
  store: PlanStore,
): AsyncGenerator<readonly PlannedRow[]> {
  for (let after = 0; ; ) {
    const planned = await store.ask((db) => rowsAfter(db, after, piece))
    if (planned.length === 0) return
    yield await withIntents(desk, holding, planned)
    if (planned.length < piece) return
    after = planned.at(-1)?.number ?? after
  }
}

/** Rows with their states now. */
export async function withIntents(
  { journal, profile }: RowOwner,
  holding: ThisProcess,
  planned: readonly PlanRowRow[],
): Promise<readonly PlannedRow[]> {
  if (planned.length === 0) return []
  const uniqueIds = planned.map(({ unique_id }) => unique_id)
  const intents = await journal.list({ scope: scopeOf(profile), uniqueIds, operations: [createPayout] })
  const byId = new Map(intents.toReversed().map((intent) => [intent.uniqueId, intent]))
  const elsewhere = await sentElsewhereOf({ journal, profile }, planned, byId)
  const fixed = await fixedAmong({ journal, profile }, planned, byId)
  return planned.map((row) => {
    const own = byId.get(row.unique_id) ?? null
    const found = { own, isFixed: own !== null && fixed.has(own), elsewhere: elsewhere.get(row) ?? null }
    return plannedRow({ profile }, holding, row, found)
  })
}

/** Intents that never ran by what is known of them, and whose rows say something else now: few are asked for. */
async function fixedAmong(
  { journal, profile }: RowOwner,
  planned: readonly PlanRowRow[],
  byId: ReadonlyMap<string, Intent>,
): Promise<ReadonlySet<Intent>> {
  const fixed = new Set<Intent>()
  for (const row of planned) {
    const own = byId.get(row.unique_id)
    if (own?.state !== 'refused' || !isOfAnother({ profile }, row, own)) continue
    if (!mayBeMended(await journal.attempts(own))) fixed.add(own)
  }
  return fixed
}
