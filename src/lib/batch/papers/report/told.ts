/** A report as JSON and tables print it. */
import { fromMinorUnits, JsonNumber } from '../../../contract/core/decimal.ts'
import { hintInWords, type Naming } from '../../../hint.ts'
import type { ResultOf } from '../../../result.ts'
import { ownStaleness, type Plan, planTotals } from '../../plan/plan.ts'
import { factsTold } from '../../plan/planned.ts'
import type { reportResult } from '../../result.ts'
import { ownIntent, type PaperLine } from '../lines.ts'
import { goingOn, nextSteps } from '../next.ts'
import { type Standing, standings } from '../standing.ts'
import type { Gathered } from './gathered.ts'

export type ReportTold = ResultOf<typeof reportResult>
export type ReportLine = ReportTold['lines'][number]

export function reportLine(line: PaperLine): ReportLine {
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

/** The lines that are left to do, in words. `now`: milliseconds since 1970. */
export function stepsInWords(plan: Plan, all: Gathered, now: number, naming?: Naming): readonly string[] {
  // No other line takes up the rows that a run has in its hands.
  const left = (standing: Standing) => (all.isWorked && standing === 'unsent' ? 0 : all.sums.of(standing).rows)
  const rows = (standing: Standing) => left(standing) - (standing === 'unknown' ? all.sending : 0)
  const next = nextSteps(plan, ownStaleness(plan, now), rows, all.byHand)
  const steps = [...(all.isWorked ? [goingOn(plan)] : []), ...next]
  return steps.map((step) => hintInWords(step, naming))
}

export function reportTold(
  plan: Plan,
  all: Gathered,
  about: {
    readonly now: number
    readonly path: string | null
    readonly head: string | null
    readonly naming?: Naming
  },
): ReportTold {
  return {
    ...factsTold(plan),
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
    lines: all.lines.map(reportLine),
    moreLines: plan.rows - all.lines.length,
  }
}
