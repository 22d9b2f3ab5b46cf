/** The progress of a run: a bar at a terminal, a line every ten seconds elsewhere, an event for each row with `--output ndjson`. */

import type { SingleBar } from 'cli-progress'
import type { Plan } from '../../batch/plan/plan.ts'
import type { Count } from '../../batch/rows/count.ts'
import type { PlannedRow } from '../../batch/rows/state.ts'
import type { RowEvent } from '../../batch/run/run.ts'
import { fromMinorUnits, JsonNumber } from '../../contract/core/decimal.ts'
import type { Edge } from '../../edge.ts'
import { writeJson } from '../../json.ts'
import { toldColumns } from '../drawing/columns.ts'
import { typedForm } from '../flags/typed.ts'
import type { Invocation } from '../invocation.ts'
import { plainBar } from '../output/bar.ts'

export interface Progress {
  readonly tell: (event: RowEvent, count: Count) => void
  /** The figures of a look, where another process does the work. */
  readonly seen: (count: Count) => void
  /** The last figures. */
  readonly end: (count: Count) => void
  /** Gives the terminal back, however the run ended. */
  readonly close: () => void
}

/** Milliseconds between two lines where there is no terminal. */
export const betweenLines = 10_000

export async function progressOf(invocation: Invocation, plan: Plan, before: Count): Promise<Progress> {
  if (typedForm(invocation.line) === 'ndjson') return events(invocation)
  const { edge, output } = invocation
  if (output.machine || !edge.stderr.isTTY) return lines(invocation, plan)
  return bar(invocation, plan, before)
}

/** A row as an event tells it; `more` stands beside its state. */
export function rowEvent<More extends object>({ planned, intent, state }: PlannedRow, more: More) {
  return {
    row: planned.number,
    state,
    ...more,
    key: planned.business_key,
    uniqueId: planned.unique_id,
    amount: new JsonNumber(fromMinorUnits(BigInt(planned.amount_minor))),
    currency: planned.currency,
    transactionId: intent?.transactionId ?? null,
    journalId: intent?.journalId ?? null,
  }
}

function events({ edge, output }: Invocation): Progress {
  return {
    tell: ({ row, failure }) => {
      const why = failure === null ? null : output.redactor.clean(failure.message)
      edge.stdout.write(`${writeJson({ ...rowEvent(row, {}), why })}\n`)
    },
    seen: () => undefined,
    end: () => undefined,
    close: () => undefined,
  }
}

function lines({ edge, output }: Invocation, plan: Plan): Progress {
  let due = edge.clock.now() + betweenLines
  const seen = (count: Count) => {
    if (edge.clock.now() < due) return
    due = edge.clock.now() + betweenLines
    output.say(`${doneOf(count)} of ${plan.rows}: ${figures(count)}`)
  }
  return {
    tell: (_event, count) => seen(count),
    seen,
    end: () => undefined,
    close: () => undefined,
  }
}

/** A bar on the terminal of a person. `wide` is its form from 60 columns on. */
export function barAt(edge: Edge, wide: string, narrow: string): Promise<SingleBar> {
  return plainBar(edge, (toldColumns(edge.stderr) ?? 80) >= 60 ? wide : narrow)
}

async function bar({ edge }: Invocation, plan: Plan, before: Count): Promise<Progress> {
  const drawn = await barAt(
    edge,
    '{bar} {value}/{total} {rate}/s {eta_formatted} {figures}',
    '{value}/{total} {figures}',
  )
  const start = edge.clock.now()
  const done = doneOf(before)
  const told = (count: Count) => {
    const seconds = Math.max(0.001, (edge.clock.now() - start) / 1000)
    return { figures: figures(count), rate: Math.round((doneOf(count) - done) / seconds) }
  }
  drawn.start(plan.rows, done, told(before))
  return {
    tell: (_event, count) => drawn.update(doneOf(count), told(count)),
    seen: (count) => drawn.update(doneOf(count), told(count)),
    end: (count) => drawn.update(doneOf(count), told(count)),
    close: () => drawn.stop(),
  }
}

function doneOf(count: Count): number {
  return count.rows - count.of('planned') - count.of('sending')
}

/** "accepted 120 (GEL 1500.00), refused 2, unknown 1". */
function figures(count: Count): string {
  const money = [...count.units('accepted', 'exists')].filter(([, units]) => units > 0n)
  const sums = money.map(([currency, units]) => `${currency} ${fromMinorUnits(units)}`).join(' + ')
  const accepted = count.of('accepted') + count.of('exists')
  const parts = [
    `accepted ${accepted}${sums === '' ? '' : ` (${sums})`}`,
    ...(['refused', 'unknown', 'unsent', 'held'] as const).map((state) =>
      count.of(state) === 0 ? '' : `${state} ${count.of(state)}`,
    ),
  ]
  return parts.filter((part) => part !== '').join(', ')
}
