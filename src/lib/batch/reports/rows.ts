/** The rows of a plan for reports, each with its standing and the reason for it. */

import { howMany } from '../../contract/core/text.ts'
import { payoutStatusFacts } from '../../contract/payout/status.ts'
import { Failure } from '../../failure.ts'
import { hint, paste } from '../../hint.ts'
import { RowSums } from '../count.ts'
import type { LeaseParts } from '../lease.ts'
import { totalsInWords } from '../plan.ts'
import type { Plans } from '../plans.ts'
import { rowReason } from '../reason.ts'
import { type PlannedRow, type Standing, standingOf } from '../row-state.ts'
import { type RowOwner, readPlanRows } from '../rows.ts'
import type { RunParts } from '../run.ts'
import { beforeInWords, findSentBefore, type SentBefore } from '../sent-before.ts'

export interface ReportParts extends Pick<RunParts, 'holding' | 'store' | 'plan'> {
  readonly desk: RowOwner
  readonly plans: LeaseParts['plans'] & Pick<Plans, 'withRows'>
  /** Removes secrets from words of the service. */
  readonly clean: (text: string) => string
}

export interface ReportRow extends PlannedRow {
  readonly standing: Standing
  /** The code of the service, if it gave one. */
  readonly code: number | null
  /** The reason for the standing, in words; null if the standing says it all. */
  readonly why: string | null
  /** The payment before the plan was made: nothing moved for this plan. Null if there is none. */
  readonly before: SentBefore | null
}

/**
 * The rows in the order of the file, piece by piece. Throws bug (1) after the last row if they do not add up to the plan: then no
 * report is written.
 */
export async function* readReportRows(parts: ReportParts): AsyncGenerator<readonly ReportRow[]> {
  const { desk, holding, store, plan } = parts
  const sums = new RowSums()
  for await (const rows of readPlanRows(desk, holding, store)) {
    for (const { planned } of rows) sums.add(planned)
    const lines: ReportRow[] = []
    const before = await findSentBefore(parts, rows)
    for (const row of rows) lines.push(await reportRowOf(parts, row, before.get(row.planned) ?? null))
    yield lines
  }
  const [found, asked] = [totalsInWords(sums.totals), totalsInWords(plan.totals)]
  if (found === asked && sums.rows === plan.rows) return
  throw new Failure(
    'bug',
    `${howMany(sums.rows, 'row')} of ${found} ${sums.rows === 1 ? 'does' : 'do'} not add up to the plan: ${howMany(plan.rows, 'row')} of ${asked}`,
    {
      hints: [hint`\`${paste('batch show', plan.planId)}\` shows its rows; no file was written.`],
    },
  )
}

async function reportRowOf(
  { desk, clean }: ReportParts,
  row: PlannedRow,
  before: SentBefore | null,
): Promise<ReportRow> {
  const standing = standingOf(row)
  const { code, words } = await rowReason(desk.journal, row)
  const reasons = [before && beforeInWords(before), words ?? standingInWords(row, standing)].filter(
    (each) => each !== null,
  )
  return { ...row, standing, code, before, why: reasons.length === 0 ? null : clean(reasons.join('; ')) }
}

function standingInWords({ intent, state }: PlannedRow, standing: Standing): string | null {
  if (standing === 'not-paid') {
    const means = payoutStatusFacts(intent?.status ?? '')?.means ?? null
    return wordsAndMeaning(intent?.statusDescription ?? null, means)
  }
  if (standing === 'exists') return 'the service says that it has it; the amount is not confirmed: do not pay it again'
  if (state === 'sending') return 'another run has it in flight'
  return state === 'held' ? (intent?.because ?? 'over a limit, or waiting for an approval') : null
}

/** The words of the service about a status, and its meaning: of the meaning only what they do not say already. */
export function wordsAndMeaning(words: string | null, means: string | null): string {
  if (!words || !means) return words || means || ''
  const all = means.split(', ')
  const more = all.filter((each) => !words.toLowerCase().includes(each.toLowerCase()))
  return more.length === all.length ? `${words}: ${means}` : [words, ...more].join(', ')
}
