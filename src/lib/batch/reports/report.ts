/** The report of a plan: its rows are read once, added up by standing and over time, and printed as JSON or a table. */
import { fromMinorUnits, JsonNumber } from '../../contract/core/decimal.ts'
import { hintInWords, type Naming } from '../../hint.ts'
import type { ResultOf } from '../../result.ts'
import { SumsBy } from '../count.ts'
import { isBeingRun } from '../lease.ts'
import { ownStaleness, type Plan, planTotals } from '../plan.ts'
import { planFactsOf } from '../plan-result.ts'
import type { reportResult } from '../result.ts'
import {
  isRunnable,
  ownIntent,
  type ResultFileName,
  RowsForPerson,
  resultFileNames,
  resultFileOf,
  type Standing,
  standings,
  wasSentBefore,
} from '../row-state.ts'
import { SentBeforeSummary } from '../sent-before.ts'
import { nextSteps, stillRunningHint } from './next-steps.ts'
import { type ReportParts, type ReportRow, readReportRows } from './rows.ts'

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

/** How many rows are kept in full. */
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

  /** The first rows of a standing. */
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

  add(moment: number, paper: ResultFileName): void {
    const second = Math.floor(moment / 1000)
    const counts = this.#counts.get(second) ?? none()
    counts[paper] += 1
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
