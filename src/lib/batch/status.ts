/** The status of a plan: its rows by state, who works on it, and since when a row is unknown. The service is not asked. */

import { fromMinorUnits, JsonNumber } from '../contract/core/decimal.ts'
import type { ThisProcess } from '../journal/lease.ts'
import type { ResultOf } from '../result.ts'
import { Count, countResultOf, SumsBy } from './count.ts'
import { isBeingRun } from './lease.ts'
import type { Plan } from './plan.ts'
import { type PlanStore, type Plans, planIn, type WithWorkers } from './plans.ts'
import type { statusResult } from './result.ts'
import { planStateOf, type Standing, standings } from './row-state.ts'
import { type RowOwner, readPlanRows, withOtherMachines } from './rows.ts'

export interface StatusParts {
  readonly desk: RowOwner
  readonly leaseHolder: ThisProcess
  readonly plans: Plans
  readonly store: PlanStore
  readonly plan: Plan
}

export type PlanStatus = Awaited<ReturnType<typeof readStatus>>

export async function readStatus({ desk, leaseHolder, plans, store, plan }: StatusParts) {
  // By the clock of the store.
  const at = new Date(store.clock.now()).toISOString()
  // The workers are read before the rows, so that the count contains what they had ended by then.
  const seen = await plans.withWorkers(plan.planId, leaseHolder)
  const isHad = await isBeingRun({ plans, leaseHolder, store }, plan.planId)
  const count = new Count(desk.journal)
  const sums = new SumsBy<Standing | 'sending'>([...standings, 'sending'])
  let unknownSince: string | null = null
  for await (const rows of readPlanRows(desk, leaseHolder, store)) {
    for (const each of rows) {
      const now = withOtherMachines(each, leaseHolder, at)
      count.add(now)
      sums.of(now.state === 'sending' ? 'sending' : planStateOf(now)).add(now.planned)
      const opened = now.state === 'unknown' ? (now.intent?.openedAt ?? null) : null
      if (opened !== null && (unknownSince === null || opened < unknownSince)) unknownSince = opened
    }
  }
  await desk.journal.headNow()
  // Rows that were sent before the plan was made do not count.
  const isUntouched = count.of('planned') + count.replayed >= count.rows && seen === null
  // If nothing is left to send, a lease that was read before the count means nothing any more.
  const isWorked = isHad && !count.isDone
  const discardedAt = (await planIn(store))?.discardedAt ?? null
  const isLeft = !isWorked && count.of('sending') === 0 && (!isUntouched || discardedAt !== null)
  // The plan may have been taken back since the workers were read: the last status gives the reason.
  const withWorkers = isLeft && seen?.stopped === null ? await plans.withWorkers(plan.planId, leaseHolder) : seen
  // Nobody will send more rows: all are sent, its run has ended, or it was taken back.
  const isOver = count.isDone || isLeft
  return { at, count, sums, unknownSince, withWorkers, discardedAt, isWorked, isOver }
}

export type StatusResult = ResultOf<typeof statusResult>

export function statusResultOf(plan: Plan, status: PlanStatus, rowsPerSecond: number | null = null): StatusResult {
  const { at, discardedAt, isWorked, isOver, unknownSince, withWorkers } = status
  return {
    ...countResultOf(plan, status.count, { stopped: withWorkers?.stopped ?? null }),
    ...{ at, discardedAt, isWorked, isOver, rowsPerSecond, unknownSince },
    withWorkers: withWorkers && workersResultOf(withWorkers),
    money: moneyOf(plan, status.sums),
  }
}

function workersResultOf({ handedAt, endedAt, rate, present, working }: WithWorkers) {
  return { handedAt, endedAt, rate, present, working }
}

function moneyOf({ totals }: Plan, sums: PlanStatus['sums']): StatusResult['money'] {
  return Object.entries(totals).map(([currency, total]) => {
    const sum = (...of: readonly (Standing | 'sending')[]) =>
      amount(of.reduce((units, each) => units + BigInt(sums.of(each).totals[currency] ?? '0'), 0n))
    return {
      ...{ currency, total: amount(BigInt(total)) },
      accepted: sum('paid', 'accepted', 'not-paid'),
      notPaid: sum('not-paid'),
      exists: sum('exists'),
      sending: sum('sending'),
      unknown: sum('unknown'),
      conflict: sum('conflict'),
      refused: sum('refused'),
      left: sum('unsent'),
    }
  })
}

function amount(units: bigint): JsonNumber {
  return new JsonNumber(fromMinorUnits(units))
}
