/** The money that is open now: on its way, or unknown because no definite answer came. */
import { limitedOperations } from '../../contract/payout/limited.ts'
import type { ServicePlace } from '../../contract/service.ts'
import { type OpenSum, openSums } from '../../store/journal/open-sums.ts'
import type { Journal } from '../journal.ts'
import type { Holding } from './holder.ts'

export interface OpenMoney {
  /** Payments whose requests are on their way: minor units by currency. */
  readonly inFlight: ReadonlyMap<string, bigint>
  /** Those of them that this process has on their way. */
  readonly own: ReadonlyMap<string, bigint>
  readonly unknown: {
    readonly payments: number
    readonly units: ReadonlyMap<string, bigint>
    /** The age of the oldest in milliseconds, by the clock of the store; null where there is none. */
    readonly oldest: number | null
  }
}

/** True if a request may be on its way: its holder is there, or is elsewhere and its lease stands. */
function isUnderWay({ holder, isLeased }: OpenSum, { standing }: Pick<Holding, 'standing'>): boolean {
  const state = holder === null ? 'gone' : standing(holder)
  return state === 'alive' || (state === 'unknown' && isLeased)
}

function add(sums: Map<string, bigint>, { currency, units }: OpenSum): void {
  sums.set(currency, (sums.get(currency) ?? 0n) + units)
}

/** `now`: milliseconds since 1970. */
export function openMoneyOf(
  sums: readonly OpenSum[],
  { now, holding }: { readonly now: number; readonly holding: Pick<Holding, 'self' | 'standing'> },
): OpenMoney {
  const [inFlight, own, units] = [new Map<string, bigint>(), new Map<string, bigint>(), new Map<string, bigint>()]
  let payments = 0
  let oldest: number | null = null
  for (const sum of sums) {
    if (isUnderWay(sum, holding)) {
      add(inFlight, sum)
      if (sum.holder === holding.self) add(own, sum)
      continue
    }
    add(units, sum)
    payments += sum.payments
    oldest = Math.max(oldest ?? 0, now - Date.parse(sum.oldest))
  }
  return { inFlight, own, unknown: { payments, units, oldest } }
}

/** The payouts that are open, of one client of a service or, with null, of all. */
export function openPayouts(journal: Pick<Journal, 'ask'>, place: ServicePlace | null): Promise<OpenMoney> {
  return journal.ask(async (db, { now, holding }) => {
    const sums = await openSums(db, { place, operations: limitedOperations, now: new Date(now).toISOString() })
    return openMoneyOf(sums, { now, holding })
  })
}
