/** The lists of payouts, orders and wallet orders as people, programs and spreadsheets see them. */
import { accountInWords } from '../../contract/core/iban.ts'
import { type Counted, counted, type ListTotals, type ThingList } from '../../listing/list.ts'
import type { ListedRow, ListedSubject } from '../../listing/row.ts'
import type { RowForms } from '../output/rows.ts'
import { type Zone, zonedTime } from '../time/zoned-time.ts'
import type { View } from '../views/view.ts'
import { type CellTone, type ListCell, type ListColumn, listBlock } from './drawn.ts'

const names: Readonly<Record<ListedSubject, string>> = {
  payout: 'payouts',
  order: 'orders',
  'wallet order': 'wallet orders',
}

/** The status, and before it what makes it doubtful. */
function standingInWords({ state, status, inDoubt, unresolved, journalId }: ListedRow): string {
  const own = state === 'accepted' ? (status ?? state) : [state, status].filter(Boolean).join(' ')
  const others = unresolved
    .filter((each) => each.journalId !== journalId)
    .map(({ operation }) => `${operation} unknown`)
  return [...(inDoubt === null ? [] : ['IN DOUBT']), own, ...others].join(', ')
}

function toneOf({ inDoubt, unresolved, state, end, moneyMoved, open }: ListedRow): CellTone {
  if (inDoubt !== null || unresolved.length > 0) return 'doubt'
  if (end === 'paid') return 'good'
  if (end === 'not-paid' || (state === 'refused' && moneyMoved === 'no')) return 'bad'
  return open ? 'doubt' : 'plain'
}

/** Null where the clocks were changed between the rows: then each says its own. */
function oneOffset(rows: readonly ListedRow[], zone: Zone): string | null {
  const offsets = new Set(rows.map(({ openedAt }) => zonedTime(Date.parse(openedAt), zone).offset))
  const [first = null] = offsets
  return offsets.size === 1 ? first : null
}

interface Shown {
  readonly column: ListColumn
  readonly cell: (row: ListedRow) => ListCell
}

function columnsOf(subject: ListedSubject, offset: string | null, zone: Zone): readonly Shown[] {
  const opened: Shown = {
    column: { head: offset === null ? 'made' : `made (${offset})` },
    cell: ({ openedAt }) => {
      const { date, time, offset: own } = zonedTime(Date.parse(openedAt), zone)
      return { text: `${date} ${time.slice(0, 5)}${offset === null ? own : ''}` }
    },
  }
  const to: Shown = {
    column: { head: 'to', least: 8 },
    cell: ({ name, account }) => ({ text: name ?? accountInWords(account) }),
  }
  const key: Shown = { column: { head: 'key', least: 8 }, cell: (row) => ({ text: row.key ?? '' }) }
  const extra = (head: string, of: (row: ListedRow) => string | null): Shown => ({
    column: { head, isExtra: true },
    cell: (row) => ({ text: of(row) ?? '' }),
  })
  return [
    { column: { head: 'id' }, cell: ({ journalId }) => ({ text: journalId }) },
    opened,
    subject === 'order' ? key : to,
    { column: { head: 'amount', align: 'right' }, cell: (row) => ({ text: sumOfRow(row) }) },
    { column: { head: 'status', least: 9 }, cell: (row) => ({ text: standingInWords(row), tone: toneOf(row) }) },
    ...(subject === 'payout'
      ? [extra('transaction', (row) => row.transactionId)]
      : [extra('order', (row) => row.uniqueId)]),
    extra('account', (row) => (row.name === null && subject !== 'order' ? null : accountInWords(row.account))),
    ...(subject === 'order' ? [] : [extra('key', (row) => row.key)]),
    extra('profile', (row) => row.profile),
  ]
}

function sumOfRow({ currency, amount }: ListedRow): string {
  return amount === null ? '' : [currency, amount].filter(Boolean).join(' ')
}

/** Every cell of a row, the same for each kind: what is missing leaves its place empty. */
const all: Readonly<Record<string, (row: ListedRow, zone: Zone) => string | null>> = {
  id: ({ journalId }) => journalId,
  made: ({ openedAt }, zone) => {
    const { date, time } = zonedTime(Date.parse(openedAt), zone)
    return `${date} ${time}`
  },
  // Without the letters a spreadsheet would take it for a formula.
  zone: ({ openedAt }, zone) => `UTC${zonedTime(Date.parse(openedAt), zone).offset}`,
  name: ({ name }) => name,
  account: ({ account }) => account,
  currency: ({ currency }) => currency,
  amount: ({ amount }) => amount?.text ?? null,
  state: ({ state }) => state,
  status: ({ status }) => status,
  moneyMoved: ({ moneyMoved }) => moneyMoved,
  remark: ({ inDoubt, because }) => inDoubt ?? because,
  uniqueId: ({ uniqueId }) => uniqueId,
  transactionId: ({ transactionId }) => transactionId,
  key: ({ key }) => key,
  profile: ({ profile }) => profile,
}

function cellsOf(row: ListedRow, zone: Zone): readonly string[] {
  return Object.values(all).map((cell) => cell(row, zone) ?? '')
}

export function listedView(subject: ListedSubject, { rows }: ThingList, zone: Zone): View {
  const shown = columnsOf(subject, oneOffset(rows, zone), zone)
  return listBlock({
    columns: shown.map(({ column }) => column),
    rows: rows.map((row) => shown.map(({ cell }) => cell(row))),
    card: [[0, 1], [2], [3, 4]],
    piped: rows.map((row) => cellsOf(row, zone)),
    empty: `No ${names[subject]} found.`,
  })
}

export function listedRowForms({ rows, warnings }: ThingList, zone: Zone): RowForms {
  return {
    rows: rows.map((row) => ({ ...row })),
    behind: warnings.length === 0 ? [] : [{ warnings }],
    sheet: { names: Object.keys(all), rows: rows.map((row) => cellsOf(row, zone)) },
  }
}

/** "12.50 (2)": the sum, and how many. */
function sumAndCount({ count, amount }: ListTotals['totals'][number][Counted]): string {
  return count === 0 ? '' : `${amount.text} (${count})`
}

const tones: Readonly<Record<Counted, CellTone>> = { accepted: 'plain', unknown: 'doubt', refused: 'bad' }

export function totalsView({ rows, totals }: ListTotals): View {
  const line = (sums: ListTotals['totals'][number], day: string, to: string): readonly ListCell[] => [
    { text: day },
    { text: to },
    { text: sums.currency },
    ...counted.map((each) => ({ text: sumAndCount(sums[each]), tone: tones[each] })),
  ]
  return listBlock({
    columns: [
      { head: 'day' },
      { head: 'to', least: 8 },
      { head: 'currency' },
      ...counted.map((head) => ({ head, align: 'right' as const })),
    ],
    rows: [
      ...rows.map((row) => line(row, row.day, row.name ?? accountInWords(row.account))),
      ...totals.map((all) => line(all, 'all', '')),
    ],
    card: [
      [0, 1],
      [2, 3],
      [4, 5],
    ],
    piped: totalCells({ rows }),
    empty: 'No payouts found.',
  })
}

const sumNames = counted.flatMap((each) => [`${each}Count`, `${each}Amount`])

function totalCells({ rows }: Pick<ListTotals, 'rows'>): readonly (readonly string[])[] {
  return rows.map((row) => [
    ...[row.day, row.currency, row.name ?? '', row.account],
    ...counted.flatMap((each) => [String(row[each].count), row[each].amount.text]),
  ])
}

export function totalsRowForms({ rows, warnings }: ListTotals): RowForms {
  return {
    rows: rows.map((row) => ({ ...row })),
    behind: warnings.length === 0 ? [] : [{ warnings }],
    sheet: { names: ['day', 'currency', 'name', 'account', ...sumNames], rows: totalCells({ rows }) },
  }
}
