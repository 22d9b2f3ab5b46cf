/** A look at a plan as its command tells it. */
import { fromMinorUnits, JsonNumber } from '../../contract/core/decimal.ts'
import type { ResultOf } from '../../result.ts'
import type { Standing } from '../papers/standing.ts'
import type { Plan } from '../plan/plan.ts'
import type { WithWorkers } from '../plans/plans.ts'
import { countTold } from '../rows/told.ts'
import type { PlanLook } from './look.ts'
import type { statusResult } from './result.ts'

export type StatusTold = ResultOf<typeof statusResult>

/** The standings of each sum: every standing stands in one of them. */
const sumsOf = {
  accepted: ['paid', 'accepted', 'not-paid'],
  exists: ['exists'],
  sending: ['sending'],
  unknown: ['unknown'],
  conflict: ['conflict'],
  refused: ['refused'],
  left: ['unsent'],
} as const satisfies Readonly<Record<string, readonly (Standing | 'sending')[]>>

export function statusTold(plan: Plan, look: PlanLook, rowsPerSecond: number | null = null): StatusTold {
  const { at, discardedAt, isWorked, isOver, unknownSince, withWorkers } = look
  return {
    ...countTold(plan, look.count, { stopped: withWorkers?.stopped ?? null }),
    ...{ at, discardedAt, isWorked, isOver, rowsPerSecond, unknownSince },
    withWorkers: withWorkers && workersTold(withWorkers),
    money: moneyOf(plan, look.sums),
  }
}

function workersTold({ handedAt, endedAt, rate, present, working }: WithWorkers) {
  return { handedAt, endedAt, rate, present, working }
}

function moneyOf({ totals }: Plan, sums: PlanLook['sums']): StatusTold['money'] {
  return Object.entries(totals).map(([currency, total]) => {
    const sum = (...of: readonly (Standing | 'sending')[]) =>
      amount(of.reduce((units, each) => units + BigInt(sums.of(each).totals[currency] ?? '0'), 0n))
    return {
      ...{ currency, total: amount(BigInt(total)) },
      accepted: sum(...sumsOf.accepted),
      notPaid: sum('not-paid'),
      exists: sum(...sumsOf.exists),
      sending: sum(...sumsOf.sending),
      unknown: sum(...sumsOf.unknown),
      conflict: sum(...sumsOf.conflict),
      refused: sum(...sumsOf.refused),
      left: sum(...sumsOf.left),
    }
  })
}

function amount(units: bigint): JsonNumber {
  return new JsonNumber(fromMinorUnits(units))
}
