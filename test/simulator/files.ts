/** Files of payouts that simulated persons have. */

import type { Count } from '../../src/lib/batch/count.ts'
import type { BatchFile, BatchRow, RowRequest } from '../../src/lib/batch/read/row.ts'
import { rowStates } from '../../src/lib/batch/row-state.ts'
import { minorUnits } from '../../src/lib/contract/core/decimal.ts'
import type { World } from './world.ts'

export interface File {
  readonly name: string
  readonly rows: readonly BatchRow[]
}

/** Rows of few kinds, so that some are alike; a part with keys that single payouts use, too. */
export function fileOf({ dice, receiver }: World, name: string, apart = 1): File {
  const keys = new Set<string>()
  const rows = Array.from({ length: 2 + dice.below(6) }, (_, at): BatchRow => {
    const key = dice.chance(0.5) ? `payroll:${dice.below(6)}` : null
    const isFree = key !== null && !keys.has(key)
    if (isFree) keys.add(key)
    const request: RowRequest = {
      amount: dice.pick(['12.50', '0.02', '99.99']),
      currency: dice.pick(['GEL', 'GEL', 'USD']),
      description: 'Salary',
      receiverType: receiver.receiverType,
      receiverId: dice.chance(0.9) ? receiver.receiverId : dice.random().uuid(),
    }
    return { kind: 'row', number: at * apart + 2, request, key: isFree ? key : null, source: [], payment: null }
  })
  return { name, rows }
}

export function countsOf(count: Count): Readonly<Record<string, number>> {
  return Object.fromEntries(rowStates.map((state) => [state, count.of(state)]))
}

export function read({ name, rows }: File): BatchFile {
  async function* each() {
    yield* rows
  }
  const totals = new Map<string, bigint>()
  for (const { request } of rows) {
    const { currency, amount } = request
    totals.set(currency, (totals.get(currency) ?? 0n) + (minorUnits(String(amount)) ?? 0n))
  }
  return {
    ...{ name, format: 'csv', encoding: 'UTF-8', delimiter: 'comma', headers: [], rows: each() },
    summary: () => ({ rows: rows.length, refused: 0, totals, message: null }),
  }
}
