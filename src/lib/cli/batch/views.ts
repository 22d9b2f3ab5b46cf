/** Plans, their counts and their status as people see them. */
import type { CountResult } from '../../batch/count.ts'
import type { PlanResult } from '../../batch/plan-file.ts'
import type { StatusResult } from '../../batch/status.ts'
import { fromMinorUnits, type JsonNumber, minorUnits } from '../../contract/core/decimal.ts'
import { howMany } from '../../contract/core/text.ts'
import { type Block, factsOf, type Labels, labelled, tableOf, textView, unlessZero, type View } from '../output/view.ts'
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

/** A label of a plan that was discarded. */
export const discardedInWords = ({ discardedAt }: Pick<PlanResult, 'discardedAt'>) =>
  discardedAt === null ? null : `${discardedAt}; no more rows are sent`

export const totalInWords = ({ totals }: Pick<PlanResult, 'totals'>) => sumsInWords(totals)

/** "needs 1 approver: `paydesk approval request b-3f9a1c2b7d10`". */
function approvalInWords({ planId, approval = null }: PlanFactsTold): string | null {
  if (approval === null) return null
  const { needs, approvalId } = approval
  const line = approvalId === null ? `approval request ${planId}` : `approval approve ${approvalId}`
  return `needs ${howMany(needs, 'approver')}: \`paydesk ${line}\``
}

export const planLabels: Labels<PlanFactsTold> = {
  file: ({ file, format }) => `${file} (${format})`,
  rows: 'rows',
  total: totalInWords,
  'largest row': ({ largest }) => largest && largestInWords(largest),
  profile: ({ profile, environment }) => `${profile} (${environment})`,
  approval: approvalInWords,
  'good until': ({ discardedAt, expiresAt }) => (discardedAt === null ? expiresAt : null),
  discarded: discardedInWords,
}

const plannedLabels: Labels<PlanResult> = {
  'sent before': ({ replayed }) => (replayed === 0 ? null : `${howMany(replayed, 'row')}, not sent again`),
  CAUTION: ({ otherAccounts }) =>
    otherAccounts === 0
      ? null
      : `${howMany(otherAccounts, 'row has', 'rows have')} a name and an account that do not belong together`,
  'listed payees': unlessZero('known'),
  'first payment': ({ firstTime }) =>
    firstTime === 0 ? null : `to ${howMany(firstTime, 'beneficiary', 'beneficiaries')}`,
}

export function planView(planned: PlanResult): View {
  const { planId, replayed, rows, left, consent } = planned
  return [
    planBlock(planned),
    ...textView(
      replayed === rows
        ? `Nothing new to pay: every row was sent before. How they ended: paydesk batch status ${planId}`
        : left === 0
          ? `Nothing is left for a run to pay. How the rows ended: paydesk batch status ${planId}`
          : `Pay it: paydesk batch run ${planId} --confirm "${consent}"`,
    ),
  ]
}

/** A plan without the line that pays it. */
export function planBlock(planned: PlanResult): Block {
  const { planId, renewed } = planned
  const balances = planned.balances.map(({ currency, amount, covers }) => {
    return ['balance', amount === null ? null : `${currency} ${amount}${covers ? '' : ', too little'}`] as const
  })
  const rows = [...labelled(planned, planLabels), ...labelled(planned, plannedLabels), ...balances]
  return { kind: 'facts', title: renewed ? `Plan ${planId}, renewed` : `Plan ${planId}`, rows }
}

/** "… and 280 more rows; all of them: `paydesk batch show b-3f9a1c2b7d10 --limit 300`". */
export function moreRowsView(more: number, line: string): View {
  return more === 0 ? [] : textView(`… and ${howMany(more, 'more row')}; to see all: \`${line}\``)
}

/** "2 of the accepted and existing". */
function among(part: number, rows: Readonly<Record<string, number>>): string | null {
  const words = Object.entries(rows).flatMap(([word, count]) => (count === 0 ? [] : [word]))
  return part === 0 ? null : `${part} of the ${words.join(' and ')}`
}

const countLabels: Labels<CountResult> = {
  rows: 'rows',
  total: totalInWords,
  accepted: unlessZero('accepted'),
  exists: unlessZero('exists'),
  'ended unpaid': ({ notPaid, accepted, exists }) => among(notPaid, { accepted, existing: exists }),
  refused: unlessZero('refused'),
  'turned away': unlessZero('turnedAway'),
  unsent: unlessZero('unsent'),
  unknown: unlessZero('unknown'),
  held: unlessZero('held'),
  sending: unlessZero('sending'),
  planned: unlessZero('planned'),
  conflicts: ({ conflicts, refused, unknown }) => among(conflicts, { refused, unknown }),
  'sent before': unlessZero('replayed'),
  stopped: 'stopped',
  'journal head': 'journalHead',
}

export const countView = (count: CountResult): View => [factsOf(count, countLabels, `Plan ${count.planId}`)]

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

const statusLabels: Labels<StatusResult> = {
  ...(countLabels as Labels<StatusResult>),
  discarded: discardedInWords,
  workers: workersInWords,
  rate: ({ rowsPerSecond }) => (rowsPerSecond === null ? null : `${rowsPerSecond} rows/s`),
  'oldest unknown': (status) => {
    const age = unknownAge(status)
    return age && `for ${age}`
  },
}

export const statusView = (status: StatusResult): View => [
  factsOf(status, statusLabels, `Plan ${status.planId}`),
  moneyTable(status.money),
]

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
  const shown = columns.filter(([, name, need]) => need === 'always' || money.some((of) => unitsOf(of[name]) > 0n))
  return tableOf(money, { money: 'currency', ...Object.fromEntries(shown.map(([head, name]) => [head, name])) })
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
