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
      hint`Never pay a row of unknown outcome anew. \`${resumeLine(plan)}\` resolves it under its own id; what another command sent, \`${paste('resume', '--all')}\`.`,
    ],
    [
      byHand.otherSums,
      hint`Rows of which another sum, or two ends, were told: no run resolves them, and they are not to be paid again. When a statement or the service's staff names the transaction of one, \`${reconcile}\`.`,
    ],
    [
      byHand.otherPayments,
      hint`Rows whose key stands for another payment of unknown outcome: resolve that payment first, \`${paste('resume', blank('<journalId>'))}\`.`,
    ],
    [
      rows('unsent'),
      stale === null
        ? hint`Rows that were not sent: \`${resumeLine(plan)}\` sends them, held ones \`${paste('resume', blank('<journalId>'))}\` when they fit.`
        : hint`Rows that were not sent stay so, for the plan sends no row any more: ${stale}. ${replanHint(plan)}`,
    ],
    [
      rows('exists'),
      hint`Rows that only exist: ask the service for their transactions, then \`${reconcile}\`; do not pay them again.`,
    ],
    [
      rows('conflict'),
      hint`Rows in conflict may be paid already, and are not sent again: compare each with \`${paste('journal show', blank('<journalId>'))}\` before it is paid under another key; where the service has the id, ask it for the transaction, then \`${reconcile}\`.`,
    ],
    [rows('accepted'), hint`Accepted rows are not final: \`${paste('batch wait', planId)}\` waits for them.`],
    [
      rows('refused'),
      hint`\`${results}\` writes refused.csv: mend it and plan it again, with the same column of keys.`,
    ],
    [
      rows('not-paid'),
      hint`Rows that were accepted and not paid need a new id: pay them again in another file, under keys of their own.`,
    ],
  ]
  return steps.flatMap(([count, step]) => (count === 0 ? [] : [step]))
}

/** The hint while a run or workers have the plan. */
export function stillRunningHint({ planId }: Plan): Hint {
  return hint`A run, or workers, go on with it: \`${paste('batch wait', planId)}\` waits on, \`${paste('batch status', planId)}\` says how far they are.`
}
