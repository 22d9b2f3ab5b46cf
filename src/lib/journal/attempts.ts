/**
 * Attempts, opened and ended. Each is opened in the transaction that decides on what it reads: what does not fit a limit is held
 * there, and the rest is counted with its attempt. Drafts that are opened at the same time, and answers that come at the same time,
 * share a transaction.
 */

import { rulingOnAll } from '../approvals/ruling.ts'
import { type Ruling, unruled } from '../approvals/subject.ts'
import type { Random } from '../edge.ts'
import { Failure } from '../failure.ts'
import { type Demand, type Limit, shortagesOf } from '../spending.ts'
import { useApproval } from '../store/journal/approvals.ts'
import * as rows from '../store/journal/intents.ts'
import {
  addAttempt,
  attemptsOf,
  type FoundIntent,
  intentsFound,
  namesKnown,
  recordedIntent,
  wholeIntent,
} from '../store/journal/intents.ts'
import type { ApprovalRow, AttemptRow, IntentRow, JournalWriter } from '../store/journal/schema.ts'
import { isCounted } from '../store/journal/spent.ts'
import { type Settled, tryDecide } from './batching.ts'
import { dropClosedAttempts, hasConflict, markTaken } from './conflict.ts'
import {
  type AfterPlanning,
  type Begun,
  type Clearance,
  consider,
  findAlikeSince,
  type Guard,
  isCleared,
  type Opening,
  takenOverFailure,
  type Unresolved,
} from './duplicates.ts'
import { type Decision, decideHold, type HeldDraft, holdNewIntent } from './hold.ts'
import { attemptOf, type Intent, intentOf, type NewIntent } from './intent.ts'
import type { Present } from './lease.ts'
import { changeCounted, insertAllCounted, insertCounted, readSpent } from './limits.ts'
import { endBy, later, type Moment, storeMoment } from './moment.ts'
import { wasShown } from './payment-end.ts'
import {
  bodyColumns,
  endAttempt,
  type IntentChange,
  leaseOf,
  markUnderWay,
  newAttempt,
  newRow,
  noLease,
  reopen,
  statusColumns,
  sumColumns,
} from './row.ts'
import { isOpen, mayHaveArrived, type PastAttempt, stateAfter, unmoved, type Verdict } from './verdict.ts'

/** The moment of an attempt, the process that makes it, and the chance in its id. */
export interface OpeningContext extends Present {
  readonly random: Random
}

export interface OpenedAttempt {
  readonly kind: 'begun'
  readonly intent: Intent
  /** Its number. */
  readonly attempt: number
}

/** A draft as the journal knows it, and the decision about it. */
export interface Considered {
  readonly row: IntentRow | null
  readonly past: readonly AttemptRow[]
  readonly decision: Decision
}

function isoOf({ now }: Moment): string {
  return new Date(now).toISOString()
}

/** The rows of intents that this process has opened: they need not be read again to be finished, if the store still has them so. */
export const rowsOfOpened = new WeakMap<Intent, FoundIntent>()

/**
 * Intents and first attempts of drafts that the journal does not know, each leased to this process for so many milliseconds. They
 * count as the ruling on all of them says.
 */
export async function openNew(
  db: JournalWriter,
  all: readonly { readonly newIntent: NewIntent; readonly leaseTime: number }[],
  { counted, uses }: Ruling,
  present: OpeningContext,
): Promise<OpenedAttempt[]> {
  const now = isoOf(present)
  const rows = all.map(({ newIntent, leaseTime }) => ({
    ...newRow(newIntent, present.random, now, leaseOf(present.leaseHolder.self, later(present, leaseTime))),
    ...counted,
  }))
  if (uses) await useUp(db, uses, now)
  const begun: OpenedAttempt[] = []
  for (const intent of await insertAllCounted(db, rows)) begun.push(await recordAttempt(db, intent, [], present))
  return begun
}

/** Intent and attempt of a draft, leased to this process for so many milliseconds; or the intent, held. */
export async function openAttempt(
  db: JournalWriter,
  newIntent: NewIntent,
  { row, past, decision }: Considered,
  leaseTime: number,
  present: OpeningContext,
): Promise<OpenedAttempt | HeldDraft> {
  const held = await holdNewIntent(db, newIntent, row, decision, present)
  if (held) return held
  const { counted, uses } = decision.ruling
  const [lease, now] = [leaseOf(present.leaseHolder.self, later(present, leaseTime)), isoOf(present)]
  if (uses) await useUp(db, uses, now)
  const intent = row
    ? await changeCounted(db, row, {
        ...bodyColumns(newIntent),
        ...lease,
        ...reopenUncounted(row, past.map(attemptOf), now),
        ...markUnderWay(row, now),
        ...counted,
      })
    : await insertCounted(db, { ...newRow(newIntent, present.random, now, lease), ...counted })
  return recordAttempt(db, intent, past, present)
}

/**
 * One more attempt of an intent that this process has the lease of. One that counts no more, because it did not leave this machine, has to fit
 * the limits anew. Throws locked (12) where another process has taken it over.
 */
export async function openNextAttempt(
  db: JournalWriter,
  { journalId }: Intent,
  limits: readonly Limit[],
  present: OpeningContext,
): Promise<OpenedAttempt | HeldDraft> {
  const tries = await attemptsOf(db, journalId)
  const past = tries.map(attemptOf)
  const row = await recordedIntent(db, journalId)
  const intent = intentOf(row)
  if (row.holder !== present.leaseHolder.self) throw takenOverFailure(intent)
  const decision = await decideHold(db, intent, row, { limits, sendsHeld: false, isRunning: true }, present)
  const held = await holdNewIntent(db, intent, row, decision, present)
  if (held) return held
  const now = isoOf(present)
  const changed = await changeCounted(db, row, {
    ...reopenUncounted(row, past, now),
    ...markUnderWay(row, now),
    ...decision.ruling.counted,
  })
  return recordAttempt(db, changed, tries, present)
}

/** An intent that counts, counts by its first attempt: that of a conflict, too, which may have been executed. */
function reopenUncounted(row: IntentRow, past: readonly PastAttempt[], now: string): IntentChange {
  return isCounted(row) ? {} : reopen(row, past, now)
}

/** Marks an approval as used. The first attempt uses it, whatever comes of that attempt. */
async function useUp(db: JournalWriter, approval: ApprovalRow, now: string): Promise<void> {
  if (approval.used_at === null) await useApproval(db, approval, now)
}

async function recordAttempt(
  db: JournalWriter,
  row: IntentRow,
  past: readonly AttemptRow[],
  present: OpeningContext,
): Promise<OpenedAttempt> {
  const attempt = await addAttempt(db, newAttempt(row, past.length + 1, storeMoment(present)))
  return openedAttempt({ row, attempts: [...past, attempt] })
}

export function openedAttempt({ row, attempts }: FoundIntent): OpenedAttempt {
  const intent = intentOf(row)
  rowsOfOpened.set(intent, { row, attempts })
  return { kind: 'begun', intent, attempt: attempts.length }
}

/** A draft that is to be sent. */
export interface ToBegin {
  readonly newIntent: NewIntent
  readonly guard: Guard
  /** Milliseconds. */
  readonly leaseTime: number
  readonly clearance: Clearance
}

export type Beginning = Begun | Unresolved | HeldDraft | Extract<Opening, { kind: 'done' }>

/** Opens intents and attempts. Each ends with a Failure as `consider` throws it. */
export async function beginBatch(
  db: JournalWriter,
  all: readonly ToBegin[],
  present: OpeningContext,
): Promise<readonly Settled<Beginning>[]> {
  const { plain, ruling } = all.length > 1 ? await findPlain(db, all, present) : none
  const begun = (await openNew(db, [...plain], ruling, present)).values()
  const ends: Settled<Beginning>[] = []
  for (const each of all) {
    const { value: attempt } = plain.has(each) ? begun.next() : { value: undefined }
    if (attempt) ends.push({ result: { suspected: null, unresolved: null, ...attempt } })
    // By now the plain drafts are in the journal: they count, and one with the same id or key is found.
    else ends.push(await beginAlone(db, each, present))
  }
  return ends
}

async function beginAlone(
  db: JournalWriter,
  { newIntent, guard, leaseTime, clearance }: ToBegin,
  present: OpeningContext,
): Promise<Settled<Beginning>> {
  const decided = await tryDecide(() => consider(db, newIntent, guard, present))
  if ('failure' in decided) return decided
  const { opening, ...considered } = decided.result
  if (opening.kind === 'done') return { result: opening }
  if (opening.unresolved && !isCleared(opening.unresolved, considered.past.length, clearance, present)) {
    return { result: { kind: 'unresolved', intent: opening.unresolved } }
  }
  const begun = await openAttempt(db, newIntent, considered, leaseTime, present)
  return { result: begun.kind === 'held' ? begun : { ...opening, ...begun } }
}

/** Drafts that need no decision of their own, and the ruling on all of them together. */
interface Plain {
  readonly plain: ReadonlySet<ToBegin>
  readonly ruling: Ruling
}

const none: Plain = { plain: new Set(), ruling: unruled }

/**
 * The drafts whose id and key neither the journal nor another draft has. None of them if their sum exceeds a limit, or if a rule
 * needs an approval for it.
 */
async function findPlain(db: JournalWriter, all: readonly ToBegin[], present: OpeningContext): Promise<Plain> {
  const { now } = present
  const [first] = all
  const named = all.filter((each) => first && isLike(first, each))
  const names = named.map(({ newIntent: { uniqueId, idempotencyKey } }) => ({ uniqueId, idempotencyKey }))
  const ids = names.map(({ uniqueId }) => uniqueId)
  const keys = names.flatMap(({ idempotencyKey }) => (idempotencyKey === null ? [] : [idempotencyKey]))
  if (!first || ids.length === 0) return none
  const { newIntent, guard } = first
  const known = await namesKnown(db, { ...newIntent, orOfProfile: newIntent.profile }, ids, keys)
  const met = new Set(known)
  const free = named.filter(({ newIntent: { uniqueId, idempotencyKey } }) => {
    const own = idempotencyKey === null ? [uniqueId] : [uniqueId, idempotencyKey]
    const isFree = own.every((name) => !met.has(name))
    for (const name of own) met.add(name)
    return isFree
  })
  const clear = guard.planned ? await withoutAlike(db, free, guard.planned, present) : free
  if (clear.length === 0) return none
  const spent = await readSpent(db, newIntent, guard.limits, now)
  if (shortagesOf(guard.limits, sumDemand(clear), spent, now).length > 0) return none
  const newIntents = clear.map(({ newIntent: each }) => each)
  const ruling = await rulingOnAll(db, newIntents, guard, present)
  return ruling.because === null ? { plain: new Set(clear), ruling } : none
}

/** Without the drafts that look like a payout which was sent after their plan was made. */
async function withoutAlike(
  db: JournalWriter,
  all: readonly ToBegin[],
  planned: AfterPlanning,
  present: Present,
): Promise<readonly ToBegin[]> {
  const newIntents = all.map(({ newIntent }) => newIntent)
  const came = await findAlikeSince(db, newIntents, planned, present)
  return all.filter(({ newIntent }) => came(newIntent) === null)
}

const scope = ['operation', 'profile', 'service', 'serviceId', 'environment', 'clientId'] as const

/** True if the same statements can read both drafts, and no guard compares the second with other payments. */
export function isLike(first: ToBegin, { newIntent, guard }: ToBegin): boolean {
  const isGuarded = guard.duplicates !== 'off' || guard.unknownDuplicates !== undefined
  const isOfOne = scope.every((member) => newIntent[member] === first.newIntent[member])
  return isOfOne && !isGuarded && isSameGuard(first.guard, guard) && newIntent.amountMinor !== null
}

function isSameGuard(one: Guard, other: Guard): boolean {
  const isOfPlan = one.plan === other.plan && one.planned === other.planned
  return isOfPlan && one.limits === other.limits && one.sender === other.sender
}

export function sumDemand(all: readonly ToBegin[]): Demand {
  const [sums, largest] = [new Map<string, bigint>(), new Map<string, bigint>()]
  for (const { newIntent } of all) {
    const [currency, units] = [newIntent.currency ?? '', BigInt(newIntent.amountMinor ?? 0)]
    sums.set(currency, (sums.get(currency) ?? 0n) + units)
    if (units > (largest.get(currency) ?? -1n)) largest.set(currency, units)
  }
  return { payouts: BigInt(all.length), sums, largest }
}

/** An attempt, and what its answer proves. */
export interface ToFinish {
  readonly intent: Intent
  readonly number: number
  readonly verdict: Verdict
  /** The status in which its thing was read before it left; null or absent where it was not read. */
  readonly known?: string | null
}

/**
 * Records what came of attempts, and what that makes of their intents: one that was executed is free from then on. `self` is this
 * process. Gives the intents as they are now.
 */
export async function finishBatch(
  db: JournalWriter,
  all: readonly ToFinish[],
  present: Moment,
  self: string,
): Promise<readonly Settled<Intent>[]> {
  const known = await foundOrKnown(db, all)
  const ends: Settled<Intent>[] = []
  for (const each of all) {
    const { journalId } = each.intent
    const found = await tryDecide(async () => findAttempt(known.get(journalId), each))
    if ('failure' in found) {
      ends.push(found)
      continue
    }
    const { before, attempt, others } = found.result
    const { end, changes } = conclude(found.result, each, present, self)
    const ended = await rows.changeAttempt(db, attempt, end)
    const after = changes === null ? before : await changeCounted(db, before, changes)
    known.set(journalId, { row: after, attempts: [...others, ended] })
    ends.push({ result: intentOf(after) })
  }
  return ends
}

/** Intents with their attempts as they are in the store: read there, or known here if the store has their digests. */
async function foundOrKnown(db: JournalWriter, all: readonly ToFinish[]): Promise<Map<string, FoundIntent>> {
  const own = all.flatMap(({ intent, number }) => {
    const known = rowsOfOpened.get(intent)
    return known?.attempts.some((each) => each.number === number) ? [known] : []
  })
  const known = await rows.unchangedOf(db, own)
  const others = all.map(({ intent }) => intent.journalId).filter((id) => !known.has(id))
  if (others.length === 0) return known
  return new Map([...known, ...(await intentsFound(db, others))])
}

export interface FoundAttempt {
  readonly before: IntentRow
  readonly attempt: AttemptRow
  /** The other attempts of the intent. */
  readonly others: readonly AttemptRow[]
}

/** The columns of an attempt that its answer changes, and those of its intent; null where nothing changes. */
export function conclude(
  { before, attempt, others }: FoundAttempt,
  finished: ToFinish,
  present: Moment,
  self: string,
): { readonly end: Partial<AttemptRow>; readonly changes: IntentChange | null } {
  const past = dropClosedAttempts(intentOf(before), others.map(attemptOf))
  const { known = null, verdict } = finished
  const start = { iso: attempt.started_at, steady: attempt.started_steady }
  const changes = changeAfter(before, past, finished, self)
  return {
    end: { ended_at: endBy(start, present), known, ...endAttempt(past, verdict) },
    changes: changes && { ...changes, changed_at: storeMoment(present).iso },
  }
}

function findAttempt(found: FoundIntent | undefined, { intent, number }: ToFinish): FoundAttempt {
  const { row: before, attempts = [] } = found ? wholeIntent(found) : {}
  const attempt = attempts.find((each) => each.number === number)
  if (before && attempt) return { before, attempt, others: attempts.filter((each) => each !== attempt) }
  throw new Failure('bug', `attempt ${number} of ${intent.journalId} is not in the journal`)
}

/** Null where nothing changes: an execution that another run recorded after this one's lease had ended stays, nothing takes it back. */
function changeAfter(
  before: IntentRow,
  past: readonly PastAttempt[],
  { verdict, known: seen = null }: ToFinish,
  self: string,
): IntentChange | null {
  const state = stateAfter(past, verdict)
  if (rows.isExecuted(before) && state !== 'accepted')
    return isForeignDuplicate(before, past, verdict) ? markTakenLate(before, self) : null
  const known = sumColumns(before, state, verdict)
  // This very request, sent twice on its way: a read told of the first of the two, and the answer of the second.
  // A read shows nothing of a write that never left, and a status from before it is another's work.
  const hasLeft = [...past, endAttempt(past, verdict)].some(mayHaveArrived)
  const isShown = before.status !== seen && wasShown(intentOf(before))
  const isThere = hasConflict(before) || (hasLeft && isShown)
  const isNew = unmoved.has(state) && known.sum_confirmed !== 'taken'
  const taken = isNew && isThere ? markTaken(before, state) : null
  return {
    state,
    ...known,
    ...taken,
    ...statusColumns(before, known, verdict),
    // Nothing more is sent for it, so its lease ends at once.
    ...(rows.isExecuted({ state }) && before.holder === self ? noLease : {}),
  }
}

/**
 * True for one that is there by its taken id alone, and whose last open attempt is refused now, or was turned away: an answer that
 * comes late, from another machine. Then the id is another's.
 */
function isForeignDuplicate(before: IntentRow, past: readonly PastAttempt[], verdict: Verdict): boolean {
  const { transaction_id: number, status, answer, operator_word: word, sum_confirmed: sum } = before
  const isById =
    before.state === 'exists' && sum === 'no' && [number, status, answer, word].every((each) => each === null)
  return isById && verdict.kind !== 'unknown' && !past.some(isOpen)
}

function markTakenLate(before: IntentRow, self: string): IntentChange {
  return { state: 'refused', ...markTaken(before, 'refused'), ...(before.holder === self ? noLease : {}) }
}
