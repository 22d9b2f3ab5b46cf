/** The status of a plan as people see it: in full, and in one line. */

import type { StatusTold } from '../../batch/status/told.ts'
import { howMany } from '../../contract/core/count.ts'
import { countView, discardedFact } from '../batch/views.ts'
import type { View } from '../views/view.ts'

/** "2 of 3 workers have rows of it". */
function workersInWords({ withWorkers, isWorked }: StatusTold): string | null {
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

function unknownAge({ at, unknownSince }: StatusTold): string | null {
  return unknownSince === null ? null : ageInWords(Date.parse(at) - Date.parse(unknownSince))
}

export function statusView(told: StatusTold): View {
  const age = unknownAge(told)
  const more = [
    discardedFact(told),
    ['workers', workersInWords(told)],
    ['rate', told.rowsPerSecond === null ? null : `${told.rowsPerSecond} rows/s`],
    ['oldest unknown', age === null ? null : `for ${age}`],
  ] as const
  const sums = told.money.map(({ currency, total, accepted, sending, unknown, refused, left }) => [
    ...[currency, total, accepted, sending, unknown, refused, left],
  ])
  return [
    ...countView(told).map((block) => (block.kind === 'facts' ? { ...block, rows: [...block.rows, ...more] } : block)),
    {
      kind: 'table',
      head: ['money', 'total', 'accepted', 'on its way', 'unknown', 'refused', 'left'],
      rows: sums,
      empty: '',
    },
  ]
}

/** "120 of 300 rows: accepted 118 (GEL 147.50), refused 2; 2 of 3 workers". */
export function statusLine(told: StatusTold): string {
  const { rows, planned, sending, held, withWorkers, rowsPerSecond, stopped, money } = told
  const counts = [
    ['refused', told.refused],
    ['unknown', told.unknown],
    ['unsent', told.unsent],
    ['turned away', told.turnedAway],
    ['held', held],
    ['on their way', sending],
  ] as const
  const sums = money.map(({ currency, accepted }) => `${currency} ${accepted}`).join(' + ')
  const age = unknownAge(told)
  const taken = `accepted ${told.accepted + told.exists} (${sums})`
  const shown = counts.flatMap(([name, count]) => (count === 0 ? [] : [`${name} ${count}`]))
  return [
    `${rows - planned - sending} of ${howMany(rows, 'row')}: ${[taken, ...shown].join(', ')}`,
    ...(age === null ? [] : [`oldest unknown for ${age}`]),
    ...(withWorkers === null ? [] : [`${withWorkers.working} of ${howMany(withWorkers.present, 'worker')}`]),
    ...(rowsPerSecond === null ? [] : [`${rowsPerSecond} rows/s`]),
    ...(told.discardedAt === null ? [] : ['discarded']),
    ...(stopped === null ? [] : [`stopped: ${stopped}`]),
  ].join('; ')
}
