/**
 * Rows that were sent before their plan was made, and not since: nothing moved for this plan. A report must not tell an old payment
 * as a new one.
 */
import { howMany } from '../contract/core/text.ts'
import { mayHaveRun } from '../journal/intent.ts'
import type { PlanRowRow } from '../store/plans.ts'
import { RowSums } from './count.ts'
import type { Plan } from './plan.ts'
import type { Plans } from './plans.ts'
import { FirstFew } from './read/first-few.ts'
import { type PlannedRow, wasSentBefore } from './row-state.ts'
import type { RowOwner } from './rows.ts'

export interface SentBefore {
  /** When the row was sent, ISO, UTC. */
  readonly at: string
  readonly journalId: string
  /** The plan that sent it; null for a single command, or for an unknown plan. */
  readonly plan: Pick<Plan, 'planId' | 'file'> | null
}

interface OfPlan {
  readonly desk: Pick<RowOwner, 'journal'>
  readonly plan: Pick<Plan, 'planId'>
  readonly plans: Pick<Plans, 'withRows'>
}

export async function findSentBefore(
  { desk, plan, plans }: OfPlan,
  rows: readonly PlannedRow[],
): Promise<ReadonlyMap<PlanRowRow, SentBefore>> {
  const before = []
  for (const row of rows) if (await isOnlySentBefore(desk, row)) before.push(row)
  if (before.length === 0) return new Map()
  const found = await plans.withRows(before.map(({ planned }) => planned.unique_id))
  const entries = before.flatMap(({ planned, intent }) => {
    if (!intent) return []
    const { openedAt: at, journalId, uniqueId } = intent
    const others = found.filter(({ plan: other, rows: same }) => {
      const row = same.find(({ unique_id }) => unique_id === uniqueId)
      // A plan that knew the payment when it was made did not send it.
      return row !== undefined && other.planId !== plan.planId && row.known_opened_at !== at
    })
    // A plan that was renewed has a later time.
    const sender = others.find(({ plan: other }) => other.plannedAt <= at) ?? others[0]
    const by = sender ? { planId: sender.plan.planId, file: sender.plan.file } : null
    return [[planned, { at, journalId, plan: by }] as const]
  })
  return new Map(entries)
}

/** True if all attempts are older than the row: a row that was turned away before may have been sent by this plan since. */
async function isOnlySentBefore({ journal }: OfPlan['desk'], row: PlannedRow): Promise<boolean> {
  const { intent, planned } = row
  // A row that was turned away is still to be sent.
  if (!intent || !wasSentBefore(row) || !mayHaveRun(intent) || row.state === 'turned-away') return false
  const known = planned.known_changed_at ?? intent.openedAt
  return (await journal.attempts(intent)).every(({ startedAt }) => startedAt <= known)
}

/** "sent before this plan was made: at 2026-11-20T09:00:00.000Z by b-3f9a1c2b7d10 (november.xml), j-…; nothing moved now". */
export function describeSentBefore({ at, journalId, plan }: SentBefore): string {
  return `sent before this plan was made: ${sentInWords({ at, journalId, plan })}; not paid again`
}

function sentInWords({ at, journalId, plan }: SentBefore): string {
  return `at ${at} ${plan === null ? 'by no plan that is known here' : `by ${plan.planId} (${plan.file})`}, ${journalId}`
}

const mostTold = 10

/** Counts rows that were sent before, and tells the first of them in words. */
export class SentBeforeSummary {
  readonly #sums = new RowSums()
  readonly #first = new FirstFew<string>(mostTold)

  add(planned: PlanRowRow, before: SentBefore): void {
    this.#sums.add(planned)
    this.#first.add(() => `row ${planned.number}: ${sentInWords(before)}`)
  }

  get rows(): number {
    return this.#sums.rows
  }

  /** Minor units as text by currency. */
  get totals(): Record<string, string> {
    return this.#sums.totals
  }

  /** Empty without such a row. */
  get warnings(): readonly string[] {
    if (this.rows === 0) return []
    const were = howMany(this.rows, 'row was', 'rows were')
    const said = `${were} sent before this plan was made; nothing was paid again for ${this.rows === 1 ? 'it' : 'them'}`
    return [`${said}: ${this.#first.inWords()}`]
  }
}
