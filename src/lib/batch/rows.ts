/** Reads rows of a plan with their states. The journal alone knows the state of a row; the plan stores none. */
import { createPayout } from '../contract/payout/payout.ts'
import { isSameService, type ServicePlace } from '../contract/service.ts'
import type { Desk } from '../desk/desk.ts'
import { newIntentOf, scopeOf } from '../desk/new-intent.ts'
import type { Intent } from '../journal/intent.ts'
import type { Journal } from '../journal/journal.ts'
import type { ThisProcess } from '../journal/lease.ts'
import { mayBeMended } from '../journal/verdict.ts'
import { isRecord } from '../json.ts'
import type { PlanRowRow } from '../store/plans.ts'
import type { Plan } from './plan.ts'
import { type PlanStore, pieces, storedRows } from './plans.ts'
import type { PainPayment } from './read/row.ts'
import { isContradicted, isForPerson, type PlannedRow, type RowState } from './row-state.ts'

export function requestOfRow(row: Pick<PlanRowRow, 'request' | 'unique_id'>): Readonly<Record<string, unknown>> {
  // Every value in it is text, so that no two parsers read it differently.
  const request: unknown = JSON.parse(row.request)
  return { ...(isRecord(request) ? request : {}), uniqueId: row.unique_id }
}

/** The original ids of a row of a pain.001; null of other formats. */
export function paymentOf({ payment }: Pick<PlanRowRow, 'payment'>): PainPayment | null {
  return payment === null ? null : (JSON.parse(payment) as PainPayment)
}

function isOfAnother({ profile }: Pick<RowOwner, 'profile'>, row: PlanRowRow, intent: Intent): boolean {
  const names = { idempotencyKey: row.business_key, ownId: row.unique_id }
  return newIntentOf(profile, createPayout, requestOfRow(row), names).bodyDigest !== intent.bodyDigest
}

interface Found {
  readonly own: Intent | null
  /** True if no other body may be sent under that id, because an attempt may have been executed. */
  readonly isFixed: boolean
  /** An intent with the same key or id that this profile sent to another address: the row must not be sent. */
  readonly elsewhere: Intent | null
}

function resolveRow(
  desk: Pick<RowOwner, 'profile'>,
  leaseHolder: ThisProcess,
  planned: PlanRowRow,
  { own: intent, isFixed, elsewhere }: Found,
): PlannedRow {
  if (elsewhere !== null) return conflictRow(planned, elsewhere, leaseHolder)
  if (intent === null) return { planned, intent, state: 'planned', isTakenKey: false }
  const neverRan = (intent.state === 'refused' || intent.state === 'unsent') && !intent.isTaken
  const isOther = isOfAnother(desk, planned, intent)
  if (isOther && isFixed) return conflictRow(planned, intent, leaseHolder)
  // A payment that never ran may be changed. If it was refused before the plan was made, the plan agreed to it anew.
  if (neverRan && (isOther || intent.changedAt === planned.known_changed_at))
    return { planned, intent: null, state: 'planned', isTakenKey: false }
  if (isOther) return conflictRow(planned, intent, leaseHolder)
  return { planned, intent, state: stateOf(intent, leaseHolder), isTakenKey: false }
}

/** A row whose key or id stands for another payment: no run sends it. */
function conflictRow(planned: PlanRowRow, intent: Intent, leaseHolder: ThisProcess): PlannedRow {
  const other = stateOf(intent, leaseHolder)
  const isOpen = other === 'unknown' || other === 'sending'
  return { planned, intent, state: isOpen ? 'unknown' : 'refused', isTakenKey: true }
}

function stateOf(intent: Intent, leaseHolder: ThisProcess): RowState {
  // The service told another sum, or two ends: only a person can find out.
  if (isContradicted(intent)) return 'unknown'
  const isOpen = intent.state === 'unknown'
  if (isOpen && intent.holder !== null && leaseHolder.standing(intent.holder) === 'alive') return 'sending'
  // The service said that somebody else has the id, whatever other attempts said.
  if (intent.isTaken) return 'refused'
  return intent.state
}

/** All rows of a plan in the order of the file, each with its state now, piece by piece. */
export async function* readPlanRows(
  owner: RowOwner,
  leaseHolder: ThisProcess,
  store: PlanStore,
): AsyncGenerator<readonly PlannedRow[]> {
  for await (const planned of storedRows(store)) yield await loadPiece(owner, leaseHolder, planned)
}

export async function loadRows(
  owner: RowOwner,
  leaseHolder: ThisProcess,
  planned: readonly PlanRowRow[],
): Promise<readonly PlannedRow[]> {
  const found: PlannedRow[] = []
  for (const piece of pieces(planned)) found.push(...(await loadPiece(owner, leaseHolder, piece)))
  return found
}

async function loadPiece(
  { journal, profile }: RowOwner,
  leaseHolder: ThisProcess,
  planned: readonly PlanRowRow[],
): Promise<readonly PlannedRow[]> {
  const uniqueIds = planned.map(({ unique_id }) => unique_id)
  const intents = await journal.list({ scope: scopeOf(profile), uniqueIds, operations: [createPayout] })
  const byId = new Map(intents.toReversed().map((intent) => [intent.uniqueId, intent]))
  const elsewhere = await findSentElsewhere({ journal, profile }, planned, byId)
  const fixed = await findFixed({ journal, profile }, planned, byId)
  return planned.map((row) => {
    const own = byId.get(row.unique_id) ?? null
    const found = { own, isFixed: own !== null && fixed.has(own), elsewhere: elsewhere.get(row) ?? null }
    return resolveRow({ profile }, leaseHolder, row, found)
  })
}

/** Refused intents whose rows ask for something else now, and that may have been executed all the same. */
async function findFixed(
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

/** The journal, and the client that the rows of a plan belong to. */
export interface RowOwner extends Pick<Desk, 'journal'> {
  readonly profile: ServicePlace & { readonly name: string }
}

/** The rows of a plan belong to the client and the service that it was made for, even if its profile has changed since. */
export function ownerOf(plan: Plan, journal: Journal): RowOwner {
  return { journal, profile: { ...scopeOf(plan), name: plan.profile } }
}

// Payments of other rows that prevent a row from being sent: the same key or id, sent by the same profile as the same client to
// another address, or the same key under another id. `journal.begin` refuses such a row (7); the reports learn the reason here.

const mayHaveRun: ReadonlySet<string> = new Set(['accepted', 'exists', 'unknown'])

/** `byId`: the rows' own intents. Gives the other payment for each row that has one. */
export async function findSentElsewhere(
  { journal, profile }: { readonly journal: Pick<Journal, 'list'>; readonly profile: RowOwner['profile'] },
  rows: readonly PlanRowRow[],
  byId: ReadonlyMap<string, Intent>,
): Promise<ReadonlyMap<PlanRowRow, Intent>> {
  const unsent = rows.filter(({ unique_id }) => {
    const own = byId.get(unique_id)
    return !own || !mayHaveRun.has(own.state)
  })
  // Each world of the sandbox begins with an empty journal.
  if (unsent.length === 0 || profile.environment === 'sandbox') return new Map()
  const about = { scope: scopeOf(profile), orOfProfile: profile.name, operations: [createPayout] }
  const keys = unsent.flatMap(({ business_key }) => (business_key === null ? [] : [business_key]))
  const ids = unsent.flatMap(({ business_key, unique_id }) => (business_key === null ? [unique_id] : []))
  const byKey = keys.length === 0 ? [] : await journal.list({ ...about, businessKeys: keys })
  const byItsId = ids.length === 0 ? [] : await journal.list({ ...about, uniqueIds: ids })
  const prevents = (intent: Intent) => mayHaveRun.has(intent.state) || intent.isTaken
  const keyed = new Map(byKey.filter(prevents).map((intent) => [intent.idempotencyKey, intent]))
  const named = new Map(byItsId.filter(prevents).map((intent) => [intent.uniqueId, intent]))
  // A worker may have opened the row's own intent since `byId` was read.
  const isOwn = (intent: Intent, { unique_id }: PlanRowRow) =>
    intent.uniqueId === unique_id && isSameService(intent, profile)
  const found = unsent.flatMap((row) => {
    const other = row.business_key === null ? named.get(row.unique_id) : keyed.get(row.business_key)
    return other && !isOwn(other, row) ? [[row, other] as const] : []
  })
  return new Map(found)
}

/**
 * The journal calls a row unknown that another machine has in flight, because it cannot look at that process. While the lease lasts,
 * the row is being sent. `now`: ISO text by the clock of the store.
 */
export function withOtherMachines(row: PlannedRow, leaseHolder: ThisProcess, now: string): PlannedRow {
  const { intent, state } = row
  if (state !== 'unknown' || intent?.state !== 'unknown' || isForPerson(row)) return row
  const { holder, leaseUntil } = intent
  const isElsewhere = holder !== null && leaseHolder.standing(holder) === 'unknown'
  return isElsewhere && leaseUntil !== null && leaseUntil >= now ? { ...row, state: 'sending' } : row
}
