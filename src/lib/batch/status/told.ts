/** A look at a plan as its command tells it. */
import { fromMinorUnits, JsonNumber } from '../../contract/core/decimal.ts'
import type { ResultOf } from '../../result.ts'
import type { Plan } from '../plan/plan.ts'
import type { WithWorkers } from '../plans/plans.ts'
import type { Count } from '../rows/count.ts'
import type { RowState } from '../rows/row-states.ts'
import { countTold } from '../rows/told.ts'
import type { PlanLook } from './look.ts'
import type { statusResult } from './result.ts'

export type StatusTold = ResultOf<typeof statusResult>

/** The states of each sum: every state stands in one of them. */
const sumsOf = {
  accepted: ['accepted', 'exists'],
  sending: ['sending'],
  unknown: ['unknown'],
  refused: ['refused'],
  left: ['planned', 'held', 'unsent', 'turned-away'],
} as const satisfies Readonly<Record<string, readonly RowState[]>>

export function statusTold(plan: Plan, look: PlanLook, rowsPerSecond: number | null = null): StatusTold {
  const { at, discardedAt, isWorked, isOver, unknownSince, withWorkers } = look
  return {
    ...countTold(plan, look.count, { stopped: withWorkers?.stopped ?? null }),
    ...{ at, discardedAt, isWorked, isOver, rowsPerSecond, unknownSince },
    withWorkers: withWorkers && workersTold(withWorkers),
    money: moneyOf(plan, look.count),
  }
}

function workersTold({ handedAt, endedAt, rate, present, working }: WithWorkers) {
  return { handedAt, endedAt, rate, present, working }
}

function moneyOf({ totals }: Plan, count: Count): StatusTold['money'] {
  return Object.entries(totals).map(([currency, total]) => {
    const sum = (...states: readonly RowState[]) => amount(count.units(...states).get(currency) ?? 0n)
    return {
      ...{ currency, total: amount(BigInt(total)) },
      accepted: sum(...sumsOf.accepted),
      sending: sum(...sumsOf.sending),
      unknown: sum(...sumsOf.unknown),
      refused: sum(...sumsOf.refused),
      left: sum(...sumsOf.left),
    }
  })
}

function amount(units: bigint): JsonNumber {
  return new JsonNumber(fromMinorUnits(units))
}
