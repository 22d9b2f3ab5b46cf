/**
 * The progress of a run, or of a wait: a bar at a terminal, a line every ten seconds elsewhere, an event for each row
 * with --output ndjson. A row is done when it has a definite end.
 */
import type { Count } from '../../batch/count.ts'
import { type Plan, totalsInWords } from '../../batch/plan.ts'
import type { PlannedRow } from '../../batch/row-state.ts'
import type { RowEvent } from '../../batch/run.ts'
import type { RowsUnderWay, Scheduler } from '../../batch/scheduler.ts'
import type { WaitParts } from '../../batch/wait.ts'
import { fromMinorUnits, JsonNumber } from '../../contract/core/decimal.ts'
import { howMany } from '../../contract/core/text.ts'
import { payoutEnd } from '../../contract/payout/status.ts'
import { printableJson } from '../../json.ts'
import { typedForm } from '../flags/typed-line.ts'
import type { Invocation } from '../invocation.ts'
import { progressLines } from '../output/progress-line.ts'
import { fittingParts, type LinePart, screenWidth } from '../output/terminal.ts'

/** The states beside those that are taken, as people read them. */
const others = [
  ['refused', 'refused'],
  ['unknown', 'unknown'],
  ['unsent', 'unsent'],
  ['turned-away', 'turned away'],
  ['held', 'held'],
] as const

/** The remark on rows that only exist, among those that are taken: their sums are not confirmed. Empty where there is none. */
export function onlyExistInWords(exists: number): string {
  return exists === 0 ? '' : `of which ${howMany(exists, 'only exists', 'only exist')}`
}

function figuresOf(count: Count) {
  const { totals } = count.sums('accepted', 'exists')
  return {
    accepted: `accepted ${count.of('accepted') + count.of('exists')}`,
    exist: onlyExistInWords(count.of('exists')),
    money: Object.keys(totals).length === 0 ? '' : totalsInWords(totals),
    others: others
      .flatMap(([state, words]) => (count.of(state) === 0 ? [] : [`${words} ${count.of(state)}`]))
      .join(', '),
  }
}

/** "accepted 120 (GEL 1500.00, of which 3 only exist), refused 2, unknown 1". */
function figuresInWords(count: Count): string {
  const { accepted, exist, money, others } = figuresOf(count)
  const within = [money, exist].filter((part) => part !== '').join(', ')
  return [within === '' ? accepted : `${accepted} (${within})`, others].filter((part) => part !== '').join(', ')
}

/** The parts of a bar; what is taken and the remark on it stand together, or not at all. */
function figureParts(count: Count): readonly LinePart[] {
  const { accepted, exist, money, others } = figuresOf(count)
  return [
    [2, exist === '' ? accepted : `${accepted}, ${exist}`],
    [1, money === '' ? '' : `(${money})`],
    [4, others],
  ]
}

/** Milliseconds of a pause that is over before it is read. */
const shortPause = 1_000

/** The pause that holds rows back now, "21 s"; empty where there is none worth telling. */
function pauseInWords({ open, isEnding, pausedFor }: RowsUnderWay): string {
  const holdsRows = open > 0 || !isEnding
  return holdsRows && pausedFor > shortPause ? timeInWords(Math.ceil(pausedFor / 1000)) : ''
}

/** The reasons for which rows wait, in words; empty while there are none. */
export function openInWords(underWay: RowsUnderWay): string {
  const { open, atService, holdsBack, isEnding } = underWay
  const pause = pauseInWords(underWay)
  const rows = `${howMany(open, 'row has', 'rows have')} no answer yet and ${open === 1 ? 'is' : 'are'} sent again`
  const said = [
    isEnding ? 'no more rows are sent' : '',
    // Nothing else is left that takes its time.
    isEnding && open + atService === 0 ? 'waiting for the store' : '',
    open > 0 ? rows : '',
    open > 0 && holdsBack ? 'no new rows are sent' : '',
    pause === '' ? '' : `the service asks to wait ${pause} more`,
  ]
  return said.filter((each) => each !== '').join('; ')
}

/** The same in a bar. */
export function openParts(underWay: RowsUnderWay): readonly LinePart[] {
  const { open, holdsBack, isEnding } = underWay
  const pause = pauseInWords(underWay)
  return [
    [6, open > 0 && (holdsBack || isEnding) ? `no answer yet ${open}` : ''],
    [7, pause === '' ? '' : `asked to wait ${pause}`],
    [5, holdsBack ? 'new rows wait' : ''],
    [5, isEnding ? 'ending' : ''],
  ]
}

/** "13/s, 27 s left"; empty while nothing is known of it. `left`: rows that this run still takes up. */
function speedInWords(done: number, left: number, milliseconds: number): string {
  if (done <= 0 || milliseconds <= 0) return ''
  const perSecond = (done * 1000) / milliseconds
  const rate = perSecond >= 1 ? `${Math.round(perSecond)}/s` : `${Math.max(1, Math.round(perSecond * 60))}/min`
  return left === 0 ? rate : `${rate}, ${timeInWords(Math.ceil(left / perSecond))} left`
}

/** "27 s", "3 min", "1 h 20 min". */
export function timeInWords(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

type Line = Pick<Scheduler, 'underWay'>

/** The progress of a run: a bar at a terminal, a line every ten seconds elsewhere, an event for each row with `--output ndjson`. */
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
const betweenLines = 10_000

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
  const line = progressLines(invocation).begin((columns) => {
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

/** The progress of a wait: a bar at a terminal, a line every ten seconds elsewhere, an event for each row with `--output ndjson`. */
interface WaitProgress extends Pick<WaitParts, 'final' | 'round'> {
  /** Gives the terminal back, however the wait ended. */
  readonly close: () => void
}

export async function progressOfWait(invocation: Invocation, plan: Plan): Promise<WaitProgress> {
  const { line, edge, output } = invocation
  const isEvents = typedForm(line) === 'ndjson'
  if (!isEvents && !output.machine && edge.stderr.isTTY) return waitBar(invocation, plan)
  return { ...waitLines(invocation, plan), ...(isEvents ? { final: waitEvents(invocation) } : {}) }
}

function waitEvents({ edge }: Invocation): WaitProgress['final'] {
  return (row, status) => void edge.stdout.write(`${printableJson(rowEvent(row, { status }))}\n`)
}

function waitLines({ edge, output }: Invocation, plan: Plan): WaitProgress {
  let due = edge.clock.now()
  return {
    final: () => undefined,
    round: (open, pause) => {
      if (edge.clock.now() < due) return
      due = edge.clock.now() + betweenLines
      output.say(
        `${open} of ${howMany(plan.rows, 'row')} ${open === 1 ? 'is' : 'are'} not final; next look in ${pause / 1000} s`,
      )
    },
    close: () => undefined,
  }
}

function waitBar(invocation: Invocation, { rows }: Plan): WaitProgress {
  let [paid, others] = [0, 0]
  // Rows that were final before are known only when a round has passed over all of them.
  let known = 0
  const line = progressLines(invocation).begin((columns) => {
    const parts = [...(paid > 0 ? [`paid ${paid}`] : []), ...(others > 0 ? [`not paid ${others}`] : [])]
    return progressLine(
      Math.min(rows, known),
      rows,
      [
        [1, 'final'],
        [2, parts.join(', ')],
      ],
      columns,
    )
  })
  return {
    final: (_row, status) => {
      if (payoutEnd(status) === 'paid') paid += 1
      else others += 1
      known += 1
      line.draw()
    },
    round: (open) => {
      known = rows - open
      line.draw()
    },
    close: () => line.end(),
  }
}
