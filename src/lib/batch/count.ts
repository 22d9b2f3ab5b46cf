/** The rows of a plan by state: their number, and their sums by currency. They add up to the plan, always. */

import type { MoneyMoved } from '../failure.ts'
import { blank, type Hint, hint, paste } from '../hint.ts'
import { moneyMovedBy } from '../journal/intent.ts'
import type { Journal } from '../journal/journal.ts'
import type { ResultOf } from '../result.ts'
import type { PlanRowRow } from '../store/plans.ts'
import { type Plan, planTotals } from './plan.ts'
import { whyTaken } from './reason.ts'
import type { countResult } from './result.ts'
import {
  isConflict,
  isForPerson,
  isOfBefore,
  isUnpaid,
  type PlannedRow,
  type RowState,
  rowStates,
} from './row-state.ts'

/** The states of rows that a run still takes up, beside the unknown: held ones are sent by their own id alone. */
const left = ['planned', 'sending', 'turned-away', 'unsent'] as const satisfies readonly RowState[]

export class Count {
  readonly #journal: Pick<Journal, 'head'>
  #replayed = 0
  readonly #counts = new Map<RowState, number>()
  readonly #units = new Map<RowState, Map<string, bigint>>()
  readonly #taken: PlannedRow[] = []
  /** The states of rows that were taken, and whose payments have ended without money. */
  readonly #unpaid: RowState[] = []
  /** Rows of which another sum was told. */
  readonly #otherSums: PlannedRow[] = []

  constructor(journal: Pick<Journal, 'head'>) {
    this.#journal = journal
  }

  /** The head of the journal that they were counted in. */
  get journalHead(): string | null {
    return this.#journal.head
  }

  add(row: PlannedRow): void {
    const { state, planned } = row
    this.#change(state, planned, 1)
    this.#note(row)
    if (isOfBefore(row)) this.#replayed += 1
  }

  /** A row goes from one state to another. */
  move(from: RowState, row: PlannedRow): void {
    const { state, planned } = row
    this.#note(row)
    if (from === state) return
    this.#change(from, planned, -1)
    this.#change(state, planned, 1)
  }

  of(state: RowState): number {
    return this.#counts.get(state) ?? 0
  }

  get rows(): number {
    return rowStates.reduce((sum, state) => sum + this.of(state), 0)
  }

  /** Rows that have their definite end at the service, or a refusal. */
  get ended(): number {
    return this.of('accepted') + this.of('exists') + this.of('refused')
  }

  /** Rows whose key or id somebody else has: among the refused, or among the unknown while that other payment is. */
  get taken(): number {
    return this.#taken.length
  }

  /** These rows in words, by their state, and the reason of the first; null where there is none. */
  get takenInWords(): string | null {
    const [first] = this.#taken
    if (!first) return null
    const who = ofStatesInWords(this.#taken.map(({ state }) => state))
    return `${who} ${this.taken === 1 ? 'is' : 'are'} in conflict: ${whyTaken(first)}`
  }

  /** The next step with the first row of each kind that no run takes up. */
  get handHints(): readonly Hint[] {
    const other = this.#taken.find(({ isTakenKey }) => isTakenKey)
    const own = [this.#taken.find(({ isTakenKey }) => !isTakenKey), this.#otherSums[0]]
    return [...(other ? otherPayment(other) : []), ...own.flatMap((row) => (row ? [reconciling(row.planned)] : []))]
  }

  /** Rows among the accepted and the existing that have ended without a payment since, as far as the journal knows. */
  get notPaid(): number {
    return this.#unpaid.length
  }

  /** These rows in words, by their state; null where there is none. */
  get notPaidInWords(): string | null {
    return ofStatesInWords(this.#unpaid)
  }

  /** Rows among the unknown that a run resolves: the others are left to a person. */
  get resolvable(): number {
    return this.of('unknown') - this.#taken.filter(({ state }) => state === 'unknown').length - this.#otherSums.length
  }

  /** The rows among the unknown that a run resolves, and their sums. */
  get open(): { readonly rows: number; readonly totals: Readonly<Record<string, string>> } {
    const units = new Map(this.units('unknown'))
    for (const { planned } of [...this.#taken.filter(({ state }) => state === 'unknown'), ...this.#otherSums])
      units.set(planned.currency, (units.get(planned.currency) ?? 0n) - BigInt(planned.amount_minor))
    return { rows: this.resolvable, totals: totalsOf(units) }
  }

  /** All rows that a run takes up, and their sums. */
  get toGo(): { readonly rows: number; readonly totals: Readonly<Record<string, string>> } {
    const units = new Map(this.units(...left))
    for (const [currency, sum] of Object.entries(this.open.totals))
      units.set(currency, (units.get(currency) ?? 0n) + BigInt(sum))
    return { rows: left.reduce((sum, state) => sum + this.of(state), this.resolvable), totals: totalsOf(units) }
  }

  /** True if nothing is left to send or to resolve under the ids of these rows. */
  get isDone(): boolean {
    return this.resolvable === 0 && left.every((state) => this.of(state) === 0)
  }

  /** The movement of money under the ids of these rows, whichever run or payment moved it. */
  get moneyMoved(): MoneyMoved {
    if (this.of('unknown') + this.of('sending') > 0) return 'unknown'
    if (this.of('accepted') + this.of('exists') > this.notPaid) return 'yes'
    const others = this.#taken.map(({ intent }) => (intent ? moneyMovedBy(intent) : 'no'))
    return (['yes', 'unknown'] as const).find((each) => others.includes(each)) ?? 'no'
  }

  /** Rows that were sent before the plan was made. */
  get replayed(): number {
    return this.#replayed
  }

  /** Minor units of some states, by currency. */
  units(...states: readonly RowState[]): ReadonlyMap<string, bigint> {
    const sums = new Map<string, bigint>()
    for (const state of states) {
      for (const [currency, units] of this.#units.get(state) ?? []) {
        sums.set(currency, (sums.get(currency) ?? 0n) + units)
      }
    }
    return sums
  }

  #note(row: PlannedRow): void {
    if (isConflict(row)) this.#taken.push(row)
    if (isForPerson(row)) this.#otherSums.push(row)
    if (isUnpaid(row)) this.#unpaid.push(row.state)
  }

  #change(state: RowState, { amount_minor, currency }: PlannedRow['planned'], by: 1 | -1): void {
    this.#counts.set(state, this.of(state) + by)
    const units = this.#units.get(state) ?? new Map<string, bigint>()
    units.set(currency, (units.get(currency) ?? 0n) + BigInt(by) * BigInt(amount_minor))
    this.#units.set(state, units)
  }
}

/** Minor units as text by currency, in the order of their names: as the totals of a plan stand. */
function totalsOf(units: ReadonlyMap<string, bigint>): Record<string, string> {
  const sorted = [...units].filter(([, sum]) => sum !== 0n).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(sorted.map(([currency, sum]) => [currency, sum.toString()]))
}

/** "3 of the accepted", "2 of the refused and 1 of the unknown"; null for none. */
function ofStatesInWords(states: readonly RowState[]): string | null {
  const many = new Map<RowState, number>()
  for (const state of states) many.set(state, (many.get(state) ?? 0) + 1)
  const parts = [...many].map(([state, rows]) => `${rows} of the ${state === 'exists' ? 'existing' : state}`)
  return parts.length === 0 ? null : parts.join(' and ')
}

function otherPayment({ intent, state }: PlannedRow): readonly Hint[] {
  if (!intent) return []
  const { journalId } = intent
  return [
    state === 'unknown'
      ? hint`Resolve the other payment first: \`${paste('resume', journalId)}\`.`
      : hint`Compare it with \`${paste('journal show', journalId)}\` before the row is paid under another key.`,
  ]
}

function reconciling({ number, unique_id }: PlannedRow['planned']): Hint {
  const reconcile = paste('payout reconcile', unique_id, '--transaction-id', blank('<n>'))
  return hint`No run resolves row ${number}, and it is not to be paid again: when a statement or the service's staff names its transaction, \`${reconcile}\`.`
}

// Numbers of rows, and their sums by currency.

export class RowSums {
  #rows = 0
  readonly #units = new Map<string, bigint>()

  add({ currency, amount_minor }: Pick<PlanRowRow, 'currency' | 'amount_minor'>): void {
    this.#rows += 1
    this.#units.set(currency, (this.#units.get(currency) ?? 0n) + BigInt(amount_minor))
  }

  get rows(): number {
    return this.#rows
  }

  /** Minor units as text by currency, in the order of their names: as the totals of a plan stand. */
  get totals(): Record<string, string> {
    const sorted = [...this.#units].toSorted(([a], [b]) => (a < b ? -1 : 1))
    return Object.fromEntries(sorted.map(([currency, units]) => [currency, units.toString()]))
  }

  /** The units of all currencies, added as a control sum adds them. */
  get control(): bigint {
    return [...this.#units.values()].reduce((sum, units) => sum + units, 0n)
  }
}

/** One `RowSums` for each of some names. */
export class SumsBy<Name extends string> {
  readonly #all: Map<Name, RowSums>

  constructor(names: readonly Name[]) {
    this.#all = new Map(names.map((name) => [name, new RowSums()]))
  }

  of(name: Name): RowSums {
    const found = this.#all.get(name) ?? new RowSums()
    this.#all.set(name, found)
    return found
  }

  get entries(): readonly (readonly [Name, RowSums])[] {
    return [...this.#all]
  }
}

// The count of a plan as its commands tell it.

export type CountTold = ResultOf<typeof countResult>

export function countTold(
  { planId, rows, totals }: Plan,
  count: Count,
  { stopped = null, warnings = [] }: { readonly stopped?: string | null; readonly warnings?: readonly string[] } = {},
): CountTold {
  return {
    planId,
    rows,
    totals: planTotals(totals),
    accepted: count.of('accepted'),
    exists: count.of('exists'),
    notPaid: count.notPaid,
    refused: count.of('refused'),
    turnedAway: count.of('turned-away'),
    unsent: count.of('unsent'),
    unknown: count.of('unknown'),
    held: count.of('held'),
    sending: count.of('sending'),
    planned: count.of('planned'),
    replayed: count.replayed,
    conflicts: count.taken,
    stopped,
    journalHead: count.journalHead,
    warnings,
  }
}
