/** Rows and columns, of CSV or of a sheet: the first row is the header, every other one is a payout. */
import { howMany } from '../../../contract/core/count.ts'
import type { Circumstances } from '../../../contract/operation.ts'
import { BrokenFile } from '../broken.ts'
import type { ReadingOptions } from '../options.ts'
import { type BatchRow, type Complaint, complaintAt, type FileTold } from '../row.ts'
import { type ColumnLayout, layoutOf } from './columns.ts'
import { undefused } from './defused.ts'
import { filledFrom, type NumberInCell, placesIn, RowMaker } from './maker.ts'
import { noMap } from './map.ts'
import { allWithMeant } from './meant.ts'
import { ownColumnPrefix } from './paper.ts'

export interface TableRow {
  readonly number: number
  readonly cells: readonly string[]
  /** Damage of single cells that the format itself shows. */
  readonly damaged?: ReadonlyMap<number, string>
  /** Cells that the format calls numbers. */
  readonly numbers?: ReadonlyMap<number, NumberInCell>
  /** A reason not to pay the row, whatever its cells say. */
  readonly broken?: string | null
}

export interface Table {
  readonly headers: readonly string[]
  readonly rows: AsyncIterable<BatchRow | Complaint>
  readonly told: () => FileTold
}

const nothing: FileTold = { rows: 0, refused: 0, totals: new Map(), message: null }

/** A file that says no more than this. */
export function onlyComplaints(complaints: readonly Complaint[]): Table {
  async function* rows() {
    yield* complaints
  }
  return { headers: [], rows: rows(), told: () => nothing }
}

/** The word of a reader that can go on no further. Throws everything else. */
export function lastComplaint(error: unknown, row: number | null): Complaint {
  if (!(error instanceof BrokenFile)) throw error
  return complaintAt({ row: error.hasRow ? row : null }, error.message)
}

const none: ReadonlyMap<number, NumberInCell> = new Map()

function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell === '')
}

/** Blank rows after one another. Spreadsheets leave a few thousand behind. */
const mostBlank = 100_000

class TableReader {
  readonly #layout: ColumnLayout
  readonly #maker: RowMaker

  constructor(layout: ColumnLayout, circumstances: Circumstances) {
    this.#layout = layout
    this.#maker = new RowMaker(circumstances, placesIn(layout))
  }

  told(): FileTold {
    return { ...this.#maker.told, message: null }
  }

  read({
    number,
    cells,
    damaged,
    numbers = none,
    broken = null,
  }: TableRow): readonly [BatchRow] | readonly Complaint[] {
    if (broken !== null) return this.#maker.broken(number, broken)
    const { headers, nameless, keyAt } = this.#layout
    if (cells.length !== headers.length) {
      return this.#maker.broken(number, `has ${howMany(cells.length, 'cell')}, and the header has ${headers.length}`)
    }
    const unnamed = nameless.find((at) => cells[at] !== '')
    if (unnamed !== undefined) {
      return this.#maker.broken(number, `has something in column ${unnamed + 1}, which has no header`)
    }
    const filled = filledFrom(this.#layout, number, cells, numbers)
    if (!damaged?.size) return this.#maker.make(filled)
    const wrong = new Map(filled.wrong)
    const key = keyAt === null ? [] : [{ name: '', cells: [keyAt] }]
    for (const { name, cells: places } of [...this.#layout.fields, ...key]) {
      const why = places.map((at) => damaged.get(at)).find((each) => each !== undefined)
      if (why !== undefined) wrong.set(name, why)
    }
    return this.#maker.make({ ...filled, wrong })
  }
}

/** The rows under the header. `groups` go on behind it. */
async function* rowsOf(
  first: readonly TableRow[],
  groups: AsyncIterator<readonly TableRow[]>,
  reader: TableReader,
): AsyncGenerator<BatchRow | Complaint> {
  let row = 1
  let blank = 0
  try {
    for (let group = first; ; ) {
      for (const each of group) {
        row = each.number
        blank = isBlank(each.cells) ? blank + 1 : 0
        if (blank === 0) yield* reader.read(each)
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

/** A paper of paydesk's own that is given back: its cells as they were before they were defused. */
async function* givenBack(groups: AsyncIterable<readonly TableRow[]>): AsyncGenerator<readonly TableRow[]> {
  let isOwn: boolean | null = null
  for await (const group of groups) {
    isOwn ??= group[0]?.cells.some((cell) => cell.startsWith(ownColumnPrefix)) ?? false
    yield isOwn ? group.map((row) => ({ ...row, cells: row.cells.map(undefused) })) : group
  }
}

/** A table of rows that come in groups, none of them empty. */
export async function tableOf(rows: AsyncIterable<readonly TableRow[]>, options: ReadingOptions): Promise<Table> {
  const groups: AsyncIterator<readonly TableRow[]> = givenBack(rows)
  const { map, keyColumn, circumstances } = options
  try {
    const start = await groups.next()
    const [header, ...rest] = start.done ? [] : start.value
    if (header?.number !== 1 || isBlank(header.cells)) {
      await groups.return?.()
      return onlyComplaints([complaintAt({ row: 1 }, 'is blank: it must be the header, the names of the fields')])
    }
    const layout = layoutOf(header.cells, { map: map ?? noMap, keyColumn, anyFields: false })
    if ('length' in layout) {
      await groups.return?.()
      return onlyComplaints(await allWithMeant(layout))
    }
    const reader = new TableReader(layout, circumstances)
    return { headers: header.cells, rows: rowsOf(rest, groups, reader), told: () => reader.told() }
  } catch (error) {
    return onlyComplaints([lastComplaint(error, 1)])
  }
}
