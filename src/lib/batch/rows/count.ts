/** The rows of a plan by state: their number, and their sums by currency. They add up to the plan, always. */
import type { Journal } from '../../journal/journal.ts'
import { type RowState, rowStates } from './row-states.ts'
import type { PlannedRow } from './state.ts'

export class Count {
  readonly #since: string
  readonly #journal: Pick<Journal, 'head'>
  #replayed = 0
  readonly #counts = new Map<RowState, number>()
  readonly #units = new Map<RowState, Map<string, bigint>>()

  /** `since`: when the plan was first made, ISO text. */
  constructor(since: string, journal: Pick<Journal, 'head'>) {
    this.#since = since
    this.#journal = journal
  }

  /** The head of the journal that they were counted in. */
  get journalHead(): string | null {
    return this.#journal.head
  }

  add({ state, planned, intent, isTakenKey }: PlannedRow): void {
    this.#change(state, planned, 1)
    if (intent && !isTakenKey && intent.openedAt < this.#since) this.#replayed += 1
  }

  /** A row goes from one state to another. */
  move(from: RowState, { state, planned }: Pick<PlannedRow, 'state' | 'planned'>): void {
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

  #change(state: RowState, { amount_minor, currency }: PlannedRow['planned'], by: 1 | -1): void {
    this.#counts.set(state, this.of(state) + by)
    const units = this.#units.get(state) ?? new Map<string, bigint>()
    units.set(currency, (units.get(currency) ?? 0n) + BigInt(by) * BigInt(amount_minor))
    this.#units.set(state, units)
  }
}
