/** Plans, their counts and their status as people see them. */
import type { CountResult } from '../../batch/count.ts'
import type { PlanResult } from '../../batch/plan-file.ts'
import type { StatusResult } from '../../batch/status.ts'
import { fromMinorUnits, type JsonNumber, minorUnits } from '../../contract/core/decimal.ts'
import { howMany } from '../../contract/core/text.ts'
import { type Block, textView, type View } from '../output/view.ts'
import { onlyExistInWords } from './progress.ts'

/** "GEL 120.00 + USD 5.00". */
export function sumsInWords(totals: PlanResult['totals']): string {
  return Object.entries(totals)
    .map(([currency, amount]) => `${currency} ${amount}`)
    .join(' + ')
}

/** "GEL 5000.00 (row 2), USD 12.00 (row 9)". */
function largestInWords(largest: PlanResult['largest']): string {
  return Object.entries(largest)
    .map(([currency, { row, amount }]) => `${currency} ${amount} (row ${row})`)
    .join(', ')
}

type PlanFactsTold = Pick<
  PlanResult,
  'planId' | 'file' | 'format' | 'rows' | 'totals' | 'profile' | 'environment' | 'expiresAt' | 'discardedAt'
> &
  Partial<Pick<PlanResult, 'largest' | 'approval'>>

export function discardedFact({ discardedAt }: Pick<PlanResult, 'discardedAt'>) {
  return ['discarded', discardedAt === null ? null : `${discardedAt}; no more rows are sent`] as const
}

/** "needs 1 approver: `paydesk approval request b-3f9a1c2b7d10`". */
function approvalInWords({ planId, approval = null }: PlanFactsTold): string | null {
  if (approval === null) return null
  const { needs, approvalId } = approval
  const line = approvalId === null ? `approval request ${planId}` : `approval approve ${approvalId}`
  return `needs ${howMany(needs, 'approver')}: \`paydesk ${line}\``
}

/** The facts of a plan. */
export function planFacts(plan: PlanFactsTold) {
  return [
    ['file', `${plan.file} (${plan.format})`],
    ['rows', plan.rows],
    ['total', sumsInWords(plan.totals)],
    ['largest row', plan.largest ? largestInWords(plan.largest) : null],
    ['profile', `${plan.profile} (${plan.environment})`],
    ['approval', approvalInWords(plan)],
    ['good until', plan.discardedAt === null ? plan.expiresAt : null],
    discardedFact(plan),
  ] as const
}

export function planView(planned: PlanResult): View {
  const { planId, replayed, firstTime, known, otherAccounts, renewed } = planned
  return [
    {
      kind: 'facts',
      title: renewed ? `Plan ${planId}, renewed` : `Plan ${planId}`,
      rows: [
        ...planFacts(planned),
        ['sent before', replayed === 0 ? null : `${howMany(replayed, 'row')}, not sent again`],
        [
          'CAUTION',
          otherAccounts === 0
            ? null
            : `${howMany(otherAccounts, 'row has', 'rows have')} a name and an account that do not belong together`,
        ],
        ['listed payees', known === 0 ? null : known],
        ['first payment', firstTime === 0 ? null : `to ${howMany(firstTime, 'beneficiary', 'beneficiaries')}`],
        ...planned.balances.map(
          ({ currency, amount, covers }) =>
            ['balance', amount === null ? null : `${currency} ${amount}${covers ? '' : ', too little'}`] as const,
        ),
      ],
    },
    ...textView(
      replayed === planned.rows
        ? `Nothing new to pay: every row was sent before. How they ended: paydesk batch status ${planId}`
        : `Pay it: paydesk batch run ${planId} --confirm "${planned.consent}"`,
    ),
  ]
}

/** "… and 280 more rows; all of them: `paydesk batch show b-3f9a1c2b7d10 --limit 300`". */
export function moreRowsView(more: number, line: string): View {
  return more === 0 ? [] : [{ kind: 'text', text: `… and ${howMany(more, 'more row')}; to see all: \`${line}\`` }]
}

export function countView(told: CountResult): View {
  const among = (part: number, rows: Readonly<Record<string, number>>) => {
    const words = Object.entries(rows).flatMap(([word, count]) => (count === 0 ? [] : [word]))
    return part === 0 ? 0 : `${part} of the ${words.join(' and ')}`
  }
  const { notPaid, conflicts, accepted, exists, refused, unknown } = told
  const counts: readonly (readonly [string, number | string])[] = [
    ['accepted', accepted],
    ['exists', exists],
    ['ended unpaid', among(notPaid, { accepted, existing: exists })],
    ['refused', refused],
    ['turned away', told.turnedAway],
    ['unsent', told.unsent],
    ['unknown', unknown],
    ['held', told.held],
    ['sending', told.sending],
    ['planned', told.planned],
    ['conflicts', among(conflicts, { refused, unknown })],
  ]
  return [
    {
      kind: 'facts',
      title: `Plan ${told.planId}`,
      rows: [
        ['rows', told.rows],
        ['total', sumsInWords(told.totals)],
        ...counts.map(([name, count]) => [name, count === 0 ? null : count] as const),
        ['sent before', told.replayed === 0 ? null : told.replayed],
        ['stopped', told.stopped],
        ['journal head', told.journalHead],
      ],
    },
  ]
}

/** "2 of 3 workers have rows of it". */
function workersInWords({ withWorkers, isWorked }: StatusResult): string | null {
  if (withWorkers === null) return null
  const { present, working, handedAt, endedAt } = withWorkers
  const since = `handed over ${handedAt}`
  if (endedAt !== null) return `${since}, and through`
  if (!isWorked) return `${since}; they take no more rows of it`
  if (present === 0) return `${since}; no worker runs: \`paydesk worker start\``
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
  ['in flight', 'sending', 'always'],
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
    ['in flight', sending],
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
