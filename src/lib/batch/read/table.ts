/** Rows and columns of CSV or a sheet: the first row is the header, every other row is a payout. */

import { howMany } from '../../contract/core/text.ts'
import { unescapeFormula } from '../../text.ts'
import { noMap } from './column-map.ts'
import { type ColumnLayout, headerComplaints, knownHeader, layoutOf } from './columns.ts'
import { BrokenFile } from './file.ts'
import {
  type BatchRow,
  type Complaint,
  complaintAt,
  type FileSummary,
  ownColumnPrefix,
  type ReadOptions,
} from './row.ts'
import { fillRow, placesIn, RowBuilder, type RowCells } from './row-builder.ts'

export interface TableRow extends RowCells {
  readonly broken?: string | null
}

export interface Table {
  readonly headers: readonly string[]
  readonly first?: readonly string[]
  readonly rows: AsyncIterable<BatchRow | Complaint>
  readonly summary: () => FileSummary
}

const nothing: FileSummary = { rows: 0, refused: 0, totals: new Map(), message: null }

export function onlyComplaints(complaints: readonly Complaint[]): Table {
  async function* rows() {
    yield* complaints
  }
  return { headers: [], rows: rows(), summary: () => nothing }
}

/** The last complaint of a reader that cannot go on. Throws every other error. */
export function lastComplaint(error: unknown, row: number | null): Complaint {
  if (!(error instanceof BrokenFile)) throw error
  return complaintAt({ row: error.hasRow ? row : null }, error.message)
}

function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '')
}

/** Blank rows in a row. Spreadsheets leave a few thousand behind. */
const mostBlank = 100_000

/** The row, or everything that is wrong with it. `isRagged`: it may end before the header does. */
function readRow(
  layout: ColumnLayout,
  builder: RowBuilder,
  row: TableRow,
  isRagged: boolean,
): readonly [BatchRow] | readonly Complaint[] {
  const { headers, nameless } = layout
  const { number, broken = null } = row
  if (broken !== null) return builder.broken(number, broken)
  const cells = [...row.cells]
  while (isRagged && cells.length < headers.length) cells.push('')
  if (cells.length !== headers.length) {
    return builder.broken(number, `has ${howMany(cells.length, 'cell')}, and the header has ${headers.length}`)
  }
  const unnamed = nameless.find((at) => cells[at] !== '')
  if (unnamed !== undefined) {
    return builder.broken(number, `has something in column ${unnamed + 1}, which has no header`)
  }
  return builder.make(fillRow(layout, { ...row, cells }))
}

/** The rows under the header. `groups` continue `first`. */
async function* rowsOf(
  first: readonly TableRow[],
  groups: AsyncIterator<readonly TableRow[]>,
  read: (row: TableRow) => Iterable<BatchRow | Complaint>,
): AsyncGenerator<BatchRow | Complaint> {
  let row = 1
  let blank = 0
  try {
    for (let group = first; ; ) {
      for (const each of group) {
        row = each.number
        blank = isBlank(each.cells) ? blank + 1 : 0
        if (blank === 0) yield* read(each)
        else if (blank > mostBlank) throw new BrokenFile(`has more than ${mostBlank} blank rows above it`)
      }
      const next = await groups.next()
      if (next.done) return
      group = next.value
    }
  } catch (error) {
    yield lastComplaint(error, row + 1)
  } finally {
    await groups.return?.()
  }
}

/** Restores the cells of a result file of paydesk. */
async function* unescapeResultFile(groups: AsyncIterable<readonly TableRow[]>): AsyncGenerator<readonly TableRow[]> {
  let isOwn: boolean | null = null
  for await (const group of groups) {
    isOwn ??= group[0]?.cells.some((cell) => cell.startsWith(ownColumnPrefix)) ?? false
    yield isOwn ? group.map((row) => ({ ...row, cells: row.cells.map(unescapeFormula) })) : group
  }
}

/** Rows in which the header is searched, without blank ones. */
const mostAbove = 30

interface Top {
  /** Null if no row has content. */
  readonly header: TableRow | null
  /** Rows above it that are no title, comment or note. */
  readonly above: readonly TableRow[]
  readonly rest: readonly TableRow[]
}

/** A title, a comment, or `sep=;`: no payout fits into one cell. */
function isNote({ cells }: TableRow): boolean {
  return cells.filter((cell) => cell.trim() !== '').length <= 1 || cells[0]?.trimStart().startsWith('#') === true
}

/** The header: the row with the most known names; else the first row with several cells. */
function findHeader(rows: readonly TableRow[], isKnown: (header: string) => boolean): Top {
  const filled = rows.filter(({ cells }) => !isBlank(cells))
  const counts = filled.slice(0, mostAbove).map(({ cells }) => new Set(cells.filter(isKnown)).size)
  const most = Math.max(0, ...counts)
  const best = counts.findIndex((count, at) => count === most && (at === 0 ? count > 0 : count > 1))
  const header = filled[best] ?? filled.find((row) => !isNote(row)) ?? filled[0] ?? null
  if (header === null) return { header, above: [], rest: [] }
  const above = filled.slice(0, filled.indexOf(header)).filter((row) => !isNote(row))
  return { header, above, rest: rows.slice(rows.indexOf(header) + 1) }
}

function aboutAbove([first]: readonly TableRow[], header: TableRow): readonly Complaint[] {
  if (first === undefined) return []
  return [complaintAt({ row: first.number }, `stands above the header, which is row ${header.number}: delete it`)]
}

/** The first rows, up to a certain header. An error among them is thrown by the rows after them. */
async function readFirstRows(groups: AsyncGenerator<readonly TableRow[]>, isKnown: (header: string) => boolean) {
  const rows: TableRow[] = []
  try {
    for (let filled = 0; filled < mostAbove && rows.length < mostBlank; ) {
      const next = await groups.next()
      if (next.done) break
      rows.push(...next.value)
      filled += next.value.filter(({ cells }) => !isBlank(cells)).length
      if (rows.slice(0, mostAbove).some(({ cells }) => cells.filter(isKnown).length > 1)) break
    }
  } catch (error) {
    return { rows, later: failingRows(error) }
  }
  return { rows, later: groups }
}

// biome-ignore lint/correctness/useYield: the end of a reading, where more rows would come.
async function* failingRows(error: unknown): AsyncGenerator<readonly TableRow[]> {
  throw error
}

/** Reads a table. `isRagged`: rows may end before the header does, as in a sheet. */
export async function readTable(
  rows: AsyncIterable<readonly TableRow[]>,
  options: ReadOptions,
  isRagged = false,
): Promise<Table> {
  const groups = unescapeResultFile(rows)
  const { map, keyColumn, contract } = options
  try {
    const isKnown = knownHeader(options)
    const { rows: start, later } = await readFirstRows(groups, isKnown)
    const { header, above, rest } = findHeader(start, isKnown)
    if (header === null) {
      for await (const _more of later) break
      return onlyComplaints([complaintAt({}, 'has no rows')])
    }
    const { cells: headers, number: row } = header
    const drawn = layoutOf(headers, { map: map ?? noMap, keyColumn, anyFields: false, row, contract })
    const complaints = [...aboutAbove(above, header), ...(await headerComplaints(drawn, row, contract))]
    const isWrong = complaints.length > 0
    const about = { headers, first: rest.find(({ cells }) => !isBlank(cells))?.cells ?? [] }
    if (isWrong && drawn.layout.fields.length === 0) {
      await groups.return(undefined)
      return { ...onlyComplaints(complaints), ...about }
    }
    const { layout } = drawn
    const builder = new RowBuilder(options, placesIn(layout), isWrong ? drawn.wrongFields : null)
    const under = rowsOf(rest, later, (row) => readRow(layout, builder, row, isRagged))
    return { ...about, rows: complaintsThenRows(complaints, under), summary: () => builder.summary }
  } catch (error) {
    return onlyComplaints([lastComplaint(error, 1)])
  }
}

async function* complaintsThenRows(complaints: readonly Complaint[], rows: AsyncIterable<BatchRow | Complaint>) {
  yield* complaints
  yield* rows
}
