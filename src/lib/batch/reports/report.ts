/** The report of a plan: its rows are read once, added up by standing and over time, and printed as JSON or a table. */

import { fromMinorUnits, JsonNumber } from '../../contract/core/decimal.ts'
import { howMany } from '../../contract/core/text.ts'
import { payoutStatusFacts } from '../../contract/payout/status.ts'
import { Failure } from '../../failure.ts'
import { hint, hintInWords, type Naming, paste } from '../../hint.ts'
import type { ResultOf } from '../../result.ts'
import { RowSums, SumsBy } from '../count.ts'
import { isBeingRun, type LeaseParts } from '../lease.ts'
import { ownStaleness, type Plan, planTotals, totalsInWords } from '../plan.ts'
import { planFactsOf } from '../plan-result.ts'
import type { Plans } from '../plans.ts'
import { rowReason } from '../reason.ts'
import type { reportResult } from '../result.ts'
import {
  isRunnable,
  ownIntent,
  type PlannedRow,
  planStateOf,
  type ResultFileName,
  RowsForPerson,
  resultFileNames,
  resultFileOf,
  type Standing,
  standings,
  wasSentBefore,
} from '../row-state.ts'
import { type RowOwner, readPlanRows } from '../rows.ts'
import type { RunParts } from '../run.ts'
import { describeSentBefore, findSentBefore, type SentBefore, SentBeforeSummary } from '../sent-before.ts'
import { nextSteps, stillRunningHint } from './next-steps.ts'

export type ReportResult = ResultOf<typeof reportResult>
export type ReportLine = ReportResult['lines'][number]

export function reportLineOf(line: ReportRow): ReportLine {
  const { planned, state, standing, code, why } = line
  const own = ownIntent(line)
  return {
    row: planned.number,
    state,
    standing,
    status: own?.status ?? null,
    key: planned.business_key,
    uniqueId: planned.unique_id,
    amount: new JsonNumber(fromMinorUnits(BigInt(planned.amount_minor))),
    currency: planned.currency,
    payee: planned.payee,
    transactionId: own?.transactionId ?? null,
    journalId: line.intent?.journalId ?? null,
    code,
    why,
    sentBefore: line.before?.at ?? null,
    sentByPlan: line.before?.plan?.planId ?? null,
  }
}

/** What is left to do, in words. `now`: milliseconds since 1970. */
export function stepsInWords(plan: Plan, all: GatheredReport, now: number, naming?: Naming): readonly string[] {
  // Rows that a run still sends need nobody else.
  const left = (standing: Standing) => (all.isWorked && standing === 'unsent' ? 0 : all.sums.of(standing).rows)
  const rows = (standing: Standing) => left(standing) - (standing === 'unknown' ? all.sending : 0)
  const next = nextSteps(plan, ownStaleness(plan, now), rows, all.byHand)
  const steps = [...(all.isWorked ? [stillRunningHint(plan)] : []), ...next]
  return steps.map((step) => hintInWords(step, naming))
}

export function reportResultOf(
  plan: Plan,
  all: GatheredReport,
  about: {
    readonly now: number
    readonly path: string | null
    readonly head: string | null
    readonly naming?: Naming
  },
): ReportResult {
  return {
    ...planFactsOf(plan),
    at: new Date(about.now).toISOString(),
    isWorked: all.isWorked,
    journalHead: about.head,
    standings: standings.map((standing) => {
      const sums = all.sums.of(standing)
      return { standing, rows: sums.rows, totals: planTotals(sums.totals) }
    }),
    replayed: all.before.rows,
    warnings: [...all.before.warnings],
    next: [...stepsInWords(plan, all, about.now, about.naming)],
    path: about.path,
    lines: all.lines.map(reportLineOf),
    moreLines: plan.rows - all.lines.length,
  }
}

export interface KeptRows {
  readonly first: number
  /** Of each standing. */
  readonly ofEach: number
}

export class GatheredReport {
  readonly sums = new SumsBy<Standing>(standings)
  readonly timeline = new Timeline()
  readonly byHand = new RowsForPerson()
  /** True if a run or workers may send rows of the plan. */
  isWorked = false
  /** Rows that a run still sends or resolves, and those among them that are in flight. */
  toGo = 0
  sending = 0
  /** Rows that were sent before the plan was made; the timeline is without them. */
  readonly before = new SentBeforeSummary()
  /** The first rows, in the order of the file. */
  readonly lines: ReportRow[] = []
  readonly #kept: KeptRows
  readonly #first = new Map<Standing, ReportRow[]>()

  constructor(kept: KeptRows) {
    this.#kept = kept
  }

  add(line: ReportRow): void {
    const { standing, planned, intent, isTakenKey } = line
    this.sums.of(standing).add(planned)
    this.byHand.add(line)
    if (isRunnable(line)) this.toGo += 1
    if (line.state === 'sending') this.sending += 1
    const own = this.#first.get(standing) ?? []
    if (own.length < this.#kept.ofEach) own.push(line)
    this.#first.set(standing, own)
    if (this.lines.length < this.#kept.first) this.lines.push(line)
    if (line.before) this.before.add(planned, line.before)
    if (intent && !isTakenKey && !wasSentBefore(line))
      this.timeline.add(Date.parse(intent.openedAt), resultFileOf[standing])
  }

  of(standing: Standing): readonly ReportRow[] {
    return this.#first.get(standing) ?? []
  }
}

/** Reads all rows of a plan; `also` gets each piece of them, too. */
export async function gatherReport(
  parts: ReportParts,
  kept: KeptRows,
  also: (lines: readonly ReportRow[]) => Promise<void> = async () => undefined,
): Promise<GatheredReport> {
  const all = new GatheredReport(kept)
  const wasWorked = await isBeingRun(parts, parts.plan.planId)
  for await (const lines of readReportRows(parts)) {
    for (const line of lines) all.add(line)
    await also(lines)
  }
  const isHad = wasWorked || (await isBeingRun(parts, parts.plan.planId))
  all.isWorked = (isHad && all.toGo > 0) || all.sending > 0
  return all
}

// Rows over time, in steps of seconds, minutes, hours or days, as the time they took requires.

/** Seconds of a step; each is a multiple of the step before. */
const lengths = [1, 5, 15, 30, 60, 300, 900, 1800, 3600, 10_800, 21_600, 43_200, 86_400, 604_800, 2_419_200]
const mostSteps = 60

interface Step {
  /** Milliseconds since 1970. */
  readonly from: number
  readonly counts: Readonly<Record<ResultFileName, number>>
}

const none = () => ({ ok: 0, refused: 0, unknown: 0, unsent: 0 })

export class Timeline {
  /** By second since 1970. */
  readonly #counts = new Map<number, Record<ResultFileName, number>>()
  #first = Number.POSITIVE_INFINITY
  #last = Number.NEGATIVE_INFINITY

  add(moment: number, file: ResultFileName): void {
    const second = Math.floor(moment / 1000)
    const counts = this.#counts.get(second) ?? none()
    counts[file] += 1
    this.#counts.set(second, counts)
    this.#first = Math.min(this.#first, second)
    this.#last = Math.max(this.#last, second)
  }

  /** Milliseconds of a step. */
  get length(): number {
    const place = (second: number, length: number) => Math.floor(second / length)
    const fits = (length: number) => place(this.#last, length) - place(this.#first, length) < mostSteps
    return (lengths.find(fits) ?? 2_419_200) * 1000
  }

  /** From the first to the last step, empty steps too. */
  get steps(): readonly Step[] {
    if (this.#counts.size === 0) return []
    const { length } = this
    const seconds = length / 1000
    const first = Math.floor(this.#first / seconds)
    const steps = Array.from({ length: Math.floor(this.#last / seconds) - first + 1 }, (_, at) => ({
      from: (first + at) * length,
      counts: none(),
    }))
    for (const [second, counts] of this.#counts) {
      const step = steps[Math.floor(second / seconds) - first]
      if (step) for (const name of resultFileNames) step.counts[name] += counts[name]
    }
    return steps
  }
}

// The rows of a plan for reports, each with its standing and the reason for it.

export interface ReportParts extends Pick<RunParts, 'leaseHolder' | 'store' | 'plan'> {
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
  const { desk, leaseHolder, store, plan } = parts
  const sums = new RowSums()
  for await (const rows of readPlanRows(desk, leaseHolder, store)) {
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
  const standing = planStateOf(row)
  const { code, words } = await rowReason(desk.journal, row)
  const reasons = [before && describeSentBefore(before), words ?? describePlanState(row, standing)].filter(
    (each) => each !== null,
  )
  return { ...row, standing, code, before, why: reasons.length === 0 ? null : clean(reasons.join('; ')) }
}

function describePlanState({ intent, state }: PlannedRow, standing: Standing): string | null {
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
