/** NDJSON: each line is an object whose members are the fields of a payout. Only the amount may be a number. */
import { JsonNumber } from '../../contract/core/decimal.ts'
import { textDamage } from '../../contract/core/text.ts'
import { isRecord, JsonExcess, readMessage } from '../../json.ts'
import { noMap } from './column-map.ts'
import { type ColumnLayout, headerComplaints, layoutOf, suggestColumn } from './columns.ts'
import { BrokenFile, decodeText, markOf } from './file.ts'
import {
  type BatchFile,
  type BatchRow,
  type Complaint,
  complaintAt,
  type FileSummary,
  fieldOfHeader,
  type OpenedFile,
  ownColumnPrefix,
  type ReadOptions,
  readResultFileMark,
  rowFields,
} from './row.ts'
import { type FilledRow, fillRow, placesIn, RowBuilder } from './row-builder.ts'
import { lastComplaint, onlyComplaints, type Table } from './table.ts'

/** The members that a line may have: those of the map, the key, and all other fields. */
function headersOf({ map, keyColumn }: ReadOptions): readonly string[] {
  const { columns, joins, constants, ignored } = map ?? noMap
  const named = [...columns.values(), ...joins.keys(), ...constants.keys()]
  const given = new Set(named.map((name) => fieldOfHeader(name)?.name))
  const free = rowFields.map(({ name }) => name).filter((name) => !given.has(name))
  const joined = [...joins.values()].flatMap((join) => join.columns)
  return [...new Set([...free, ...columns.keys(), ...joined, keyColumn ?? 'key', ...ignored])]
}

function whyUnread(error: unknown): string {
  const said = error instanceof Error ? error.message : ''
  if (error instanceof JsonExcess) return `has ${said}`
  const [, twice] = /^Duplicate key '(.*)' encountered/s.exec(said) ?? []
  return twice === undefined ? 'is not JSON' : `gives ${twice} twice, with two values: remove one`
}

class LineReader {
  readonly #layout: ColumnLayout
  readonly #builder: RowBuilder
  readonly #sums: ReadonlySet<string>
  readonly #ignored: ReadonlySet<string>
  readonly #mustHaveKey: boolean

  constructor(layout: ColumnLayout, options: ReadOptions) {
    this.#layout = layout
    const places = placesIn(layout)
    this.#builder = new RowBuilder({ circumstances: options.circumstances }, (field) => ({
      ...places(field),
      column: null,
    }))
    const sums = new Set(rowFields.filter(({ json }) => json === 'number').map(({ name }) => name))
    const cells = layout.fields.filter(({ name }) => sums.has(name)).flatMap((each) => each.cells)
    this.#sums = new Set(cells.map((at) => layout.headers[at] ?? ''))
    this.#ignored = options.map?.ignored ?? new Set()
    this.#mustHaveKey = options.keyColumn !== null
  }

  summary(): FileSummary {
    return { ...this.#builder.summary, message: null }
  }

  read(number: number, line: string): readonly [BatchRow] | readonly Complaint[] {
    let value: unknown
    try {
      value = readMessage(line)
    } catch (error) {
      return this.#builder.broken(number, whyUnread(error))
    }
    if (!isRecord(value)) return this.#builder.broken(number, 'is not a JSON object with the fields of a payout')
    return this.#builder.make(this.#filled(number, value))
  }

  #filled(number: number, members: Record<string, unknown>): FilledRow {
    const { headers } = this.#layout
    const wrong = new Map<string, string>()
    const cells = headers.map((header) => {
      const value = members[header]
      if (value === undefined || value === null || this.#ignored.has(header)) return ''
      if (typeof value === 'string') {
        if (value === '') wrong.set(header, 'must not be empty: omit it')
        return value
      }
      if (value instanceof JsonNumber && this.#sums.has(header)) return value.text
      wrong.set(header, value instanceof JsonNumber ? 'must be text, in quotes' : 'must be text')
      return ''
    })
    for (const name of Object.keys(members)) {
      if (!headers.includes(name) && !name.startsWith(ownColumnPrefix))
        wrong.set(name, textDamage(name) ?? 'is not a field of a payout')
    }
    const filled = fillRow(this.#layout, number, cells, null)
    const byField = this.#layout.fields.flatMap(({ name, cells: places }) =>
      places.flatMap((at) => {
        const why = wrong.get(headers[at] ?? '')
        return why === undefined ? [] : [[name, why] as const]
      }),
    )
    const rest = [...wrong].filter(
      ([name]) => !this.#layout.fields.some(({ cells: at }) => at.some((i) => headers[i] === name)),
    )
    const key = filled.key === '' && !this.#mustHaveKey ? null : filled.key
    const paper = readResultFileMark((header) => (members[header] === undefined ? undefined : String(members[header])))
    return { ...filled, key, ...(paper ? { paper } : {}), wrong: new Map([...byField, ...rest]) }
  }
}

async function* rowsOf(groups: AsyncIterable<readonly string[]>, reader: LineReader) {
  let row = 0
  try {
    for await (const lines of groups) {
      for (const line of lines) {
        row += 1
        if (line.trim() === '') continue
        for (const read of reader.read(row, line)) yield read.kind === 'row' ? read : await suggestColumn(read)
      }
    }
  } catch (error) {
    yield lastComplaint(error, row + 1)
  }
}

export async function readNdjson({ name, bytes }: OpenedFile, options: ReadOptions): Promise<BatchFile> {
  const mark = markOf(bytes.start)
  const encoding = mark?.encoding ?? 'UTF-8'
  const headers = headersOf(options)
  const drawn = layoutOf(headers, { map: options.map ?? noMap, keyColumn: options.keyColumn, anyFields: true })
  const about = { name, format: 'ndjson', encoding, delimiter: null } as const
  if (drawn.complaints.length > 0) {
    const told = await headerComplaints(drawn, 1)
    return { ...about, ...onlyComplaints(told.map((each) => complaintAt({ header: each.header }, each.message))) }
  }
  const reader = new LineReader(drawn.layout, options)
  const groups = linesOf(decodeText(bytes.all, encoding, mark?.length ?? 0))
  const table: Table = { headers, rows: rowsOf(groups, reader), summary: () => reader.summary() }
  return { ...about, ...table }
}

const longestLine = 1024 * 1024

/** The lines in groups, without line ends. */
async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  let kept = ''
  for await (const piece of text) {
    const lines = (kept + piece).split('\n')
    kept = lines.pop() ?? ''
    if (lines.length > 0) yield lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
    if (kept.length > longestLine) throw new BrokenFile('is longer than 1 MiB')
  }
  if (kept !== '') yield [kept]
}
