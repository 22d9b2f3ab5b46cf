/** Advice on what is left to do with a plan. */
import { blank, type Hint, hint, paste } from '../../hint.ts'
import type { Standing } from './standing.ts'

/** `rows`: their number by standing. */
export function nextSteps(
  { planId, consent }: { readonly planId: string; readonly consent: string },
  rows: (standing: Standing) => number,
): readonly Hint[] {
  const reconcile = paste('payout reconcile', blank('<uniqueId>'), '--transaction-id', blank('<n>'))
  const results = paste('batch results', planId, '--dir', '.')
  const steps: readonly (readonly [number, Hint])[] = [
    [
      rows('unknown'),
      hint`Never pay a row of unknown outcome anew. \`${paste('batch resume', planId, '--confirm', consent)}\` resolves it under its own id; what another command sent, \`${paste('resume', '--all')}\`.`,
    ],
    [
      rows('unsent'),
      hint`Rows that were not sent: \`${paste('batch resume', planId, '--confirm', consent)}\` sends them, held ones \`${paste('resume', blank('<journalId>'))}\` when they fit.`,
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
