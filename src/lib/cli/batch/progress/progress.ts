/** The progress of a run: a bar at a terminal, a line every ten seconds elsewhere, an event for each row with `--output ndjson`. */

import type { Plan } from '../../../batch/plan/plan.ts'
import type { Count } from '../../../batch/rows/count.ts'
import type { PlannedRow } from '../../../batch/rows/state.ts'
import type { RowEvent } from '../../../batch/run/run.ts'
import { fromMinorUnits, JsonNumber } from '../../../contract/core/decimal.ts'
import { writeJson } from '../../../json.ts'
import { fittingParts, type LinePart } from '../../drawing/parts.ts'
import { screenWidth } from '../../drawing/words.ts'
import { typedForm } from '../../flags/typed.ts'
import type { Invocation } from '../../invocation.ts'
import { drawnLines } from '../../output/bar.ts'

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

/** Columns of a bar: as many as there is room for. */
const barColumns = { least: 6, most: 20 }

/** The figures of a progress on one line, with a bar in front where there is room for one. */
export function progressLine(done: number, of: number, figures: readonly LinePart[], columns: number): string {
  const line = fittingParts([[Number.POSITIVE_INFINITY, `${done}/${of}`], ...figures], columns)
  const room = Math.min(barColumns.most, columns - screenWidth(line) - 1)
  if (room < barColumns.least) return line
  const full = of === 0 ? room : Math.floor((room * done) / of)
  return `${'█'.repeat(full)}${'░'.repeat(room - full)} ${line}`
}

function bar(invocation: Invocation, plan: Plan, before: Count): Progress {
  const { edge } = invocation
  const start = edge.clock.now()
  let now = before
  const line = drawnLines(invocation).begin((columns) => {
    const speed = speedInWords(doneOf(now) - doneOf(before), plan.rows - doneOf(now), edge.clock.now() - start)
    const { accepted, money, others } = figuresOf(now)
    const worth: readonly LinePart[] = [
      [3, speed],
      [2, accepted],
      [1, money],
      [4, others],
    ]
    return progressLine(doneOf(now), plan.rows, worth, columns)
  })
  const seen = (count: Count) => {
    now = count
    line.draw()
  }
  return { tell: (_event, count) => seen(count), seen, end: seen, close: () => line.end() }
}

/** "13/s, 27 s left"; empty while nothing is known of it. */
function speedInWords(done: number, left: number, milliseconds: number): string {
  if (done <= 0 || milliseconds <= 0) return ''
  const perSecond = (done * 1000) / milliseconds
  const rate = perSecond >= 1 ? `${Math.round(perSecond)}/s` : `${Math.max(1, Math.round(perSecond * 60))}/min`
  return left === 0 ? rate : `${rate}, ${timeInWords(Math.ceil(left / perSecond))} left`
}

function timeInWords(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

function doneOf(count: Count): number {
  return count.rows - count.of('planned') - count.of('sending')
}

function figuresOf(count: Count) {
  const money = [...count.units('accepted', 'exists')].filter(([, units]) => units > 0n)
  const sums = money.map(([currency, units]) => `${currency} ${fromMinorUnits(units)}`).join(' + ')
  const others = (['refused', 'unknown', 'unsent', 'held'] as const).flatMap((state) =>
    count.of(state) === 0 ? [] : [`${state} ${count.of(state)}`],
  )
  return {
    accepted: `accepted ${count.of('accepted') + count.of('exists')}`,
    money: sums === '' ? '' : `(${sums})`,
    others: others.join(', '),
  }
}

/** "accepted 120 (GEL 1500.00), refused 2, unknown 1". */
function figures(count: Count): string {
  const { accepted, money, others } = figuresOf(count)
  return [money === '' ? accepted : `${accepted} ${money}`, others].filter((part) => part !== '').join(', ')
}
