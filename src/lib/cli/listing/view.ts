/**
 * The lists of payouts, orders and wallet orders as people, programs and spreadsheets see them: in a terminal as many
 * columns as there is room for.
 */
import type { ChalkInstance } from 'chalk'
import { accountInWords } from '../../contract/core/iban.ts'
import { unconfirmedInWords } from '../../contract/payout/status.ts'
import { type Counted, counted, type ListTotals, type ThingList } from '../../listing/list.ts'
import type { ListedRow, ListedSubject } from '../../listing/row.ts'
import { shortened, visible } from '../../text.ts'
import type { RowForms } from '../output/form.ts'
import { brokenBetweenWords, cutToWidth, screenWidth } from '../output/terminal.ts'
import { type Zone, zonedTime } from '../output/time.ts'
import { sumInWords, type View } from '../output/view.ts'

type Tone = 'good' | 'bad' | 'doubt' | 'plain'

interface Column<Row> {
  readonly head: string
  readonly cell: (row: Row) => string | null
  readonly tone?: (row: Row) => Tone
  readonly align?: 'right'
  /** Letters to which it may be cut; whole without. */
  readonly least?: number
  /** Left out where there is no room for it whole. */
  readonly isExtra?: boolean
  /** True if its head stands before its cell where a row is drawn on several lines. */
  readonly isNamed?: boolean
}

interface DrawnList<Row> {
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  /** The columns of each line of a row that is drawn on several. */
  readonly card: readonly (readonly number[])[]
  /** The same rows for programs: the whole of every cell. */
  readonly piped: readonly (readonly string[])[]
  readonly empty: string
  /** Said below the rows at a terminal. */
  readonly note?: string | null
}

type Sized<Row> = Column<Row> & { readonly cells: readonly string[]; readonly width: number }

const gap = '  '

const total = (columns: readonly { readonly width: number }[]) =>
  columns.reduce((all, { width }) => all + width + gap.length, -gap.length)

function sized<Row>(column: Column<Row>, rows: readonly Row[]): Sized<Row> {
  const cells = rows.map((row) => visible(shortened(column.cell(row) ?? '')))
  const widest = cells.reduce((most, each) => Math.max(most, screenWidth(each)), 0)
  return { ...column, cells, width: widest === 0 ? 0 : Math.max(widest, screenWidth(column.head)) }
}

/** The columns that there is room for; null where the first ones find none. Empty ones are left out. */
function fitting<Row>(columns: readonly Sized<Row>[], width: number): readonly Sized<Row>[] | null {
  const filled = columns.filter((column) => column.width > 0)
  const shown = filled.filter(({ isExtra }) => !isExtra)
  if (total(shown) > width) return shrunk(shown, width)
  for (const extra of filled.filter(({ isExtra }) => isExtra)) {
    if (total([...shown, extra]) <= width) shown.push(extra)
  }
  return shown
}

function shrunk<Row>(columns: readonly Sized<Row>[], width: number): readonly Sized<Row>[] | null {
  let left = total(columns) - width
  const cut = columns.map((column) => {
    const least = Math.max(column.least ?? column.width, screenWidth(column.head))
    const less = Math.max(0, Math.min(left, column.width - least))
    left -= less
    return { ...column, width: column.width - less }
  })
  return left > 0 ? null : cut
}

function fitted(text: string, width: number, align?: 'right'): string {
  const shown = screenWidth(text) > width ? `${cutToWidth(text, width - 1)}…` : text
  const blanks = ' '.repeat(width - screenWidth(shown))
  return align === 'right' ? blanks + shown : shown + blanks
}

function inked(text: string, tone: Tone | undefined, ink: ChalkInstance): string {
  const inks = { good: ink.green, bad: ink.red, doubt: ink.yellow, plain: (each: string) => each }
  return inks[tone ?? 'plain'](text)
}

function onTerminal<Row>(list: DrawnList<Row>, width: number, ink: ChalkInstance): string {
  if (list.rows.length === 0) return list.empty
  const drawn = rowsOnTerminal(list, width, ink)
  return list.note
    ? [drawn, '', ...brokenBetweenWords(list.note, width).map((line) => ink.dim(line))].join('\n')
    : drawn
}

function rowsOnTerminal<Row>({ columns, rows, card }: DrawnList<Row>, width: number, ink: ChalkInstance): string {
  const all = columns.map((column) => sized(column, rows))
  const shown = fitting(all, width)
  if (!shown) return rows.map((row, at) => cardOf(all, card, row, at, ink)).join('\n')
  const line = (text: (column: Sized<Row>) => string, paint: (text: string, column: Sized<Row>) => string) => {
    const parts = shown.map((column, at) => {
      const whole = fitted(text(column), column.width, column.align)
      return paint(at === shown.length - 1 ? whole.trimEnd() : whole, column)
    })
    return parts.join(gap).trimEnd()
  }
  const cells = (row: Row, at: number) =>
    line(
      ({ cells }) => cells[at] ?? '',
      (text, { tone }) => inked(text, tone?.(row), ink),
    )
  return [
    line(
      ({ head }) => head,
      (text) => ink.dim(text),
    ),
    ...rows.map(cells),
  ].join('\n')
}

function cardOf<Row>(
  columns: readonly Sized<Row>[],
  card: DrawnList<Row>['card'],
  row: Row,
  at: number,
  ink: ChalkInstance,
): string {
  const lines = card.map((places) => {
    const filled = places.flatMap((place) => columns[place] ?? []).filter(({ cells }) => cells[at])
    return filled
      .map(({ head, isNamed, cells, tone }) => inked(`${isNamed ? `${head} ` : ''}${cells[at]}`, tone?.(row), ink))
      .join(gap)
  })
  return lines.filter((line) => line !== '').join('\n  ')
}

/** The texts of the list are redacted by then: once they are drawn it is too late. */
function listBlock<Row>(list: DrawnList<Row>): View {
  const inPipe = () => list.piped.map((row) => row.map((cell) => visible(cell)).join('\t')).join('\n')
  return [{ kind: 'drawn', draw: (width, ink) => (width === null ? inPipe() : onTerminal(list, width, ink)) }]
}

// --- Payouts, orders, wallet orders

const names: Readonly<Record<ListedSubject, string>> = {
  payout: 'payouts',
  order: 'orders',
  'wallet order': 'wallet orders',
}

/** The status, and before it what makes it doubtful. */
function describePlanState({ state, status, inDoubt, unresolved, journalId }: ListedRow): string {
  const own = state === 'accepted' ? (status ?? state) : [state, status].filter(Boolean).join(' ')
  const others = unresolved
    .filter((each) => each.journalId !== journalId)
    .map(({ operation }) => `${operation} unknown`)
  return [...(inDoubt === null ? [] : ['IN DOUBT']), own, ...others].join(', ')
}

function toneOf({ inDoubt, unresolved, state, end, moneyMoved, open }: ListedRow): Tone {
  if (inDoubt !== null || unresolved.length > 0) return 'doubt'
  if (end === 'paid') return 'good'
  if (end === 'not-paid' || (state === 'refused' && moneyMoved === 'no')) return 'bad'
  return open ? 'doubt' : 'plain'
}

function madeColumn(rows: readonly ListedRow[], zone: Zone): Column<ListedRow> {
  const timeOf = ({ openedAt }: ListedRow) => zonedTime(Date.parse(openedAt), zone)
  const [offset, another] = new Set(rows.map((row) => timeOf(row).offset))
  // Where the clocks were changed between the rows each says its own.
  const isShared = offset !== undefined && another === undefined
  return {
    head: isShared ? `made (${offset})` : 'made',
    cell: (row) => {
      const { date, time, offset: own } = timeOf(row)
      return `${date} ${time.slice(0, 5)}${isShared ? '' : own}`
    },
  }
}

const receiver = ({ name, account }: { readonly name: string | null; readonly account: string }) =>
  name ?? accountInWords(account)

function columnsOf(subject: ListedSubject, made: Column<ListedRow>): readonly Column<ListedRow>[] {
  const isOrder = subject === 'order'
  const key: Column<ListedRow> = { head: 'key', cell: (row) => row.key }
  return [
    { head: 'id', cell: (row) => row.journalId },
    made,
    { ...(isOrder ? key : { head: 'to', cell: receiver }), least: 8 },
    { head: 'amount', align: 'right', cell: sumInWords },
    { head: 'status', least: 9, cell: describePlanState, tone: toneOf },
    subject === 'payout'
      ? { head: 'transaction', isExtra: true, cell: (row) => row.transactionId }
      : { head: 'order', isExtra: true, cell: (row) => row.uniqueId },
    {
      head: 'account',
      isExtra: true,
      cell: (row) => (row.name === null && !isOrder ? null : accountInWords(row.account)),
    },
    ...(isOrder ? [] : [{ ...key, isExtra: true }]),
    { head: 'profile', isExtra: true, cell: (row) => row.profile },
  ]
}

/** Every cell of a row, the same for each kind: what is missing leaves its place empty. */
const sheet: Readonly<Record<string, (row: ListedRow, zone: Zone) => string | null>> = {
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

const sheetRows = (rows: readonly ListedRow[], zone: Zone) =>
  rows.map((row) => Object.values(sheet).map((cell) => cell(row, zone) ?? ''))

export const listedView =
  (subject: ListedSubject) =>
  ({ rows }: ThingList, zone: Zone): View =>
    listBlock({
      columns: columnsOf(subject, madeColumn(rows, zone)),
      rows,
      card: [[0, 1], [2], [3, 4]],
      piped: sheetRows(rows, zone),
      empty: `No ${names[subject]} found.`,
      note:
        [
          ...(subject === 'payout' && rows.some(isUnconfirmed)
            ? [`exists: ${unconfirmedInWords}. Do not pay it again.`]
            : []),
          ...(rows.some(mayHaveChanged)
            ? ['A status that is not final is as this journal saw it last; --refresh asks the service.']
            : []),
        ].join(' ') || null,
    })

/** True if the service has only told that it has the id. */
const isUnconfirmed = ({ state, transactionId }: ListedRow) => state === 'exists' && transactionId === null

/** True if the service may say another status by now. */
const mayHaveChanged = ({ state, open, readAt }: ListedRow) =>
  open && readAt === null && (state === 'accepted' || state === 'exists')

function rowForms(
  { rows, warnings }: Pick<ThingList | ListTotals, 'rows' | 'warnings'>,
  sheet: RowForms['sheet'],
): RowForms {
  return { rows: rows.map((row) => ({ ...row })), behind: warnings.length === 0 ? [] : [{ warnings }], sheet }
}

export const listedRowForms = (listed: ThingList, zone: Zone): RowForms =>
  rowForms(listed, { names: Object.keys(sheet), rows: sheetRows(listed.rows, zone) })

// --- Totals

type Sums = ListTotals['totals'][number]
type TotalRow = Sums & { readonly day: string; readonly to: string }

const sumAndCount = ({ count, amount }: Sums[Counted]) => (count === 0 ? '' : `${amount.text} (${count})`)

const tones: Readonly<Record<Counted, Tone>> = { accepted: 'plain', unknown: 'doubt', refused: 'bad' }

export function totalsView({ rows, totals }: ListTotals): View {
  const columns: readonly Column<TotalRow>[] = [
    { head: 'day', cell: ({ day }) => day },
    { head: 'to', least: 8, cell: ({ to }) => to },
    { head: 'currency', cell: ({ currency }) => currency },
    ...counted.map((each): Column<TotalRow> => {
      return {
        head: each,
        align: 'right',
        isNamed: true,
        cell: (row) => sumAndCount(row[each]),
        tone: () => tones[each],
      }
    }),
  ]
  const days = rows.map((row) => ({ ...row, to: [row.name, accountInWords(row.account)].filter(Boolean).join(' ') }))
  const card = [
    [0, 1],
    [2, 3],
    [4, 5],
  ]
  return listBlock({
    columns,
    rows: [...days, ...totals.map((all) => ({ ...all, day: 'all', to: '' }))],
    card,
    piped: totalRows(rows),
    empty: 'No payouts found.',
    note: 'accepted: paid, on its way, or not confirmed. Payouts that are held or were not sent are not counted.',
  })
}

const totalRows = (rows: ListTotals['rows']) =>
  rows.map((row) => [
    ...[row.day, row.currency, row.name ?? '', row.account],
    ...counted.flatMap((each) => [String(row[each].count), row[each].amount.text]),
  ])

export function totalsRowForms(listed: ListTotals): RowForms {
  const sums = counted.flatMap((each) => [`${each}Count`, `${each}Amount`])
  return rowForms(listed, { names: ['day', 'currency', 'name', 'account', ...sums], rows: totalRows(listed.rows) })
}
