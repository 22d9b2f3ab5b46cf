/**
 * The lists of payouts, orders and wallet orders as people, programs and spreadsheets see them: in a terminal as many
 * columns as there is room for.
 */
import type { ChalkInstance } from 'chalk'
import stringWidth from 'string-width'
import { accountInWords } from '../../contract/core/iban.ts'
import { type Counted, counted, type ListTotals, type ThingList } from '../../listing/list.ts'
import type { ListedRow, ListedSubject } from '../../listing/row.ts'
import { shortened, visible } from '../../text.ts'
import type { RowForms } from '../output/form.ts'
import { type Zone, zonedTime } from '../output/time.ts'
import type { View } from '../output/view.ts'

type CellTone = 'good' | 'bad' | 'doubt' | 'plain'

interface ListCell {
  readonly text: string
  readonly tone?: CellTone | undefined
}

interface ListColumn {
  readonly head: string
  readonly align?: 'right'
  /** Letters to which it may be cut; whole without. */
  readonly least?: number
  /** Left out where there is no room for it whole. */
  readonly isExtra?: boolean
}

interface DrawnList {
  readonly columns: readonly ListColumn[]
  readonly rows: readonly (readonly ListCell[])[]
  /** The columns of each line of a row that is drawn on several. */
  readonly card: readonly (readonly number[])[]
  /** The same rows for programs: the whole of every cell. */
  readonly piped: readonly (readonly string[])[]
  readonly empty: string
}

const between = 2

/** A text in the cells of a terminal that it takes, cut where it takes more. */
function fitted(text: string, width: number, align?: 'right'): string {
  const own = stringWidth(text)
  if (own <= width) return align === 'right' ? ' '.repeat(width - own) + text : text + ' '.repeat(width - own)
  let cut = ''
  for (const letter of text) {
    if (stringWidth(cut + letter) > width - 1) break
    cut += letter
  }
  return `${cut}…${' '.repeat(Math.max(0, width - 1 - stringWidth(cut)))}`
}

function inked(text: string, tone: CellTone | undefined, ink: ChalkInstance): string {
  const inks = { good: ink.green, bad: ink.red, doubt: ink.yellow, plain: (each: string) => each }
  return inks[tone ?? 'plain'](text)
}

interface SizedColumn {
  readonly at: number
  readonly width: number
}

const sum = (shown: readonly SizedColumn[]) => shown.reduce((all, { width }) => all + width + between, -between)

/** The columns that sized, each with its width; null where the first ones do not. */
function fitting(
  columns: readonly ListColumn[],
  widths: readonly number[],
  width: number,
): readonly SizedColumn[] | null {
  const shown = columns.flatMap(({ isExtra }, at) =>
    isExtra || widths[at] === 0 ? [] : [{ at, width: widths[at] ?? 0 }],
  )
  if (sum(shown) > width) return shrunk(columns, shown, width)
  for (const [at, { isExtra }] of columns.entries()) {
    const more = [...shown, { at, width: widths[at] ?? 0 }]
    if (isExtra && widths[at] !== 0 && sum(more) <= width) shown.push({ at, width: widths[at] ?? 0 })
  }
  return shown
}

function shrunk(
  columns: readonly ListColumn[],
  shown: readonly SizedColumn[],
  width: number,
): readonly SizedColumn[] | null {
  let left = sum(shown) - width
  const cut = shown.map((each) => {
    const least = Math.max(columns[each.at]?.least ?? each.width, stringWidth(columns[each.at]?.head ?? ''))
    const less = Math.max(0, Math.min(left, each.width - least))
    left -= less
    return { ...each, width: each.width - less }
  })
  return left > 0 ? null : cut
}

function onTerminal(block: DrawnList, width: number, ink: ChalkInstance): string {
  if (block.rows.length === 0) return block.empty
  const { columns } = block
  const rows = block.rows.map((row) => row.map(({ text, tone }) => ({ text: visible(shortened(text)), tone })))
  const widths = columns.map(({ head }, at) => {
    const cells = rows.map((row) => stringWidth(row[at]?.text ?? ''))
    const widest = cells.reduce((most, each) => Math.max(most, each), 0)
    return widest === 0 ? 0 : Math.max(widest, stringWidth(head))
  })
  const shown = fitting(columns, widths, width)
  if (!shown) return rows.map((row) => card(block, row, ink)).join('\n')
  const last = shown.at(-1)?.at
  const line = (paint: (at: number, sized: (text: string) => string) => string) =>
    shown
      .map(({ at, width: size }) =>
        paint(at, (text) => {
          const sized = fitted(text, size, columns[at]?.align)
          return at === last ? sized.trimEnd() : sized
        }),
      )
      .join(' '.repeat(between))
      .trimEnd()
  return [
    line((at, sized) => ink.dim(sized(columns[at]?.head ?? ''))),
    ...rows.map((row) => line((at, sized) => inked(sized(row[at]?.text ?? ''), row[at]?.tone, ink))),
  ].join('\n')
}

function card({ card }: DrawnList, row: readonly ListCell[], ink: ChalkInstance): string {
  const lines = card.map((places) =>
    places.flatMap((at) => (row[at]?.text ? [inked(row[at].text, row[at].tone, ink)] : [])).join(' '.repeat(between)),
  )
  return lines
    .filter((line) => line !== '')
    .map((line, at) => (at === 0 ? line : `  ${line}`))
    .join('\n')
}

/** A line for each row; nothing where there is none. */
function inPipe({ piped }: DrawnList): string {
  return piped.map((row) => row.map((cell) => visible(cell)).join('\t')).join('\n')
}

/** A list as a block. Its texts are redacted by then: once they are drawn it is too late. */
function listBlock(list: DrawnList): View {
  return [{ kind: 'drawn', draw: (width, ink) => (width === null ? inPipe(list) : onTerminal(list, width, ink)) }]
}

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

/** The lists of payouts, orders and wallet orders as people, programs and spreadsheets see them. */
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
