/**
 * Commits that the store decides on by itself: plain openings and outcomes of rows that this process has opened. Nothing is read for
 * them here; whatever is not plain is left to a transaction (attempts.ts).
 */
import { ruledOperations } from '../contract/operation.ts'
import { withDigest } from '../store/journal/digest.ts'
import { scopeColumns } from '../store/journal/intents.ts'
import type { AttemptRow, IntentRow } from '../store/journal/schema.ts'
import { sumSpent } from '../store/journal/spent.ts'
import type { JournalCommit, OpeningChecks } from '../store/team/commit.ts'
import {
  conclude,
  type FoundAttempt,
  isLike,
  type OpeningContext,
  openedAttempt,
  rowsOfOpened,
  sumDemand,
  type ToBegin,
  type ToFinish,
} from './attempts.ts'
import type { Begun } from './duplicates.ts'
import { type Intent, intentOf } from './intent.ts'
import { roomFor, spentChanges } from './limits.ts'
import { later, storeMoment } from './moment.ts'
import { leaseOf, newAttempt, newRow } from './row.ts'

/** A commit, and what it comes to once it is made. */
export interface PlannedCommit {
  readonly commit: JournalCommit
  readonly ends: readonly Intent[]
  readonly begun: readonly Begun[]
}

/**
 * The commit of attempts that are finished and opened, if all of it is plain: outcomes of rows that this process has opened, and new
 * names under one guard. The store looks whether the rows are as they were, the names are new, and the sums fit. Null where a
 * transaction has to decide.
 */
export function planCommit(
  finished: readonly ToFinish[],
  begins: readonly ToBegin[],
  present: OpeningContext,
): PlannedCommit | null {
  const ended = planEnds(finished, present)
  const checks = begins.length === 0 ? null : checksOf(begins, present)
  if (!ended || (begins.length > 0 && !checks)) return null
  const opened = begins.map((each) => planNew(each, present))
  const spent = sumSpent([
    ...ended.flatMap(({ before, after }) => spentChanges(before, after)),
    ...opened.flatMap(({ row }) => spentChanges(null, row)),
  ])
  return {
    commit: {
      ...{ checks, spent, opened: opened.map(({ row: intent, attempts: [attempt] }) => ({ intent, attempt })) },
      intents: ended.filter(({ before, after }) => before !== after),
      attempts: ended.map(({ attempt: before, tried: after }) => ({ before, after })),
    },
    ends: ended.map(({ after }) => intentOf(after)),
    begun: opened.map((found) => ({ suspected: null, unresolved: null, ...openedAttempt(found) })),
  }
}

function planNew({ newIntent, leaseTime }: ToBegin, present: OpeningContext) {
  const now = storeMoment(present)
  const lease = leaseOf(present.leaseHolder.self, later(present, leaseTime))
  const row = withDigest<IntentRow>(newRow(newIntent, present.random, now.iso, lease))
  return { row, attempts: [withDigest<AttemptRow>(newAttempt(row, 1, now))] as const }
}

/** Null where a row is not known here, and where a day's sum of a maker changes with one. */
function planEnds(all: readonly ToFinish[], present: OpeningContext) {
  const ends: (FoundAttempt & { readonly tried: AttemptRow; readonly after: IntentRow })[] = []
  const ids = new Set(all.map(({ intent }) => intent.journalId))
  if (ids.size < all.length) return null
  for (const each of all) {
    const known = rowsOfOpened.get(each.intent)
    const attempt = known?.attempts.find(({ number }) => number === each.number)
    if (!known || !attempt || known.row.maker !== null) return null
    const found = { before: known.row, attempt, others: known.attempts.filter((other) => other !== attempt) }
    const { end, changes } = conclude(found, each, present, present.leaseHolder.self)
    const tried = withDigest<AttemptRow>({ ...found.attempt, ...end })
    const after = changes === null ? found.before : withDigest<IntentRow>({ ...found.before, ...changes })
    ends.push({ ...found, tried, after })
  }
  return ends
}

/** What the store has to look at before it opens these; null where they are not alike, or something speaks against them here. */
function checksOf(all: readonly ToBegin[], { now }: OpeningContext): OpeningChecks | null {
  const [first] = all
  if (!first || !all.every((each) => isLike(first, each))) return null
  const { newIntent, guard } = first
  const ids = all.map(({ newIntent: { uniqueId } }) => uniqueId)
  const keys = all.flatMap(({ newIntent: { idempotencyKey } }) => (idempotencyKey === null ? [] : [idempotencyKey]))
  const limits = roomFor(guard.limits, sumDemand(all), now)
  if (!limits || new Set([...ids, ...keys]).size < ids.length + keys.length) return null
  return {
    ...{ ...scopeColumns(newIntent), operation: newIntent.operation, profile: newIntent.profile, ids, keys, limits },
    ...{ mayBeRuled: ruledOperations.includes(newIntent.operation), alikeSince: guard.planned?.since ?? null },
  }
}
