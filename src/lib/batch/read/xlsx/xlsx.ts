/** XLSX: the only sheet with content. The file is whole in memory, its rows are streamed. */
import { BrokenFile } from '../file.ts'
import { type BatchFile, complaintAt, type OpenedFile, type ReadOptions } from '../row.ts'
import { onlyComplaints, readTable, type TableRow } from '../table.ts'
import { SheetReader } from './sheet.ts'
import { WorkbookParts, xmlSink } from './workbook.ts'
import { unpacked } from './zip.ts'

const largest = 20 * 1000 * 1000

async function wholeOf(bytes: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of bytes) {
    chunks.push(chunk)
    length += chunk.length
    if (length > largest) throw new BrokenFile('is larger than 20 MB: save it as CSV', 'as a whole')
  }
  return Buffer.concat(chunks)
}

function partsOf(archive: Buffer): WorkbookParts {
  const parts = new WorkbookParts()
  for (const _piece of unpacked(archive, (name) => parts.sinkOf(name)));
  parts.mustBeWhole()
  return parts
}

/** The rows of a sheet in groups. */
function* groupsOf(archive: Buffer, parts: WorkbookParts, entry: string): Generator<TableRow[]> {
  const reader = new SheetReader(parts)
  let isWhole = false
  const sink = xmlSink(reader, undefined, () => {
    isWhole = true
  })
  for (const _piece of unpacked(archive, (name) => (name === entry ? sink : null))) {
    const rows = reader.taken()
    if (rows.length > 0) yield rows
  }
  if (!isWhole) throw new BrokenFile('lacks a sheet that it names: it is damaged', 'as a whole')
}

/** The entry of the only visible sheet with content. */
function onlySheet(archive: Buffer, parts: WorkbookParts): string {
  const visible = parts.sheets.filter(({ isVisible }) => isVisible)
  const filled = visible.filter((sheet) => {
    const entry = parts.entryOf(sheet)
    return entry !== null && !groupsOf(archive, parts, entry).next().done
  })
  const [sheet] = filled
  if (!sheet) throw new BrokenFile('has no rows', 'as a whole')
  if (filled.length > 1) {
    const names = filled.map(({ name }) => `"${name}"`).join(', ')
    throw new BrokenFile(
      `has ${filled.length} sheets with something in them (${names}): save one of them by itself`,
      'as a whole',
    )
  }
  return parts.entryOf(sheet) ?? ''
}

async function* rowsOf(archive: Buffer, parts: WorkbookParts, entry: string): AsyncGenerator<TableRow[]> {
  yield* groupsOf(archive, parts, entry)
}

export async function readXlsx({ name, bytes }: OpenedFile, options: ReadOptions): Promise<BatchFile> {
  const about = { name, format: 'xlsx', encoding: 'UTF-8', delimiter: null } as const
  try {
    const archive = await wholeOf(bytes.all)
    const parts = partsOf(archive)
    const table = await readTable(rowsOf(archive, parts, onlySheet(archive, parts)), options, true)
    return { ...about, ...table }
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error
    return { ...about, ...onlyComplaints([complaintAt({}, error.message)]) }
  }
}
