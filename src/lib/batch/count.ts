/** Counts the rows of a plan by state, with their sums by currency. */
import type { MoneyMoved } from '../failure.ts'
import { blank, type Hint, hint, paste } from '../hint.ts'
import { moneyMovedBy } from '../journal/intent.ts'
import type { Journal } from '../journal/journal.ts'
import type { ResultOf } from '../result.ts'
import type { PlanRowRow } from '../store/plans.ts'
import { type Plan, planTotals } from './plan.ts'
import { reasonForConflict } from './reason.ts'
import type { countResult } from './result.ts'
import {
  isConflict,
  isForPerson,
  isUnpaid,
  type PlannedRow,
  type RowState,
  rowStates,
  wasSentBefore,
} from './row-state.ts'

/** The states of rows that a run still sends, beside the unknown. Held rows are sent by their own id alone. */
const runnable = ['planned', 'sending', 'turned-away', 'unsent'] as const satisfies readonly RowState[]

type Amount = Pick<PlanRowRow, 'currency' | 'amount_minor'>

/** Rows of a plan, and their sums by currency. */
export class RowSums {
  #rows = 0
  readonly #units = new Map<string, bigint>()

  add({ currency, amount_minor }: Amount): void {
    this.#change(currency, BigInt(amount_minor), 1)
  }

  remove({ currency, amount_minor }: Amount): void {
    this.#change(currency, -BigInt(amount_minor), -1)
  }

  include(other: RowSums): this {
    for (const [currency, units] of other.#units) this.#change(currency, units, 0)
    this.#rows += other.#rows
    return this
  }

  #change(currency: string, units: bigint, rows: number): void {
    this.#rows += rows
    this.#units.set(currency, (this.#units.get(currency) ?? 0n) + units)
  }

  get rows(): number {
    return this.#rows
  }

  /** Minor units as text by currency, in the order of their names, as the totals of a plan. */
  get totals(): Record<string, string> {
    const sorted = [...this.#units].filter(([, units]) => units !== 0n).toSorted(([a], [b]) => (a < b ? -1 : 1))
    return Object.fromEntries(sorted.map(([currency, units]) => [currency, units.toString()]))
  }

  /** The units of all currencies in one sum, as a control sum of pain.001 has them. */
  get control(): bigint {
    return [...this.#units.values()].reduce((sum, units) => sum + units, 0n)
  }
}

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

/** The rows of a plan by state. The sums of all states add up to the plan. */
export class Count {
  readonly #journal: Pick<Journal, 'head'>
  readonly #sums = new SumsBy<RowState>(rowStates)
  /** Rows that were sent before the plan was made. */
  replayed = 0
  /** Rows whose key or id another payment has. */
  readonly #conflicts: PlannedRow[] = []
  /** Rows for which the service told another sum, or two ends. */
  readonly #forPerson: PlannedRow[] = []
  /** The states of accepted rows whose payments have ended without money. */
  readonly #unpaid: RowState[] = []

  constructor(journal: Pick<Journal, 'head'>) {
    this.#journal = journal
  }

  get journalHead(): string | null {
    return this.#journal.head
  }

  add(row: PlannedRow): void {
    this.#sums.of(row.state).add(row.planned)
    this.#note(row)
    if (wasSentBefore(row)) this.replayed += 1
  }

  move(from: RowState, row: PlannedRow): void {
    this.#note(row)
    this.#sums.of(from).remove(row.planned)
    this.#sums.of(row.state).add(row.planned)
  }

  #note(row: PlannedRow): void {
    if (isConflict(row)) this.#conflicts.push(row)
    if (isForPerson(row)) this.#forPerson.push(row)
    if (isUnpaid(row)) this.#unpaid.push(row.state)
  }

  of(state: RowState): number {
    return this.#sums.of(state).rows
  }

  sums(...states: readonly RowState[]): RowSums {
    return states.reduce((all, state) => all.include(this.#sums.of(state)), new RowSums())
  }

  get rows(): number {
    return this.sums(...rowStates).rows
  }

  /** Rows that have a definite answer of the service. */
  get ended(): number {
    return this.of('accepted') + this.of('exists') + this.of('refused')
  }

  get conflicts(): number {
    return this.#conflicts.length
  }

  /** The conflicts in words, by their state, and the reason of the first; null without one. */
  get conflictsInWords(): string | null {
    const [first] = this.#conflicts
    if (!first) return null
    const who = ofStatesInWords(this.#conflicts.map(({ state }) => state))
    return `${who} ${this.conflicts === 1 ? 'is' : 'are'} in conflict: ${reasonForConflict(first)}`
  }

  /** What a person has to do for the rows that no run resolves: a hint for the first row of each kind. */
  get handHints(): readonly Hint[] {
    const other = this.#conflicts.find(({ isTakenKey }) => isTakenKey)
    const own = [this.#conflicts.find(({ isTakenKey }) => !isTakenKey), this.#forPerson[0]]
    return [...(other ? otherPayment(other) : []), ...own.flatMap((row) => (row ? [reconciling(row.planned)] : []))]
  }

  /** Accepted and existing rows whose payments have ended without money since, as far as the journal knows. */
  get notPaid(): number {
    return this.#unpaid.length
  }

  /** These rows in words, by their state; null without one. */
  get notPaidInWords(): string | null {
    return ofStatesInWords(this.#unpaid)
  }

  /** The unknown rows that a run resolves: the others need a person. */
  get resolvable(): RowSums {
    const sums = this.sums('unknown')
    for (const { planned } of this.#conflicts.filter(({ state }) => state === 'unknown')) sums.remove(planned)
    for (const { planned } of this.#forPerson) sums.remove(planned)
    return sums
  }

  /** All rows that a run still sends or resolves. */
  get toGo(): RowSums {
    return this.sums(...runnable).include(this.resolvable)
  }

  get isDone(): boolean {
    return this.toGo.rows === 0
  }

  /** Whether money moved for the ids of these rows, in this run or before. */
  get moneyMoved(): MoneyMoved {
    if (this.of('unknown') + this.of('sending') > 0) return 'unknown'
    if (this.of('accepted') + this.of('exists') > this.notPaid) return 'yes'
    const others = this.#conflicts.map(({ intent }) => (intent ? moneyMovedBy(intent) : 'no'))
    return (['yes', 'unknown'] as const).find((each) => others.includes(each)) ?? 'no'
  }
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
      : hint`Compare it with \`${paste('journal show', journalId)}\` before you pay the row under another key.`,
  ]
}

function reconciling({ number, unique_id }: PlannedRow['planned']): Hint {
  const reconcile = paste('payout reconcile', unique_id, '--transaction-id', blank('<n>'))
  return hint`Do not pay row ${number} again. When a statement or the service's staff names its transaction, resolve it: \`${reconcile}\`.`
}

export type CountResult = ResultOf<typeof countResult>

export function countResultOf(
  { planId, rows, totals }: Plan,
  count: Count,
  { stopped = null, warnings = [] }: { readonly stopped?: string | null; readonly warnings?: readonly string[] } = {},
): CountResult {
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
    conflicts: count.conflicts,
    stopped,
    journalHead: count.journalHead,
    warnings,
  }
}
