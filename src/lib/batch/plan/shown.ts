/** A plan with its rows, each as the journal knows it. */

import { fromMinorUnits, JsonNumber } from '../../contract/core/decimal.ts'
import type { ResultOf } from '../../result.ts'
import { RowDoubts } from '../read/check.ts'
import type { shownResult } from '../result.ts'
import { largestOf } from '../rows/largest.ts'
import type { RowOwner } from '../rows/owner.ts'
import { type Reason, rowReason } from '../rows/reason.ts'
import type { RowState } from '../rows/row-states.ts'
import { executionDateOf, type PlannedRow, requestOfRow, rowsOfPlan } from '../rows/state.ts'
import type { RunParts } from '../run/run.ts'
import { factsTold } from './planned.ts'

export type ShownPlan = ResultOf<typeof shownResult>
export type RowTold = ShownPlan['shown'][number]

/** The first rows of a state, and the number of the others; of every state where none is named. */
export async function shownPlan(
  {
    desk,
    holding,
    store,
    plan,
  }: Pick<RunParts, 'holding' | 'store' | 'plan'> & {
    readonly desk: RowOwner
  },
  { state, limit }: { readonly state: RowState | null; readonly limit: number },
): Promise<ShownPlan> {
  const shown: RowTold[] = []
  const doubts = new RowDoubts(desk.journal.moment.now)
  let found = 0
  for await (const rows of rowsOfPlan(desk, holding, store)) {
    const wanted = rows.filter((row) => state === null || row.state === state)
    found += wanted.length
    for (const { planned } of wanted) {
      doubts.add(planned.number, requestOfRow(planned), executionDateOf(planned))
    }
    for (const row of wanted.slice(0, limit - shown.length)) {
      shown.push(rowTold(row, await rowReason(desk.journal, row)))
    }
    // Of all states the plan knows their number.
    if (state === null && shown.length >= limit) break
  }
  const moreRows = (state === null ? plan.rows : found) - shown.length
  return { ...factsTold(plan), largest: await largestOf(plan, store), shown, moreRows, warnings: [...doubts.inWords] }
}

function rowTold({ planned, intent, state, isTakenKey }: PlannedRow, { words }: Reason): RowTold {
  return {
    row: planned.number,
    state,
    key: planned.business_key,
    uniqueId: planned.unique_id,
    amount: new JsonNumber(fromMinorUnits(BigInt(planned.amount_minor))),
    currency: planned.currency,
    payee: planned.payee,
    transactionId: isTakenKey ? null : (intent?.transactionId ?? null),
    status: isTakenKey ? null : (intent?.status ?? null),
    journalId: intent?.journalId ?? null,
    because: words,
  }
}
