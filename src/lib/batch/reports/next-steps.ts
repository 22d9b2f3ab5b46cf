/** What a person has to do next with a plan. */
import { blank, type Hint, hint, paste } from '../../hint.ts'
import { type Plan, resumeLine } from '../plan.ts'
import type { RowsForPerson, Standing } from '../row-state.ts'
import { replanHint } from '../stop.ts'

/**
 * `rows`: the number of rows by standing. `byHand`: the unknown rows that no run resolves. `stale`: why the plan sends no new row any
 * more; null while it may.
 */
export function nextSteps(
  plan: Plan,
  stale: string | null,
  rows: (standing: Standing) => number,
  byHand: RowsForPerson,
): readonly Hint[] {
  const { planId } = plan
  const reconcile = paste('payout reconcile', blank('<uniqueId>'), '--transaction-id', blank('<n>'))
  const results = paste('batch results', planId, '--dir', '.')
  const steps: readonly (readonly [number, Hint])[] = [
    [
      rows('unknown') - byHand.rows,
      hint`Never pay an unknown row again. \`${resumeLine(plan)}\` resolves it under its own id; \`${paste('resume', '--all')}\` resolves payments of other commands.`,
    ],
    [
      byHand.otherSums,
      hint`Some rows were reported with another amount, or with two different outcomes. Do not pay them again. When a statement or the service's staff names the transaction, run \`${reconcile}\`.`,
    ],
    [
      byHand.otherPayments,
      hint`The key of some rows belongs to another payment with unknown outcome: resolve that payment first, \`${paste('resume', blank('<journalId>'))}\`.`,
    ],
    [
      rows('unsent'),
      stale === null
        ? hint`\`${resumeLine(plan)}\` sends the rows that were not sent; \`${paste('resume', blank('<journalId>'))}\` sends a held row once it is within the limits.`
        : hint`The plan sends no more rows: ${stale}. ${replanHint(plan)}`,
    ],
    [
      rows('exists'),
      hint`For rows that only exist at the service, ask it for their transactions, then run \`${reconcile}\`. Do not pay them again.`,
    ],
    [
      rows('conflict'),
      hint`Rows in conflict may already be paid and are not sent again. Compare each with \`${paste('journal show', blank('<journalId>'))}\` before you pay it under another key. If the service has the id, ask it for the transaction, then run \`${reconcile}\`.`,
    ],
    [rows('accepted'), hint`Accepted rows are not final: \`${paste('batch wait', planId)}\` waits for them.`],
    [rows('refused'), hint`\`${results}\` writes refused.csv: correct it and plan it with the same key column.`],
    [
      rows('not-paid'),
      hint`Rows that were accepted but not paid need a new id: pay them in another file, under new keys.`,
    ],
  ]
  return steps.flatMap(([count, step]) => (count === 0 ? [] : [step]))
}

export function stillRunningHint({ planId }: Plan): Hint {
  return hint`A run or workers are paying it: \`${paste('batch wait', planId)}\` waits, \`${paste('batch status', planId)}\` shows the progress.`
}
