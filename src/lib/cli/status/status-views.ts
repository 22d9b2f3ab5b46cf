/** The status of a plan as people see it: in full, and in one line. */

import type { StatusResult } from '../../batch/status.ts'
import { howMany } from '../../contract/core/count.ts'
import { fromMinorUnits, type JsonNumber, minorUnits } from '../../contract/core/decimal.ts'
import { onlyExistInWords } from '../batch/progress/figures.ts'
import { countView, discardedFact } from '../batch/views.ts'
import type { Block } from '../drawing/block.ts'
import type { View } from '../views/view.ts'

/** "2 of 3 workers have rows of it". */
function workersInWords({ withWorkers, isWorked }: StatusResult): string | null {
  if (withWorkers === null) return null
  const { present, working, handedAt, endedAt } = withWorkers
  const since = `handed over ${handedAt}`
  if (endedAt !== null) return `${since}, and through`
  if (!isWorked) return `${since}; they take no more of it`
  if (present === 0) return `${since}; none is there: \`paydesk worker start\``
  return `${since}; ${working} of ${present} ${working === 1 ? 'has' : 'have'} rows of it in work`
}

/** "3m 20s". */
export function ageInWords(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ] as const
  const from = parts.findIndex(([number]) => number > 0)
  return parts
    .slice(from < 0 ? 3 : from, (from < 0 ? 3 : from) + 2)
    .map(([number, unit]) => `${number}${unit}`)
    .join(' ')
}

function unknownAge({ at, unknownSince }: StatusResult): string | null {
  return unknownSince === null ? null : ageInWords(Date.parse(at) - Date.parse(unknownSince))
}

export function statusView(told: StatusResult): View {
  const age = unknownAge(told)
  const more = [
    discardedFact(told),
    ['workers', workersInWords(told)],
    ['rate', told.rowsPerSecond === null ? null : `${told.rowsPerSecond} rows/s`],
    ['oldest unknown', age === null ? null : `for ${age}`],
  ] as const
  return [
    ...countView(told).map((block) => (block.kind === 'facts' ? { ...block, rows: [...block.rows, ...more] } : block)),
    moneyTable(told.money),
  ]
}

const columns = [
  ['total', 'total', 'always'],
  ['accepted', 'accepted', 'always'],
  ['of it unpaid', 'notPaid', 'rare'],
  ['only exists', 'exists', 'rare'],
  ['on its way', 'sending', 'always'],
  ['unknown', 'unknown', 'always'],
  ['conflict', 'conflict', 'rare'],
  ['refused', 'refused', 'always'],
  ['left', 'left', 'always'],
] as const

/** Sums by currency; rare ones have a column only where there are any. */
function moneyTable(money: StatusResult['money']): Block {
  const told = columns.filter(([, name, need]) => need === 'always' || money.some((of) => unitsOf(of[name]) > 0n))
  return {
    kind: 'table',
    head: ['money', ...told.map(([head]) => head)],
    rows: money.map((of) => [of.currency, ...told.map(([, name]) => of[name])]),
    empty: '',
  }
}

function unitsOf(amount: JsonNumber): bigint {
  return minorUnits(String(amount)) ?? 0n
}

/** "120 of 300 rows: accepted 118 (GEL 147.50), refused 2; 2 of 3 workers". */
export function statusLine(told: StatusResult): string {
  const { rows, sending, held, withWorkers, rowsPerSecond, stopped, money } = told
  const counts = [
    ['refused', told.refused],
    ['unknown', told.unknown],
    ['unsent', told.unsent],
    ['turned away', told.turnedAway],
    ['held', held],
    ['on their way', sending],
  ] as const
  const taken = (of: (typeof money)[number]) => fromMinorUnits(unitsOf(of.accepted) + unitsOf(of.exists))
  const sums = money.map((of) => `${of.currency} ${taken(of)}`).join(' + ')
  const age = unknownAge(told)
  const exist = onlyExistInWords(told.exists)
  const accepted = `accepted ${told.accepted + told.exists} (${[sums, exist].filter((part) => part !== '').join(', ')})`
  const shown = counts.flatMap(([name, count]) => (count === 0 ? [] : [`${name} ${count}`]))
  return [
    `${told.accepted + told.exists + told.refused} of ${howMany(rows, 'row')}: ${[accepted, ...shown].join(', ')}`,
    ...(age === null ? [] : [`oldest unknown for ${age}`]),
    ...(withWorkers === null ? [] : [`${withWorkers.working} of ${howMany(withWorkers.present, 'worker')}`]),
    ...(rowsPerSecond === null ? [] : [`${rowsPerSecond} rows/s`]),
    ...(told.discardedAt === null ? [] : ['discarded']),
    ...(stopped === null ? [] : [`stopped: ${stopped}`]),
  ].join('; ')
}
