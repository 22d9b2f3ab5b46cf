/** Numbers of rows, and their sums by currency. */
import type { PlanRowRow } from '../../store/plans.ts'

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
