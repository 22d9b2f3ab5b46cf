/** Sums of listed payouts by day, currency and payee, in minor units: nothing is rounded, and currencies are never added together. */
import { fromMinorUnits, JsonNumber, minorUnits } from '../contract/core/decimal.ts'
import type { ResultOf } from '../result.ts'
import type { listTotalsResult } from './result.ts'
import type { ListedRow } from './row.ts'

export type ListTotals = ResultOf<typeof listTotalsResult>

/** What a payout counts as; the others were never sent, or wait here. */
export const counted = ['accepted', 'unknown', 'refused'] as const
export type Counted = (typeof counted)[number]

/** Null for a payout that does not count: held, unsent, turned away. */
export function countsAs({ state, end, inDoubt, unresolved }: ListedRow): Counted | null {
  if (unresolved.length > 0 || inDoubt !== null) return 'unknown'
  if (state === 'refused' || end === 'not-paid') return 'refused'
  return state === 'accepted' || state === 'exists' ? 'accepted' : null
}

type Sums = Record<Counted, { count: number; units: bigint }>

function noSums(): Sums {
  const none = () => ({ count: 0, units: 0n })
  return { accepted: none(), unknown: none(), refused: none() }
}

function shown(sums: Sums) {
  const one = ({ count, units }: Sums[Counted]) => ({ count, amount: new JsonNumber(fromMinorUnits(units)) })
  return { accepted: one(sums.accepted), unknown: one(sums.unknown), refused: one(sums.refused) }
}

function compared(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

export class Totals {
  readonly #dayOf: (openedAt: string) => string
  readonly #rows = new Map<
    string,
    { day: string; currency: string; name: string | null; account: string; sums: Sums }
  >()
  readonly #all = new Map<string, Sums>()

  constructor(dayOf: (openedAt: string) => string) {
    this.#dayOf = dayOf
  }

  add(row: ListedRow): void {
    const as = countsAs(row)
    const units = row.amount === null ? null : minorUnits(row.amount.text)
    if (as === null || units === null) return
    const { account, name, currency } = { ...row, currency: row.currency ?? '' }
    const day = this.#dayOf(row.openedAt)
    const key = JSON.stringify([day, currency, account])
    const total = this.#rows.get(key) ?? { day, currency, name, account, sums: noSums() }
    this.#rows.set(key, { ...total, name: total.name ?? name })
    const all = this.#all.get(currency) ?? noSums()
    this.#all.set(currency, all)
    for (const sums of [total.sums, all]) {
      sums[as].count += 1
      sums[as].units += units
    }
  }

  result(): Pick<ListTotals, 'rows' | 'totals'> {
    const rows = [...this.#rows.values()].toSorted(
      (one, other) =>
        compared(other.day, one.day) ||
        compared(one.currency, other.currency) ||
        compared(one.name ?? '', other.name ?? '') ||
        compared(one.account, other.account),
    )
    const totals = [...this.#all].toSorted(([one], [other]) => compared(one, other))
    return {
      rows: rows.map(({ sums, ...about }) => ({ ...about, ...shown(sums) })),
      totals: totals.map(([currency, sums]) => ({ currency, ...shown(sums) })),
    }
  }
}
