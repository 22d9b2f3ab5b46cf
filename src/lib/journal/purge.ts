/**
 * Removes the personal data of payouts that have ended for good. Id, key, sum, state, status, times and the digest of
 * the body stay. A group is one transaction: a crash leaves whole groups.
 */
import { createPayout } from '../contract/payout/payout.ts'
import type { Random } from '../edge.ts'
import { Failure } from '../failure.ts'
import { hint } from '../hint.ts'
import type { ResultOf } from '../result.ts'
import type { Store } from '../store/engine/store.ts'
import { leaveOnly, type PurgeCandidate, type PurgeOptions, purgeCandidates } from '../store/journal/purge.ts'
import type { AttemptRow, JournalReader, JournalTables, JournalWriter } from '../store/journal/schema.ts'
import { intentOf, isInConflict } from './intent.ts'
import { isLeased, type Present } from './lease.ts'
import { isOfThisStart, minElapsed } from './moment.ts'
import { paymentEnd } from './payment-end.ts'
import type { purgedResult } from './result.ts'
import { stripAttempt, stripIntent } from './row.ts'
import { isExecuted } from './verdict.ts'

export type Purged = ResultOf<typeof purgedResult>

/** Payouts of one transaction: others wait no longer than that. */
const group = 200

export interface ToPurge extends Omit<PurgeOptions, 'operation'> {
  readonly dryRun: boolean
}

/** Throws usage (2) for a moment that is not long enough ago. */
export function requireLongAgo(before: string, { now }: Pick<Present, 'now'>): void {
  const newest = new Date(now - shortestStay * 24 * 60 * 60 * 1000).toISOString()
  if (before <= newest) return
  throw new Failure('usage', `payouts changed in the last ${shortestStay} days are never removed`, {
    moneyMoved: 'no',
    hints: [hint`The newest moment that --before takes is ${newest}.`],
  })
}

/** Rejects with the signal's reason when the signal fires first; groups that were written stay. */
export async function purgeJournal(
  store: Store<JournalTables>,
  { before, profile, dryRun }: ToPurge,
  present: Present,
  random: Random,
  signal: AbortSignal,
): Promise<Purged> {
  requireLongAgo(before, present)
  const removedAt = new Date(present.now).toISOString()
  const kept = { open: 0, notEnded: 0, approved: 0, young: 0 }
  let removed = 0
  const query = { operation: createPayout, before, profile }
  const look = async (db: JournalReader, after: string) => {
    const found = await purgeCandidates(db, query, after, group)
    return found.map((candidate) => ({ candidate, staying: reasonToStay(candidate, present) }))
  }
  const purge = async (db: JournalWriter, after: string) => {
    if (store.outdated) throw store.outdated
    const judged = await look(db, after)
    for (const { candidate, staying } of judged) {
      if (staying === null) await removeData(db, candidate, random, removedAt)
    }
    return judged
  }
  for (let after = ''; ; ) {
    signal.throwIfAborted()
    const from = after
    const judged = await (dryRun ? store.read((db) => look(db, from)) : store.write((db) => purge(db, from)))
    for (const { staying } of judged) {
      if (staying === null) removed += 1
      else kept[staying] += 1
    }
    const last = judged.at(-1)
    if (!last || judged.length < group) break
    after = last.candidate.row.id
  }
  // Also where nothing is left to remove: an earlier run may have ended before this.
  const erased = dryRun ? null : ((await store.erase?.()) ?? null)
  return { before, dryRun, removed, kept, removedAt: dryRun ? null : removedAt, erased }
}

function removeData(db: JournalWriter, candidate: PurgeCandidate, random: Random, now: string): Promise<void> {
  const salt = random.uuid().replaceAll('-', '')
  return leaveOnly(db, candidate, stripIntent(candidate.row, salt, now), (each) => stripAttempt(each, salt))
}

/** More days than the duplicate guard, limits and rules look back. */
export const shortestStay = 30

export type Staying = 'open' | 'notEnded' | 'approved' | 'young'

/** A clock that was set forward makes nothing old. */
function isRecent({ started_at: iso, started_steady: steady }: AttemptRow, present: Present): boolean {
  const since = { iso, steady }
  return isOfThisStart(since, present) && minElapsed(since, present) < shortestStay * 24 * 60 * 60 * 1000
}

/** Null where it may go. */
export function reasonToStay({ row, attempts, isApproved }: PurgeCandidate, present: Present): Staying | null {
  const intent = intentOf(row)
  const { status, operatorWord, state } = intent
  if (isInConflict(intent) || isLeased(row, present)) return 'open'
  // What was refused or unsent never ran.
  if (!isExecuted(intent) && state !== 'refused' && state !== 'unsent') return 'open'
  const isEnded = operatorWord !== null || (status !== null && paymentEnd(intent, status) !== null)
  if (isExecuted(intent) && !isEnded) return 'notEnded'
  if (attempts.some((attempt) => isRecent(attempt, present))) return 'young'
  // A request that others have signed names its account, and is worth nothing without it.
  return isApproved ? 'approved' : null
}
