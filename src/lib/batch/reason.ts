/** The reason for the state of a row, in words that a support person understands. */

import { refusalInWords } from '../client/refusal.ts'
import { sumOf } from '../contract/core/decimal.ts'
import { howMany } from '../contract/core/text.ts'
import { createPayout } from '../contract/payout/payout.ts'
import { originOf } from '../contract/service.ts'
import { type Intent, mayHaveRun, moneyMovedBy } from '../journal/intent.ts'
import type { Journal } from '../journal/journal.ts'
import type { PlanRowRow } from '../store/plans.ts'
import type { Plan } from './plan.ts'
import type { Plans } from './plans.ts'
import { isOfBefore, type PlannedRow, type RowState } from './row-state.ts'
import type { RowOwner } from './rows.ts'

export interface Reason {
  /** The service's code; null where it gave none. */
  readonly code: number | null
  /** Null for a row whose state says it all. */
  readonly words: string | null
}

const speaking: ReadonlySet<RowState> = new Set(['refused', 'turned-away', 'unsent', 'unknown'])

export async function rowReason(
  journal: Pick<Journal, 'attempts'>,
  { planned, intent, state, isTakenKey }: PlannedRow,
): Promise<Reason> {
  if (!intent || !speaking.has(state)) return { code: null, words: null }
  if (isTakenKey) return { code: null, words: takenInWords(planned, intent) }
  if (intent.disputed !== null) return { code: null, words: intent.disputed }
  const attempts = await journal.attempts(intent)
  // A conflict stays one, whatever came of later attempts.
  const taken = intent.isTaken ? attempts.findLast(({ outcome }) => outcome === 'refused') : undefined
  if (intent.isTaken) return { code: taken?.statusCode ?? null, words: conflictInWords }
  const last = attempts.at(-1)
  if (last?.statusCode === null || last?.statusCode === undefined) {
    return { code: null, words: last?.why ?? intent.because }
  }
  return { code: last.statusCode, words: refusalInWords(createPayout, last) }
}

const moved = { yes: 'money has moved', unknown: 'money may have moved', no: 'no money has moved' } as const

/** A row whose id the service had before it took one of this journal. */
const conflictInWords =
  'the service has its id already, from another machine or from this very request, sent twice on its way: money may have moved, and this row is not sent again'

/** The reason for a conflict. */
export function whyTaken({ planned, intent, isTakenKey }: PlannedRow): string | null {
  if (!isTakenKey || !intent) return conflictInWords
  return takenInWords(planned, intent)
}

/** The other payment that a row's key or id stands for, and what that means for the row. */
function takenInWords(planned: Pick<PlannedRow['planned'], 'business_key' | 'unique_id'>, intent: Intent): string {
  const name = planned.business_key === null ? `id ${planned.unique_id}` : `key ${planned.business_key}`
  return `its ${name} stands for another payment, ${paymentInWords(intent)}: ${moved[moneyMovedBy(intent)]}, and this row is not sent`
}

/** "j-3f9a1c2b7d10 (GEL 12.50 to GE29…, accepted, https://bank.example)". */
export function paymentInWords(intent: Intent): string {
  const { journalId, payee, state, service } = intent
  return `${journalId} (${sumOf(intent) ?? intent.operation} to ${payee}, ${state}, ${originOf(service)})`
}

// Rows that were sent before their plan was made, and not since: the journal answers for them, and nothing moved for this plan. A
// paper about a new message must not tell an old payment as its own.

export interface SentBefore {
  /** When it was sent, ISO, UTC. */
  readonly at: string
  readonly journalId: string
  /** The plan that sent it; null where a command of its own did, or a plan that is not known here. */
  readonly plan: Pick<Plan, 'planId' | 'file'> | null
}

interface OfPlan {
  readonly desk: Pick<RowOwner, 'journal'>
  readonly plan: Pick<Plan, 'planId'>
  readonly plans: Pick<Plans, 'withRows'>
}

/** What was sent before of some hundred rows of a plan. */
export async function sentBeforeOf(
  { desk, plan, plans }: OfPlan,
  rows: readonly PlannedRow[],
): Promise<ReadonlyMap<PlanRowRow, SentBefore>> {
  const before = []
  for (const row of rows) if (await isOnlyOfBefore(desk, row)) before.push(row)
  if (before.length === 0) return new Map()
  const found = await plans.withRows(before.map(({ planned }) => planned.unique_id))
  const entries = before.flatMap(({ planned, intent }) => {
    if (!intent) return []
    const { openedAt: at, journalId, uniqueId } = intent
    const others = found.filter(({ plan: other, rows: same }) => {
      const row = same.find(({ unique_id }) => unique_id === uniqueId)
      // A plan that knew the payment when it was made did not send it either.
      return row !== undefined && other.planId !== plan.planId && row.known_opened_at !== at
    })
    // One that was renewed since has a later time.
    const sender = others.find(({ plan: other }) => other.plannedAt <= at) ?? others[0]
    const by = sender ? { planId: sender.plan.planId, file: sender.plan.file } : null
    return [[planned, { at, journalId, plan: by }] as const]
  })
  return new Map(entries)
}

/** True if every attempt was known when the row was planned: one that was turned away then may have been sent by this plan since. */
async function isOnlyOfBefore({ journal }: OfPlan['desk'], row: PlannedRow): Promise<boolean> {
  const { intent, planned } = row
  // What was turned away is still to be sent.
  if (!intent || !isOfBefore(row) || !mayHaveRun(intent) || row.state === 'turned-away') return false
  const known = planned.known_changed_at ?? intent.openedAt
  return (await journal.attempts(intent)).every(({ startedAt }) => startedAt <= known)
}

/** "sent before this plan was made: at 2026-11-20T09:00:00.000Z by b-3f9a1c2b7d10 (november.xml), j-…; nothing moved now". */
export function beforeInWords({ at, journalId, plan }: SentBefore): string {
  return `sent before this plan was made: ${sentInWords({ at, journalId, plan })}; nothing moved now`
}

function sentInWords({ at, journalId, plan }: SentBefore): string {
  return `at ${at} ${plan === null ? 'by no plan that is known here' : `by ${plan.planId} (${plan.file})`}, ${journalId}`
}

/** Rows that are told one by one. */
const mostTold = 10

/** Rows that were sent before, counted as they pass by, the first of them in words. */
export class RowsBefore {
  rows = 0
  readonly #units = new Map<string, bigint>()
  readonly #first: string[] = []

  add({ number, currency, amount_minor }: PlanRowRow, before: SentBefore): void {
    this.rows += 1
    this.#units.set(currency, (this.#units.get(currency) ?? 0n) + BigInt(amount_minor))
    if (this.#first.length < mostTold) this.#first.push(`row ${number}: ${sentInWords(before)}`)
  }

  /** Minor units as text by currency, in the order of their names. */
  get totals(): Record<string, string> {
    const sorted = [...this.#units].toSorted(([a], [b]) => (a < b ? -1 : 1))
    return Object.fromEntries(sorted.map(([currency, units]) => [currency, units.toString()]))
  }

  /** None where there is no such row. */
  get warnings(): readonly string[] {
    if (this.rows === 0) return []
    const more = this.rows > this.#first.length ? `; and ${this.rows - this.#first.length} more` : ''
    const were = howMany(this.rows, 'row was', 'rows were')
    const said = `${were} sent before this plan was made, and nothing moved for ${this.rows === 1 ? 'it' : 'them'} now`
    return [`${said}: ${this.#first.join('; ')}${more}`]
  }
}
