/** NDJSON: each line is an object whose members are the fields of a payout. Only the amount may be a number. */
import { JsonNumber } from '../../contract/core/decimal.ts'
import { textDamage } from '../../contract/core/text.ts'
import { isRecord, JsonExcess, readMessage } from '../../json.ts'
import { noMap } from './column-map.ts'
import { type ColumnLayout, headerComplaints, layoutOf, suggestColumn } from './columns.ts'
import { BrokenFile, byteOrderMark, decodeText } from './file.ts'
import {
  type BatchFile,
  type BatchRow,
  type Complaint,
  complaintAt,
  fieldOfHeader,
  type OpenedFile,
  ownColumnPrefix,
  type ReadOptions,
  readResultFileMark,
  rowFields,
} from './row.ts'
import { type FilledRow, fillRow, placesIn, RowBuilder } from './row-builder.ts'
import { lastComplaint, onlyComplaints } from './table.ts'

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

/** Makes the rows of lines. Complaints about members of no field follow those of the row. */
function lineReader(layout: ColumnLayout, options: ReadOptions) {
  const { headers, fields, keyAt } = layout
  const places = placesIn(layout)
  const builder = new RowBuilder({ circumstances: options.circumstances }, (name) => ({
    ...places(name),
    column: null,
  }))
  const numeric = new Set(rowFields.filter(({ json }) => json === 'number').map(({ name }) => name))
  const sums = new Set(fields.filter(({ name }) => numeric.has(name)).flatMap(({ cells }) => cells))
  const read = new Set([...fields.flatMap(({ cells }) => cells), ...(keyAt === null ? [] : [keyAt])])

  const fill = (number: number, members: Record<string, unknown>): FilledRow => {
    const damaged = new Map<number, string>()
    const cells = headers.map((header, at) => {
      const value = members[header]
      if (value === undefined || value === null || options.map?.ignored.has(header)) return ''
      if (value instanceof JsonNumber && sums.has(at)) return value.text
      if (typeof value === 'string' && value !== '') return value
      const text = value instanceof JsonNumber ? 'must be text, in quotes' : 'must be text'
      damaged.set(at, value === '' ? 'must not be empty: omit it' : text)
      return ''
    })
    const filled = fillRow(layout, { number, cells, damaged, numbers: null })
    const strange = Object.keys(members).filter((name) => !headers.includes(name) && !name.startsWith(ownColumnPrefix))
    const wrong = new Map([
      ...filled.wrong,
      ...[...damaged].flatMap(([at, why]) => (read.has(at) ? [] : [[headers[at] ?? '', why] as const])),
      ...strange.map((name) => [name, textDamage(name) ?? 'is not a field of a payout'] as const),
    ])
    const key = filled.key === '' && options.keyColumn === null ? null : filled.key
    const mark = readResultFileMark((header) => (members[header] === undefined ? undefined : String(members[header])))
    return { ...filled, key, ...(mark ? { mark } : {}), wrong }
  }

  const readLine = (number: number, line: string): readonly [BatchRow] | readonly Complaint[] => {
    let value: unknown
    try {
      value = readMessage(line)
    } catch (error) {
      return builder.broken(number, whyUnread(error))
    }
    if (!isRecord(value)) return builder.broken(number, 'is not a JSON object with the fields of a payout')
    return builder.make(fill(number, value))
  }
  return { readLine, summary: () => builder.summary }
}

async function* rowsOf(
  groups: AsyncIterable<readonly string[]>,
  readLine: ReturnType<typeof lineReader>['readLine'],
): AsyncGenerator<BatchRow | Complaint> {
  let row = 0
  try {
    for await (const lines of groups) {
      for (const line of lines) {
        row += 1
        if (line.trim() === '') continue
        for (const read of readLine(row, line)) yield read.kind === 'row' ? read : await suggestColumn(read)
      }
    }
  } catch (error) {
    yield lastComplaint(error, row + 1)
  }
}

export async function readNdjson({ name, bytes }: OpenedFile, options: ReadOptions): Promise<BatchFile> {
  const mark = byteOrderMark(bytes.start)
  const encoding = mark?.encoding ?? 'UTF-8'
  const headers = headersOf(options)
  const drawn = layoutOf(headers, { map: options.map ?? noMap, keyColumn: options.keyColumn, anyFields: true })
  const about = { name, format: 'ndjson', encoding, delimiter: null } as const
  if (drawn.complaints.length > 0) {
    const told = await headerComplaints(drawn, 1)
    return { ...about, ...onlyComplaints(told.map((each) => complaintAt({ header: each.header }, each.message))) }
  }
  const { readLine, summary } = lineReader(drawn.layout, options)
  const groups = linesOf(decodeText(bytes.all, encoding, mark?.length ?? 0))
  return { ...about, headers, rows: rowsOf(groups, readLine), summary }
}

const longestLine = 1024 * 1024

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
