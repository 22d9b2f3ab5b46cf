/** The figures of a run in words, the same in its bar, its lines and its status. A row is done when it has a definite end. */
import type { Count } from '../../../batch/count.ts'
import { totalsInWords } from '../../../batch/plan.ts'
import type { RowsUnderWay } from '../../../batch/scheduler.ts'
import { howMany } from '../../../contract/core/count.ts'
import type { LinePart } from '../../drawing/parts.ts'

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
export function figuresInWords(count: Count): string {
  const { accepted, exist, money, others } = figuresOf(count)
  const within = [money, exist].filter((part) => part !== '').join(', ')
  return [within === '' ? accepted : `${accepted} (${within})`, others].filter((part) => part !== '').join(', ')
}

/** The parts of a bar; what is taken and the remark on it stand together, or not at all. */
export function figureParts(count: Count): readonly LinePart[] {
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
export function pauseInWords({ open, isEnding, pausedFor }: RowsUnderWay): string {
  const holdsRows = open > 0 || !isEnding
  return holdsRows && pausedFor > shortPause ? timeInWords(Math.ceil(pausedFor / 1000)) : ''
}

/** The reasons for which rows wait, in words; empty while there are none. */
export function openInWords(underWay: RowsUnderWay): string {
  const { open, atService, holdsBack, isEnding } = underWay
  const pause = pauseInWords(underWay)
  const rows = `${howMany(open, 'row has', 'rows have')} no answer yet and ${open === 1 ? 'is' : 'are'} sent once more`
  const said = [
    isEnding ? 'no more rows are sent' : '',
    // Nothing else is left that takes its time.
    isEnding && open + atService === 0 ? 'the store is waited for' : '',
    open > 0 ? rows : '',
    open > 0 && holdsBack ? 'no new row is sent meanwhile' : '',
    pause === '' ? '' : `the service asks for ${pause} more`,
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
export function speedInWords(done: number, left: number, milliseconds: number): string {
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
