/** The progress of a run: a bar at a terminal, a line every ten seconds elsewhere, an event for each row with `--output ndjson`. */

import type { Count } from '../../../batch/count.ts'
import type { Plan } from '../../../batch/plan.ts'
import type { PlannedRow } from '../../../batch/row-state.ts'
import type { RowEvent } from '../../../batch/run.ts'
import type { Scheduler } from '../../../batch/scheduler.ts'
import { fromMinorUnits, JsonNumber } from '../../../contract/core/decimal.ts'
import { howMany } from '../../../contract/core/text.ts'
import { printableJson } from '../../../json.ts'
import { fittingParts, type LinePart } from '../../drawing/parts.ts'
import { screenWidth } from '../../drawing/words.ts'
import { typedForm } from '../../flags/typed.ts'
import type { Invocation } from '../../invocation.ts'
import { drawnLines } from '../../output/bar.ts'
import { figureParts, figuresInWords, openInWords, openParts, pauseInWords, speedInWords } from './figures.ts'

type Line = Pick<Scheduler, 'underWay'>

export interface Progress {
  readonly tell: (event: RowEvent, count: Count) => void
  /** The figures of a look, where another process does the work. */
  readonly seen: (count: Count) => void
  /** From now on rows leave by this line. */
  readonly watch: (line: Line) => void
  /** The last figures. */
  readonly end: (count: Count) => void
  /** Gives the terminal back, however the run ended. */
  readonly close: () => void
}

/** Milliseconds between two lines where there is no terminal. */
export const betweenLines = 10_000

/** Milliseconds between two looks at the clock while no row ends. */
const second = 1_000

export async function progressOf(invocation: Invocation, plan: Plan, before: Count): Promise<Progress> {
  if (typedForm(invocation.line) === 'ndjson') return events(invocation)
  const { edge, output } = invocation
  if (output.machine || !edge.stderr.isTTY) return lines(invocation, plan, before)
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
      edge.stdout.write(`${printableJson({ ...rowEvent(row, {}), why })}\n`)
    },
    seen: () => undefined,
    watch: () => undefined,
    end: () => undefined,
    close: () => undefined,
  }
}

/** A line for every so many milliseconds, whether a row ended meanwhile or not. */
function lines({ edge, output }: Invocation, plan: Plan, before: Count): Progress {
  let [now, due] = [before, edge.clock.now() + betweenLines]
  const watched = watching()
  const say = () => {
    if (edge.clock.now() < due) return
    due = edge.clock.now() + betweenLines
    const [figures, open] = [figuresInWords(now), openInWords(watched.underWay())]
    output.say(`${now.ended} of ${howMany(plan.rows, 'row')}: ${figures}${open === '' ? '' : `; ${open}`}`)
  }
  const seen = (count: Count) => {
    now = count
    say()
  }
  return {
    tell: (_event, count) => seen(count),
    seen,
    watch: watched.watch,
    end: () => undefined,
    close: edge.every(second, say),
  }
}

/** The line that rows leave by, as soon as there is one. */
function watching() {
  let line: Line = { underWay: { open: 0, pausing: 0, atService: 0, holdsBack: false, isEnding: false, pausedFor: 0 } }
  const watch = (given: Line) => {
    line = given
  }
  return { watch, underWay: () => line.underWay }
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
  const watched = watching()
  const line = drawnLines(invocation).begin((columns) => {
    const underWay = watched.underWay()
    // Rows that are not sent any more have no time left.
    const left = underWay.isEnding ? 0 : now.toGo.rows
    const speed = speedInWords(now.ended - before.ended, left, edge.clock.now() - start)
    // Nor does what was measured hold while the service asks for a pause.
    const isClosed = pauseInWords(underWay) !== ''
    return progressLine(
      now.ended,
      plan.rows,
      [...openParts(underWay), [3, isClosed ? '' : speed], ...figureParts(now)],
      columns,
    )
  })
  const seen = (count: Count) => {
    now = count
    line.draw()
  }
  const stop = edge.every(second, () => line.draw())
  return {
    tell: (_event, count) => seen(count),
    seen,
    watch: watched.watch,
    end: seen,
    close: () => {
      stop()
      line.end()
    },
  }
}
