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

/** Milliseconds between two lines where there is no terminal. */
const betweenLines = 10_000

interface Drawn {
  /** True for a bar, which may be drawn as often as anything changes. */
  readonly inPlace: boolean
  /** Shows the figures as they are now, at once or soon. */
  readonly draw: () => void
  /** Gives the terminal back, however the command ended. */
  readonly close: () => void
}

/** Shows figures while a command works: `bar` in place at a terminal, elsewhere `line` every ten seconds from `first` on. */
function drawFigures(
  invocation: Invocation,
  bar: (columns: number) => string,
  line: () => string,
  first: number,
): Drawn {
  const { edge, output } = invocation
  if (!output.machine && edge.stderr.isTTY) {
    const drawn = progressLines(invocation).begin(bar)
    return { inPlace: true, draw: drawn.draw, close: drawn.end }
  }
  let due = edge.clock.now() + first
  const draw = () => {
    if (edge.clock.now() < due) return
    due = edge.clock.now() + betweenLines
    output.say(line())
  }
  return { inPlace: false, draw, close: () => undefined }
}

const isEvents = ({ line }: Invocation) => typedForm(line) === 'ndjson'

function writeEvent({ edge }: Invocation, event: object): void {
  edge.stdout.write(`${printableJson(event)}\n`)
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

/** The progress of a run. */
export interface Progress {
  readonly tell: (event: RowEvent, count: Count) => void
  /** Shows these figures: of a look where another process does the work, and the last ones. */
  readonly show: (count: Count) => void
  /** From now on rows leave by this scheduler. */
  readonly watch: (scheduler: Pick<Scheduler, 'underWay'>) => void
  readonly close: () => void
}

/** Milliseconds between two looks at the clock while no row ends. */
const second = 1_000

const nothingUnderWay: RowsUnderWay = {
  ...{ open: 0, pausing: 0, atService: 0, holdsBack: false, isEnding: false, pausedFor: 0 },
}

export function progressOf(invocation: Invocation, plan: Plan, before: Count): Progress {
  const { edge, output } = invocation
  const start = edge.clock.now()
  let now = before
  let scheduler: Pick<Scheduler, 'underWay'> = { underWay: nothingUnderWay }
  const bar = (columns: number) => {
    const { underWay } = scheduler
    // Rows that are not sent any more have no time left.
    const left = underWay.isEnding ? 0 : now.toGo.rows
    // Nor does what was measured hold while the service asks for a pause.
    const isClosed = pauseInWords(underWay) !== ''
    const speed = isClosed ? '' : speedInWords(now.ended - before.ended, left, edge.clock.now() - start)
    return progressLine(now.ended, plan.rows, [...openParts(underWay), [3, speed], ...figureParts(now)], columns)
  }
  const line = () => {
    const open = openInWords(scheduler.underWay)
    return `${now.ended} of ${howMany(plan.rows, 'row')}: ${figuresInWords(now)}${open === '' ? '' : `; ${open}`}`
  }
  const drawn = drawFigures(invocation, bar, line, betweenLines)
  const stop = edge.every(second, drawn.draw)
  const show = (count: Count) => {
    now = count
    drawn.draw()
  }
  return {
    tell: ({ row, failure }, count) => {
      const why = failure === null ? null : output.redactor.clean(failure.message)
      if (isEvents(invocation)) writeEvent(invocation, { ...rowEvent(row, {}), why })
      show(count)
    },
    show,
    watch: (given) => {
      scheduler = given
    },
    close: () => {
      stop()
      drawn.close()
    },
  }
}

/** The progress of a wait for the payouts of a plan. */
interface WaitProgress extends Pick<WaitParts, 'final' | 'round'> {
  readonly close: () => void
}

export function progressOfWait(invocation: Invocation, { rows }: Plan): WaitProgress {
  let [paid, notPaid] = [0, 0]
  // Rows that were final before are known only when a round has passed over all of them.
  let known = 0
  let next = 0
  const bar = (columns: number) => {
    const parts = [...(paid > 0 ? [`paid ${paid}`] : []), ...(notPaid > 0 ? [`not paid ${notPaid}`] : [])]
    const figures: readonly LinePart[] = [
      [1, 'final'],
      [2, parts.join(', ')],
    ]
    return progressLine(Math.min(rows, known), rows, figures, columns)
  }
  const line = () => {
    const open = rows - known
    return `${open} of ${howMany(rows, 'row')} ${open === 1 ? 'is' : 'are'} not final; next look in ${next / 1000} s`
  }
  const drawn = drawFigures(invocation, bar, line, 0)
  return {
    final: (row, status) => {
      if (payoutEnd(status) === 'paid') paid += 1
      else notPaid += 1
      known += 1
      if (isEvents(invocation)) writeEvent(invocation, rowEvent(row, { status }))
      if (drawn.inPlace) drawn.draw()
    },
    round: (open, pause) => {
      known = rows - open
      next = pause
      drawn.draw()
    },
    close: drawn.close,
  }
}
